import type { OutputCheck } from '../../case/expectations.js';
import { shortText } from '../short-text.js';
import type { OutputVerdict } from './output-verdict.js';

type CheckOf<Kind extends OutputCheck['kind']> = OutputCheck & { readonly kind: Kind };

/** One of the texts, or all of them, are in it. */
export function checkContains({ texts, mode, caseless }: CheckOf<'contains'>, text: string): OutputVerdict {
  const whole = folded(text, caseless);
  const found = texts.filter((part) => whole.includes(folded(part, caseless)));
  const missing = texts.filter((part) => !found.includes(part));
  const holds = mode === 'all' ? missing.length === 0 : found.length > 0;
  const [first] = found;
  const where = first === undefined ? '' : around(text, whole.indexOf(folded(first, caseless)));
  const told = [
    ...(found.length === 0 ? [] : [`It has ${listOf(found)}: ${where}`]),
    ...(missing.length === 0 ? [] : [`It lacks ${listOf(missing)}.`, ...(found.length === 0 ? [beginning(text)] : [])]),
  ];
  return { holds, evidence: told.join('\n') };
}

/** It is the same text. */
export function checkEquals({ value, caseless }: CheckOf<'equals'>, text: string): OutputVerdict {
  return { holds: folded(text, caseless) === folded(value, caseless), evidence: beginning(text) };
}

/** It begins with the text. */
export function checkStartsWith({ value, caseless }: CheckOf<'starts_with'>, text: string): OutputVerdict {
  return { holds: folded(text, caseless).startsWith(folded(value, caseless)), evidence: beginning(text) };
}

/** How a text begins, as evidence. */
export function beginning(text: string): string {
  return text === '' ? 'It is empty.' : `It is ${JSON.stringify(shortText(text, 600))}`;
}

function folded(text: string, caseless: boolean): string {
  return caseless ? text.normalize('NFC').toLowerCase() : text;
}

/** What stands around a place, which may be a little off where letters have other lengths in the other case. */
function around(text: string, at: number): string {
  const from = Math.max(0, at - 60);
  const part = text.slice(from, at + 140).toWellFormed();
  return `${from > 0 ? '…' : ''}${shortText(part, 200)}${from + part.length < text.length ? '…' : ''}`;
}

function listOf(texts: readonly string[]): string {
  const shown = texts.slice(0, 10).map((text) => JSON.stringify(shortText(text, 100)));
  return [...shown, ...(texts.length > shown.length ? [`${texts.length - shown.length} more`] : [])].join(', ');
}
