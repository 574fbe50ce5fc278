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
  let held = '';
  let pasting = false;
  return (text) => {
    const pieces: TypedPiece[] = [];
    let rest = held + text;
    held = '';
    for (;;) {
      const mark = pasting ? end : begin;
      const at = rest.indexOf(mark);
      const found = at === -1 ? rest : rest.slice(0, at);
      if (at === -1) {
        held = pasting ? shortened(rest) : rest.slice(rest.length - unfinished(rest));
        if (!pasting && rest.length > held.length) pieces.push(keys(rest.slice(0, rest.length - held.length)));
        return pieces;
      }
      if (pasting) pieces.push({ kind: 'paste', text: cleaned(found.slice(0, longestPaste)) });
      else if (found !== '') pieces.push(keys(found));
      pasting = !pasting;
      rest = rest.slice(at + mark.length);
    }
  };
}

function keys(text: string): TypedPiece {
  return { kind: 'keys', text };
}

/** Characters at the end that may be the beginning of a mark. A single escape is a key. */
function unfinished(text: string): number {
  for (let length = begin.length - 1; length > 1; length -= 1) {
    if (text.endsWith(begin.slice(0, length))) return length;
  }
  return 0;
}

/**
 * A paste without what is too much of it, but with its last characters, which may begin the mark of its end. The line
 * break keeps them from making one with what stood elsewhere.
 */
function shortened(pasted: string): string {
  const most = longestPaste + end.length;
  return pasted.length <= most ? pasted : `${pasted.slice(0, longestPaste)}\n${pasted.slice(1 - end.length)}`;
}

function cleaned(text: string): string {
  return (
    text
      .replaceAll(/\r\n?/gu, '\n')
      // oxlint-disable-next-line eslint/no-control-regex -- finding control characters is what it is for
      .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/gu, '')
  );
}
