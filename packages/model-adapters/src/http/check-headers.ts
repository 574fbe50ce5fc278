import { quoted, SkillsError } from '@skillpack/core';
import { secretHeaderValues } from './secret-header-values.js';

/** What the client writes itself: another value would send a request that is none, or another one. */
const ownHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that can be sent. */
export interface CheckedHeaders {
  /** Names in lower case, so that one cannot be there twice. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values of those that by their names hold a secret. */
  readonly secrets: readonly string[];
}

/** Judges headers that a person gives. @throws `USAGE`, which names the header and never its value. */
export function checkHeaders(given: Readonly<Record<string, string>>): CheckedHeaders {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,200}$/u.test(lower)) {
      throw refused(name, 'is no name of a header', 'It has letters, digits and hyphens.');
    }
    if (ownHeaders.has(lower)) throw refused(name, 'is written by the client itself', 'Leave it out.');
    if (headers.has(lower)) throw refused(name, 'is there twice, in another case', 'Give it once.');
    if (!isSendable(value)) {
      throw refused(name, 'has a value that cannot be sent', 'It has visible ASCII characters, and no line breaks.');
    }
    headers.set(lower, value);
  }
  const checked = Object.fromEntries(headers);
  return { headers: checked, secrets: secretHeaderValues(checked) };
}

/** Judges a key. @throws `USAGE`, without the key. */
export function checkKey(key: string): string {
  if (key !== '' && !/\s/u.test(key) && isSendable(key)) return key;
  throw new SkillsError('USAGE', `The API key ${key === '' ? 'is empty' : 'has a character that no key has'}.`, {
    hint: 'Copy it again, without blanks and line breaks.',
  });
}

/** Judges what a server is to call the model. @throws `USAGE`. */
export function checkModelName(model: string): string {
  // JavaScript gives anything.
  const given: unknown = model;
  if (typeof given === 'string' && /^[^\p{C}\s]+(?: [^\p{C}\s]+)*$/u.test(given) && given.length <= maxModelLength) {
    return given;
  }
  throw new SkillsError('USAGE', `${quoted(String(given))} is no name of a model.`, {
    hint: `Give the name that the server has for it, of 1 to ${maxModelLength} visible characters.`,
  });
}

const maxModelLength = 256;

/** Also of what no type has held, as in JavaScript. */
function isSendable(value: unknown): value is string {
  return typeof value === 'string' && /^[\t\x20-\x7E\u{80}-\u{FF}]{0,16384}$/u.test(value);
}

function refused(name: string, what: string, hint: string): SkillsError {
  return new SkillsError('USAGE', `The header ${quoted(name, 100)} ${what}.`, { hint });
}
