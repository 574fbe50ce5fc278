import { visibleText } from '@skillpack/core';
import type { EvalResult } from '../results/eval-result.js';
import { groupBy } from './case-trials.js';
import { shortLine } from './short-line.js';

const mostCodes = 3;
const longestMessage = 200;

/**
 * What kept trials from being scored: the code that was met most, what was said most often with it, and the next codes.
 * ` (NETWORK_ERROR: connect ECONNREFUSED 127.0.0.1:1; also TIMEOUT)`; empty where nobody gave a reason.
 */
export function describeCodes(results: readonly EvalResult[]): string {
  const reasons = results.flatMap(({ reason }) => reason ?? []);
  const [most, ...others] = mostOften(reasons, ({ code }) => code);
  const [first] = most ?? [];
  if (most === undefined || first === undefined) return '';
  const said = most.map(({ message }) => messageOf(message)).filter((message) => message !== '');
  const message = mostOften(said, (text) => text)[0]?.[0];
  const also = others
    .slice(0, mostCodes - 1)
    .flatMap(([other]) => (other === undefined ? [] : visibleText(other.code)));
  return ` (${visibleText(first.code)}${message === undefined ? '' : `: ${message}`}${also.length === 0 ? '' : `; also ${also.join(', ')}`})`;
}

/** Within another sentence, without an end of its own. */
function messageOf(text: string): string {
  return shortLine(text, longestMessage).replace(/[.\s]+$/u, '');
}

function mostOften<Item>(items: readonly Item[], nameOf: (item: Item) => string): readonly (readonly Item[])[] {
  return groupBy(items, nameOf).toSorted((left, right) => right.length - left.length);
}
