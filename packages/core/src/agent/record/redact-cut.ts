import { bytesOf, textWithBytes } from './redact-bytes.js';
import { keyEndIn } from './redact-tokens.js';
import { formsOf } from './redactor-forms.js';
import { endOfForm, endOfSettled } from './settled-length.js';

/** The beginning and the end of something, of which the middle was left out. */
export interface CutBytes {
  readonly bytes: Uint8Array;
  /** Where the end begins. */
  readonly cut: number;
}

/**
 * Beginning and end, each without secrets. The cut may lie within one, of which no function knows the half: the word
 * before the cut and the one behind it give way to `…`, and so does whatever else there may be a part of a secret that
 * the function knows.
 */
export function redactCut({ bytes, cut }: CutBytes, redact: (text: string) => string): CutBytes {
  const head = textWithBytes(bytes.subarray(0, cut));
  const tail = textWithBytes(bytes.subarray(cut));
  const start = bytesOf(head.endsWith(omission) ? head : redactHead(head, redact) + omission);
  const end = bytesOf(tail.startsWith(omission) ? tail : omission + redactTail(tail, head, redact));
  const joined = new Uint8Array(start.length + end.length);
  joined.set(start);
  joined.set(end, start.length);
  return { bytes: joined, cut: start.length };
}

/** A text whose end is a cut, up to the word that the cut is in. */
export function redactHead(head: string, redact: (text: string) => string): string {
  const settled = Math.min(endOfSettled(head, formsOf(redact) ?? []), lastWord(head));
  const far = Math.max(0, settled - window);
  return redact(head.slice(0, far + apart(head.slice(far), { from: settled - far, step: -1 }, redact)));
}

function redactTail(tail: string, head: string, redact: (text: string) => string): string {
  const settled = Math.max(endOfForm(tail, formsOf(redact) ?? []), keyEndIn(tail, head), firstWord(tail));
  return redact(tail.slice(apart(tail.slice(0, settled + window), { from: settled, step: 1 }, redact)));
}

// How far from a place a secret is looked for that is whole, and would be parted.
const window = 32_768;

/** The first place from there on that parts no secret; an end of the text where there is none. */
function apart(
  text: string,
  { from, step }: { readonly from: number; readonly step: 1 | -1 },
  redact: (text: string) => string,
): number {
  const whole = redact(text);
  let at = from;
  for (let tries = 1; at > 0 && at < text.length; tries += 1) {
    if (redact(text.slice(0, at)) + redact(text.slice(at)) === whole) return at;
    // A very long one is not worth looking at each of its characters.
    at += step * Math.max(1, tries - longestLook);
  }
  return Math.min(Math.max(at, 0), text.length);
}

const longestLook = 64;

// What was redacted once stays as it is: a replay has nothing else.
const omission = '…';

// A longer word is no secret that somebody would give, and may be all that there is.
const longestWord = 4_096;

function lastWord(text: string): number {
  let at = text.length;
  while (at > 0 && text.length - at < longestWord && !isSpace(text.charAt(at - 1))) at -= 1;
  return at;
}

function firstWord(text: string): number {
  let at = 0;
  while (at < Math.min(text.length, longestWord) && !isSpace(text.charAt(at))) at += 1;
  return at;
}

function isSpace(character: string): boolean {
  return ' \t\n\r'.includes(character);
}
