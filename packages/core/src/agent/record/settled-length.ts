import { formsOf } from './redactor-forms.js';
import { beginOfOpenKey } from './redact-tokens.js';

/**
 * How much of a text that goes on is settled: what is before there and what is behind it can be redacted apart, and come to
 * the same as together, whatever follows. What is behind it may be the beginning of a secret.
 *
 * @returns 0 where nobody knows what the function takes out, too.
 */
export function settledLength(text: string, redact: (text: string) => string): number {
  const forms = formsOf(redact);
  if (forms === undefined) return 0;
  const end = endOfSettled(text, forms);
  const whole = redact(text);
  let tries = 0;
  for (let at = end; at > 0 && tries < maxTries; at -= 1) {
    if (!isBetweenWords(text, at)) continue;
    tries += 1;
    if (redact(text.slice(0, at)) + redact(text.slice(at)) === whole) return at;
  }
  return 0;
}

/** Whether one place of a text is settled, wherever it is. */
export function isSettled(text: string, at: number, redact: (text: string) => string): boolean {
  const forms = formsOf(redact);
  if (forms === undefined || at > endOfSettled(text, forms)) return false;
  return redact(text.slice(0, at)) + redact(text.slice(at)) === redact(text);
}

/** Behind it, a secret may begin, or the mark of the one that ends there may be that of the next one, too. */
export function endOfSettled(text: string, forms: readonly string[]): number {
  const end = Math.min(beginOfOpenKey(text), beginOfForm(text, forms));
  return forms.some((form) => text.endsWith(form, end)) ? end - 1 : end;
}

// Where not even one of so many places is settled, the text is one that was made for it.
const maxTries = 16;

/** How much of a text is the end of a form, and not all of it. */
export function endOfForm(text: string, forms: readonly string[]): number {
  let end = 0;
  for (const form of forms) {
    for (let length = Math.min(text.length, form.length - 1); length > end; length -= 1) {
      if (form.endsWith(text.slice(0, length))) end = length;
    }
  }
  return end;
}

/** The earliest place from which on the text is a beginning of a form, and not all of it. */
function beginOfForm(text: string, forms: readonly string[]): number {
  let begin = text.length;
  for (const form of forms) {
    const first = form.charAt(0);
    const earliest = Math.max(0, text.length - form.length + 1);
    for (let at = text.indexOf(first, earliest); at !== -1 && at < begin; at = text.indexOf(first, at + 1)) {
      if (form.startsWith(text.slice(at))) begin = at;
    }
  }
  return begin;
}

// What a token may follow, with anything that may stand between.
const announced = /(?:bearer|basic|authorization|access_?key)[\\"'\s:=]{0,24}$/iu;

/** Whether no token and no URL can reach over a place: they have no white space, and tokens are ASCII. */
function isBetweenWords(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (!' \t\n\r'.includes(before) && !isWide(before, text, at)) return false;
  return !announced.test(text.slice(Math.max(0, at - 64), at));
}

/** Whether a character of a script that is written without spaces ends there, and no URL is around it. */
function isWide(character: string, text: string, at: number): boolean {
  const code = character.charCodeAt(0);
  if (code < 0x2e80 || (code >= 0xd800 && code < 0xe000)) return false;
  for (let back = at - 1; back >= 0 && !' \t\n\r'.includes(text.charAt(back)); back -= 1) {
    if (text.charAt(back) === ':') return false;
  }
  return true;
}
