import type { SkillEntry } from '../skill-entry.js';
import type { Term } from './posting-index.js';
import { nameWords, searchWords } from './search-words.js';
import { hashTerm } from './term-hash.js';
import { eachGram } from './text-grams.js';
import { withoutExclusions } from './without-exclusions.js';

/** Takes a term of a skill, and what it counts. */
export type TermSink = (term: Term, weight: number) => void;

const limits = { name: 300, location: 500, description: 2_000, body: 4_000 };
// A name says in a few words what a description says in many.
const weights = { name: 3, description: 1, location: 0.5, body: 1 };

/** The words of name, location and description. */
export function eachWord(entry: SkillEntry, sink: TermSink): void {
  for (const name of namesOf(entry)) for (const word of nameWords(name)) sink(word, weights.name);
  for (const word of nameWords(entry.location.slice(-limits.location))) sink(word, weights.location);
  for (const word of searchWords(descriptionOf(entry))) sink(word, weights.description);
}

/** Each two words of name and description that stand side by side. */
export function eachPair(entry: SkillEntry, sink: TermSink): void {
  for (const name of namesOf(entry)) for (const pair of wordPairs(searchWords(name))) sink(pair, weights.name);
  for (const pair of wordPairs(searchWords(descriptionOf(entry)))) sink(pair, weights.description);
}

/** The pieces of name and description. */
export function eachPiece(entry: SkillEntry, sink: TermSink): void {
  for (const name of namesOf(entry)) eachGram(name, (gram, weight) => sink(gram, weight * weights.name));
  eachGram(descriptionOf(entry), sink);
}

/** The words of the beginning of a body. */
export function eachBodyWord(body: string, sink: TermSink): void {
  for (const word of searchWords(body.slice(0, limits.body))) sink(word, weights.body);
}

/** Each two words that stand side by side, as a number. */
export function wordPairs(words: readonly string[]): readonly number[] {
  return words.slice(1).map((word, at) => hashTerm(`${words[at]} ${word}`));
}

/** The name that it is asked for by, and the one it gives itself where that is another one. */
function namesOf({ name, head }: SkillEntry): ReadonlySet<string> {
  return new Set([name.slice(0, limits.name), head.name.slice(0, limits.name)]);
}

function descriptionOf({ head }: SkillEntry): string {
  return withoutExclusions((head.description ?? '').slice(0, limits.description));
}
