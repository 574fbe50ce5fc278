/** What stands in the place of a token that was told by its shape. */
export const tokenMark = '[redacted:token]';

/** What stands in the place of a private key. */
export const keyMark = '[redacted:private-key]';

/** A pattern that begins where none of `before` stands, or behind an escape of JSON: `\nghp_…` is a token in a new line. */
function begun(before: RegExp, token: RegExp): RegExp {
  return new RegExp(`(?:(?<=\\\\(?:[bfnrt]|u[\\da-f]{4}))|(?<!${before.source}))${token.source}`, token.flags);
}

// Each begins where no character of the same kind is before it, and can fail only within a few characters of there or
// at the end of what it has looked at: so that no text, however it is made, takes more than a time proportional to it.
// None is as long as millions of characters, for which V8 has no room while it looks.
const tokens: readonly RegExp[] = [
  begun(/[\w.-]/u, /eyJ[\w-]{8,500000}\.[\w-]{8,500000}(?:\.[\w-]{1,500000})*/gu),
  begun(/[a-z0-9]/u, /(?:sk-ant-[a-z]{2,8}\d\d-[\w-]{8,500000}|[srp]k_(?:live|test)_\w{10,500000})/giu),
  begun(/[a-z0-9]/u, /(?:gh[opusr]_[a-z0-9]{20,500000}|github_pat_\w{20,500000})/giu),
  begun(/[a-z0-9]/u, /(?:npm_[a-z0-9]{30,500000}|hf_[a-z0-9]{20,500000}|AIza[\w-]{30,500000})/giu),
  begun(/[A-Z0-9]/u, /(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}(?![A-Z0-9])/gu),
];

// So begin names, too: `sk-learn-model-training`. What follows tells.
const tokensOrNames = begun(
  /[a-z0-9]/u,
  /(?:(?:sk|rk|pk)[-_][\w-]{16,500000}|glpat-[\w-]{16,500000}|(?:xox[a-z]|xapp)-[\w-]{10,500000}|pypi-[\w-]{30,500000})/giu,
);

const secretKey = begun(
  /[a-z0-9]/u,
  /((?:aws_?)?secret_?access_?key\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?)[\w/+=]{30,500000}/giu,
);

// In a header, whatever it is; in a sentence, “basic formatting” and “bearer certificates” are words.
const header = begun(
  /[a-z]/u,
  /(authorization\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?(?:bearer|basic)[ \t]{1,4})[\w.~+/=-]{8,500000}/giu,
);
const bearer = begun(/[a-z]/u, /(bearer[ \t]{1,4})([\w.~+/=-]{8,500000})/giu);
const basic = begun(/[a-z]/u, /(basic[ \t]{1,4})([a-z0-9+/]{8,500000}={0,2})(?![\w.~+/=-])/giu);

/** A text without what is a token or a private key by its shape alone, whoever it belongs to. */
export function redactTokens(text: string): string {
  let redacted = redactPrivateKeys(text);
  for (const pattern of tokens) redacted = redacted.replace(pattern, tokenMark);
  return redacted
    .replace(tokensOrNames, (found) => (isRandom(found) ? tokenMark : found))
    .replace(secretKey, `$1${tokenMark}`)
    .replace(header, `$1${tokenMark}`)
    .replace(bearer, (found, start: string, word: string) => (isBearer(word) ? start + tokenMark : found))
    .replace(basic, (found, start: string, word: string) => (isBasic(word) ? start + tokenMark : found));
}

/** Whether no name looks so: both cases and a digit, or a piece that is too long for a word or a date. */
function isRandom(token: string): boolean {
  if (/[a-z]/u.test(token) && /[A-Z]/u.test(token) && /\d/u.test(token)) return true;
  return token.split(/[-_]/u).some((piece) => piece.length >= 24 || (piece.length >= 10 && /\d/u.test(piece)));
}

function isBearer(word: string): boolean {
  return /\d/u.test(word) || (word.length >= 16 && /[a-z]/u.test(word) && /[A-Z]/u.test(word)) || word.length >= 32;
}

/** Whether it is a user name and a password in base64. */
function isBasic(word: string): boolean {
  try {
    return /^[\x20-\x7e\x80-\xff]*$/u.test(atob(word)) && atob(word).includes(':');
  } catch {
    return false;
  }
}

const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gu;
const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gu;

// All that may come before the first line of a key is complete.
const beginning = /-----BEGIN [A-Z0-9 ]{0,60}-{0,5}$/u;

/** Where a private key begins, or may begin, that does not end in this text; its length where there is none. */
export function beginOfOpenKey(text: string): number {
  let from = 0;
  for (;;) {
    begin.lastIndex = from;
    const start = begin.exec(text)?.index;
    if (start === undefined) break;
    end.lastIndex = start;
    if (end.exec(text) === null) return start;
    from = end.lastIndex;
  }
  const tail = text.slice(-80);
  const open = beginning.exec(tail)?.index;
  return open === undefined ? text.length : Math.max(from, text.length - tail.length + open);
}

/** How much of what stands behind `before`, with something left out between, belongs to a private key that began earlier. */
export function keyEndIn(text: string, before: string): number {
  end.lastIndex = 0;
  begin.lastIndex = 0;
  const ended = end.exec(text);
  const open = beginOfOpenKey(before) < before.length;
  if (ended === null) return open ? text.length : 0;
  const next = begin.exec(text)?.index ?? text.length;
  return ended.index < next ? ended.index + ended[0].length : 0;
}

/** Of a key that is cut off everything goes: where it would have ended, nobody knows. */
function redactPrivateKeys(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    begin.lastIndex = from;
    const start = begin.exec(text)?.index;
    if (start === undefined) break;
    parts.push(text.slice(from, start), keyMark);
    end.lastIndex = start;
    from = end.exec(text) === null ? text.length : end.lastIndex;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
}
