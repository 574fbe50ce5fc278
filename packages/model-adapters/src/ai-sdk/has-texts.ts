/** What has to be a text in a part of its type. */
const texts: Readonly<Record<string, readonly string[]>> = {
  'text-delta': ['delta'],
  'reasoning-delta': ['delta'],
  'tool-input-start': ['id', 'toolName'],
  'tool-input-delta': ['id', 'delta'],
  'tool-call': ['toolCallId', 'toolName', 'input'],
};

/** Whether a part has the texts that it has to have: models come from anywhere, and no type holds in JavaScript. */
export function hasTexts(part: { readonly type: string }): boolean {
  if (!Object.hasOwn(texts, part.type)) return true;
  const fields: Readonly<Record<string, unknown>> = { ...part };
  return (texts[part.type] ?? []).every((name) => typeof fields[name] === 'string');
}
