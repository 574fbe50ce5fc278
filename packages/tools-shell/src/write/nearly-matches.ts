import { linesOf } from './text-lines.js';

/** A place that is nearly what was sought. */
export interface NearMatch {
  /** From 1. */
  readonly line: number;
  /** What of it is another, where that is all. */
  readonly differs?: string | undefined;
  /** The line there. */
  readonly text: string;
}

const mostShown = 3;
/** Of a file, lines that are compared, and characters of a line: somebody waits for the answer. */
const mostLines = 20_000;
const longestLine = 300;
/** Lines of what is sought. */
const mostSought = 100;
/** From 0 to 1: how alike two lines have to be. */
const alike = 0.6;

const relaxed: readonly (readonly [string, (line: string) => string])[] = [
  ['only in white space at the ends of lines', (line) => line.trim()],
  ['only in white space', (line) => line.replaceAll(/\s+/gu, '')],
  ['only in case or white space', (line) => line.replaceAll(/\s+/gu, '').toLowerCase()],
  ['only in quotation marks, Unicode form, case or white space', plainest],
];

/** Where something like a text stands in another one, the best first; of what is alike in few words, only one. */
export function findNearMatches(text: string, sought: string): readonly NearMatch[] {
  const lines = linesOf(text, mostLines);
  const wanted = linesOf(sought, mostSought);
  for (const [differs, relax] of relaxed) {
    const found = matchesOf(lines.map(cut).map(relax), wanted.map(cut).map(relax));
    if (found.length > 0) return found.map((index) => ({ line: index + 1, differs, text: lines[index] ?? '' }));
  }
  return mostAlike(lines, wanted);
}

/** Where the sought lines stand one after another; a single one may stand within a line. */
function matchesOf(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  const [first = ''] = wanted;
  if (wanted.every((line) => line === '')) return [];
  const found: number[] = [];
  for (let index = 0; index < lines.length && found.length < mostShown; index += 1) {
    const same =
      wanted.length === 1
        ? lines[index]?.includes(first)
        : wanted.every((line, offset) => lines[index + offset] === line);
    if (same === true) found.push(index);
  }
  return found;
}

/** The line that is most like the first sought one that says something. */
function mostAlike(lines: readonly string[], wanted: readonly string[]): readonly NearMatch[] {
  const offset = wanted.findIndex((line) => line.trim() !== '');
  const pairs = pairsOf(wanted[offset] ?? '');
  let [best, at] = [alike, -1];
  for (const [index, line] of lines.entries()) {
    const score = likeness(pairs, pairsOf(line));
    if (score > best) [best, at] = [score, index];
  }
  const text = lines[at];
  return text === undefined ? [] : [{ line: at + 1, text }];
}

/** Two characters each, with how often they stand in a line. */
function pairsOf(line: string): ReadonlyMap<string, number> {
  const plain = cut(line).trim();
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < plain.length; at += 1) {
    const pair = plain.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Twice what two lines share, by what both have (Dice). */
function likeness(left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): number {
  const [all, shared] = [sum(left.values()) + sum(right.values()), [...left.keys()]];
  if (all === 0) return 0;
  return (2 * sum(shared.map((pair) => Math.min(left.get(pair) ?? 0, right.get(pair) ?? 0)))) / all;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

function plainest(line: string): string {
  return line
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/gu, '')
    .replaceAll(/[‘’‚′`]/gu, "'")
    .replaceAll(/[“”„″]/gu, '"')
    .replaceAll(/[‐‑‒–—−]/gu, '-');
}

function cut(line: string): string {
  return line.slice(0, longestLine);
}
