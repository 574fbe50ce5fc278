/** What stands in the place of a token that was told by its shape. */
export const tokenMark = '[redacted:token]';

/** What stands in the place of a private key. */
export const keyMark = '[redacted:private-key]';

// Each begins where no character of the same kind is before it, and can fail only within a few characters of there or
// at the end of what it has looked at: so that no text, however it is made, takes more than a time proportional to it.
const tokens: readonly RegExp[] = [
  /(?<![\w.-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)*/gu,
  /(?<![a-z0-9])(?:sk|rk|pk)[-_][\w-]{16,}/giu,
  /(?<![a-z0-9])(?:gh[opusr]_[a-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,})/giu,
  /(?<![a-z0-9])(?:xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}|npm_[a-z0-9]{30,}|pypi-[\w-]{30,}|hf_[a-z0-9]{20,}|AIza[\w-]{30,})/giu,
  /(?<![A-Z0-9])(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}(?![A-Z0-9])/gu,
];

// With the words before them, which stay.
const named: readonly RegExp[] = [
  /(?<![a-z])((?:bearer|basic)[ \t]{1,4})[\w.~+/=-]{8,}/giu,
  /(?<![a-z0-9])((?:aws_?)?secret_?access_?key\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?)[\w/+=]{30,}/giu,
];

/** A text without what is a token or a private key by its shape alone, whoever it belongs to. */
export function redactTokens(text: string): string {
  let redacted = redactPrivateKeys(text);
  for (const pattern of tokens) redacted = redacted.replace(pattern, tokenMark);
  for (const pattern of named) redacted = redacted.replace(pattern, `$1${tokenMark}`);
  return redacted;
}

const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gu;
const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gu;

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
