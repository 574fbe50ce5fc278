import type { SkillEntry } from '../skill-entry.js';
import type { SkillMatch } from '../skill-registry.js';
import { fuseRanks } from './fuse-ranks.js';
import { highestScores } from './highest-scores.js';
import { matchableName, matchableQuery, matchName, type MatchKind } from './match-name.js';
import { createPostings, type PostingIndex } from './posting-index.js';
import { searchWords, tellingWords } from './search-words.js';
import { eachBodyWord, eachPair, eachPiece, eachWord, wordPairs, type TermSink } from './skill-terms.js';
import { eachGram } from './text-grams.js';

/** A skill that can be searched for. */
export interface SearchableSkill {
  readonly entry: SkillEntry;
  /** Its text, where that is at hand; its first 4,000 characters are searched, too. @default undefined */
  readonly body?: string | undefined;
}

/** How skills are searched for. */
export interface FindOptions {
  /** How many matches at most. @default 10 */
  readonly limit?: number | undefined;
}

/** A search over skills, without a model. */
export interface SkillSearch {
  /**
   * The skills that fit a query best, best first: the one that is called so or lies there, then those whose name begins
   * so, then those whose name holds it, then by words; among equals by name. Only the first 2,000 characters of a query
   * count. No query is an error; one without a letter or a digit finds nothing.
   */
  find(query: string, options?: FindOptions): readonly SkillMatch[];
}

const longestQuery = 2_000;
// What two words count that stand side by side both here and there, beside what each of them counts.
const pairShare = 0.5;
// Each of them is above every score by words, which is below 1.
const nameScores: Readonly<Record<MatchKind, number>> = { name: 3, 'name-prefix': 2, 'name-part': 1, words: 0 };

/**
 * Makes skills searchable, by rankings that are fused: words of name, description and location; pieces of words; and, of
 * skills whose text is at hand, words of that, too. It holds what the skills say now: when they change, make another one.
 */
export function createSkillSearch(skills: readonly SearchableSkill[]): SkillSearch {
  const sorted = skills.toSorted((left, right) => compareEntries(left.entry, right.entry));
  const names = sorted.map(({ entry }) => matchableName(entry));
  const words = index(sorted, ({ entry }, sink) => eachWord(entry, sink));
  const pairs = index(sorted, ({ entry }, sink) => eachPair(entry, sink));
  const pieces = index(sorted, ({ entry }, sink) => eachPiece(entry, sink));
  const texts = sorted.some(({ body }) => body !== undefined) ? index(sorted, eachTextWord) : undefined;
  return {
    find(query, { limit = 10 } = {}) {
      const text = query.slice(0, longestQuery);
      const asWords = searchWords(text);
      const wanted = new Set(tellingWords(asWords));
      const byWords = new Float64Array(sorted.length);
      words.addScores(wanted, byWords);
      pairs.addScores(new Set(wordPairs(asWords)), byWords, pairShare);
      const byPieces = new Float64Array(sorted.length);
      pieces.addScores(piecesOf(text), byPieces);
      const byTexts = new Float64Array(sorted.length);
      texts?.addScores(wanted, byTexts);
      const scores = fuseRanks([byWords, byPieces, byTexts]);
      const asked = matchableQuery(text);
      for (let at = 0; at < names.length; at += 1) {
        const name = names[at];
        if (name !== undefined) scores[at] = (scores[at] ?? 0) + nameScores[matchName(asked, name)];
      }
      return highestScores(scores, limit).flatMap((at) => {
        const [found, name] = [sorted[at], names[at]];
        if (found === undefined || name === undefined) return [];
        return [{ entry: found.entry, matched: matchName(asked, name), score: scores[at] ?? 0 }];
      });
    },
  };
}

function compareEntries(left: SkillEntry, right: SkillEntry): number {
  return compareTexts(left.name, right.name) || compareTexts(left.location, right.location);
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function index(
  skills: readonly SearchableSkill[],
  eachTerm: (skill: SearchableSkill, sink: TermSink) => void,
): PostingIndex {
  const postings = createPostings();
  for (const skill of skills) {
    eachTerm(skill, postings.add);
    postings.next();
  }
  return postings.build();
}

function eachTextWord({ entry, body }: SearchableSkill, sink: TermSink): void {
  eachWord(entry, sink);
  if (body !== undefined) eachBodyWord(body, sink);
}

function piecesOf(text: string): ReadonlySet<number> {
  const pieces = new Set<number>();
  eachGram(text, (piece) => pieces.add(piece));
  return pieces;
}
