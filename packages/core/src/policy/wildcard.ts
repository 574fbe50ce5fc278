/** One sign of a pattern, which stands for characters of a text. */
export type Wildcard =
  /** This character. */
  | { readonly kind: 'character'; readonly character: string }
  /** Any one character. */
  | { readonly kind: 'any' }
  /** Any characters, none too. */
  | { readonly kind: 'many' }
  /** One of a class, or one that is not of it. */
  | { readonly kind: 'class'; readonly ranges: readonly CharacterRange[]; readonly negated: boolean };

interface CharacterRange {
  readonly from: string;
  readonly to: string;
}

/** The signs of a text in which `*` stands for any characters, and all else for itself. */
export function starredText(text: string): readonly Wildcard[] {
  return [...text].map((character) => (character === '*' ? { kind: 'many' } : { kind: 'character', character }));
}

/** The signs of a text in which every character stands for itself. */
export function plainText(text: string): readonly Wildcard[] {
  return [...text].map((character) => ({ kind: 'character', character }));
}

/**
 * The signs of a part of a path: `*`, `?`, `[a-z]`, `[!a-z]`.
 *
 * @returns `undefined` where a `[` has no end.
 */
export function globbedText(text: string): readonly Wildcard[] | undefined {
  const characters = [...text];
  const signs: Wildcard[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '*') signs.push({ kind: 'many' });
    else if (character === '?') signs.push({ kind: 'any' });
    else if (character === '[') {
      const found = readClass(characters, at);
      if (found === undefined) return undefined;
      signs.push(found.sign);
      at = found.end;
    } else signs.push({ kind: 'character', character });
  }
  return signs;
}

/** A `]` right behind the beginning belongs to the class, as shells have it. */
function readClass(
  characters: readonly string[],
  start: number,
): { readonly sign: Wildcard; readonly end: number } | undefined {
  const negated = characters[start + 1] === '!' || characters[start + 1] === '^';
  const first = start + (negated ? 2 : 1);
  const end = characters.indexOf(']', first + 1);
  if (end === -1) return undefined;
  const ranges: CharacterRange[] = [];
  for (let at = first; at < end; at += 1) {
    const from = characters[at] ?? '';
    const isRange = characters[at + 1] === '-' && at + 2 < end;
    ranges.push({ from, to: isRange ? (characters[at + 2] ?? '') : from });
    if (isRange) at += 2;
  }
  return { sign: { kind: 'class', ranges, negated }, end };
}

/** Whether the signs stand for the whole text. Takes no more steps than signs times characters. */
export function matchesWildcards(signs: readonly Wildcard[], text: string): boolean {
  const characters = [...text];
  let sign = 0;
  let at = 0;
  // Where the last `*` stands and what it was tried with: an earlier one never has to be tried again.
  let star = -1;
  let tried = 0;
  while (at < characters.length) {
    const current = signs[sign];
    if (current?.kind === 'many') {
      star = sign;
      tried = at;
      sign += 1;
    } else if (current !== undefined && standsFor(current, characters[at] ?? '')) {
      sign += 1;
      at += 1;
    } else if (star !== -1) {
      sign = star + 1;
      tried += 1;
      at = tried;
    } else return false;
  }
  return signs.slice(sign).every(({ kind }) => kind === 'many');
}

function standsFor(sign: Wildcard, character: string): boolean {
  switch (sign.kind) {
    case 'character':
      return sign.character === character;
    case 'any':
    case 'many':
      return true;
    case 'class':
      return sign.ranges.some((range) => isWithin(character, range)) !== sign.negated;
  }
}

function isWithin(character: string, { from, to }: CharacterRange): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code >= (from.codePointAt(0) ?? 0) && code <= (to.codePointAt(0) ?? 0);
}
