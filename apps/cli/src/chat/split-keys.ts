/** What arrives from a terminal: keys as they are typed, or a text that was pasted as a whole. */
export type TypedPiece =
  | { readonly kind: 'keys'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string };

const begin = '\u001B[200~';
const end = '\u001B[201~';
const longestPaste = 4 * 1024 * 1024;

/** Turns bracketed paste on or off in the terminal. */
export const bracketedPaste = { on: '\u001B[?2004h', off: '\u001B[?2004l' } as const;

/**
 * Makes a function that sorts what a terminal sends, however it is cut: pasted texts come whole, with line breaks as `\n`
 * and without control characters, so that none of them is a key.
 */
export function createKeySplitter(): (text: string) => readonly TypedPiece[] {
  // What may begin a mark: only that is looked at again when more arrives.
  let held = '';
  let pasted: PastedPieces | undefined;
  return (text) => {
    const pieces: TypedPiece[] = [];
    let rest = held + text;
    held = '';
    for (;;) {
      const mark = pasted === undefined ? begin : end;
      const at = rest.indexOf(mark);
      const until = at === -1 ? rest.length - unfinished(rest, mark) : at;
      const found = rest.slice(0, until);
      if (pasted !== undefined) pasted.add(found);
      else if (found !== '') pieces.push(keys(found));
      if (at === -1) {
        held = rest.slice(until);
        return pieces;
      }
      if (pasted !== undefined) pieces.push({ kind: 'paste', text: cleaned(pasted.text) });
      pasted = pasted === undefined ? new PastedPieces() : undefined;
      rest = rest.slice(at + mark.length);
    }
  };
}

/** The beginning of a paste, as long as one may be. */
class PastedPieces {
  readonly #pieces: string[] = [];
  #length = 0;

  get text(): string {
    return this.#pieces.join('');
  }

  add(text: string): void {
    const piece = text.slice(0, longestPaste - this.#length);
    if (piece === '') return;
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}

function keys(text: string): TypedPiece {
  return { kind: 'keys', text };
}

/** Characters at the end that may be the beginning of a mark. A single escape is a key; in a paste, it is none. */
function unfinished(text: string, mark: string): number {
  for (let length = mark.length - 1; length > (mark === end ? 0 : 1); length -= 1) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}

function cleaned(text: string): string {
  return (
    text
      .replaceAll(/\r\n?/gu, '\n')
      // oxlint-disable-next-line eslint/no-control-regex -- finding control characters is what it is for
      .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/gu, '')
  );
}
