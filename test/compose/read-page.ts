/** What a reader of a page does, in its order. */
export type PageStep =
  /** Saves a block under the name that the line above it ends with. */
  | { readonly kind: 'save'; readonly path: string; readonly text: string }
  /** Types a block of `sh`, and sees the block without a language that follows it, if one does. */
  | { readonly kind: 'type'; readonly commands: string; readonly prints: string | undefined };

const block =
  /(?:`(?<path>[\w./-]+)`:\n\n)?^```(?<language>\w*)\n(?<code>[\s\S]*?)^```$(?:\n\n^```\n(?<prints>[\s\S]*?)^```$)?/gmu;

/** The steps of a page that its reader follows to the letter. A block that is for looking at alone is none. */
export function readPage(text: string): readonly PageStep[] {
  return [...text.matchAll(block)].flatMap(({ groups = {} }): readonly PageStep[] => {
    const { path, language, code = '', prints } = groups;
    if (path !== undefined) return [{ kind: 'save', path, text: code }];
    return language === 'sh' ? [{ kind: 'type', commands: code, prints }] : [];
  });
}
