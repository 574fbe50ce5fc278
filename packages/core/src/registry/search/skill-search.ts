import type { SkillEntry } from '../skill-entry.js';
import type { SkillMatch } from '../skill-registry.js';
import { fuseRanks, type Ranking } from './fuse-ranks.js';
import { highestScores } from './highest-scores.js';
import { matchableName, matchableQuery, matchName, type MatchableName, type MatchKind } from './match-name.js';
import type { PostingIndex } from './posting-index.js';
import type { QueryVocabulary } from './query-vocabulary.js';
import { scriptRuns } from './script-runs.js';
import { tellingWords, searchWords } from './search-words.js';
import { SkillTerms } from './skill-terms.js';
import { stemEnglish } from './stem-english.js';
import { hashTerm } from './term-hash.js';
import { eachGram } from './text-grams.js';
import { wordPairs } from './text-terms.js';

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
  /** Finds skills that are described in English for a query in another language. @default undefined */
  readonly vocabulary?: QueryVocabulary | undefined;
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
// Between two pauses; they take a few milliseconds.
const charactersAtOnce = 20_000;
// What two words count that stand side by side both here and there, beside what each of them counts.
const pairShare = 0.5;
// What each ranking counts. Pieces are for what words overlook.
const shares = { words: 1, pieces: 0.5, texts: 1, translated: 1 };
// Each of them is above every score by words, which is below 1.
const nameScores: Readonly<Record<MatchKind, number>> = { name: 3, 'name-prefix': 2, 'name-part': 1, words: 0 };

/**
 * Makes skills searchable, by rankings that are fused: words of name, description and location; pieces of words; and, of
 * skills whose text is at hand, words of that, too. It holds what the skills say now: when they change, make another one.
 */
export function createSkillSearch(skills: readonly SearchableSkill[]): SkillSearch {
  const steps = buildSkillSearch(skills);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** As {@link createSkillSearch}, in steps of a few milliseconds. */
export function* buildSkillSearch(skills: readonly SearchableSkill[]): Generator<void, SkillSearch> {
  const sorted = skills.toSorted((left, right) => compareEntries(left.entry, right.entry));
  yield;
  const terms = new SkillTerms({ withBodies: sorted.some(({ body }) => body !== undefined) });
  const names: MatchableName[] = [];
  let read = 0;
  for (const { entry, body } of sorted) {
    names.push(matchableName(entry));
    read += terms.add(entry, body);
    if (read < charactersAtOnce) continue;
    yield;
    read = 0;
  }
  const indexes = {
    words: yield* terms.words.build(),
    pairs: yield* terms.pairs.build(),
    pieces: yield* terms.pieces.build(),
    texts: terms.texts === undefined ? undefined : yield* terms.texts.build(),
  };
  return new IndexedSkills(sorted, names, indexes);
}

interface Indexes {
  readonly words: PostingIndex;
  readonly pairs: PostingIndex;
  readonly pieces: PostingIndex;
  readonly texts: PostingIndex | undefined;
}

class IndexedSkills implements SkillSearch {
  readonly #entries: readonly SkillEntry[];
  readonly #names: readonly MatchableName[];
  readonly #indexes: Indexes;

  constructor(skills: readonly SearchableSkill[], names: readonly MatchableName[], indexes: Indexes) {
    // The texts of skills are not kept.
    this.#entries = skills.map(({ entry }) => entry);
    this.#names = names;
    this.#indexes = indexes;
  }

  find(query: string, { limit = 10, vocabulary }: FindOptions = {}): readonly SkillMatch[] {
    const text = query.slice(0, longestQuery);
    const scores = this.#scoreWords(text, vocabulary?.translate(text) ?? []);
    const asked = matchableQuery(text);
    for (const [at, name] of this.#names.entries()) scores[at] = (scores[at] ?? 0) + nameScores[matchName(asked, name)];
    return highestScores(scores, limit).flatMap((at) => {
      const [entry, name] = [this.#entries[at], this.#names[at]];
      if (entry === undefined || name === undefined) return [];
      return [{ entry, matched: matchName(asked, name), score: scores[at] ?? 0 }];
    });
  }

  #scoreWords(text: string, translated: readonly (readonly string[])[]): Float64Array {
    const { words, pairs, pieces, texts } = this.#indexes;
    const runs = scriptRuns(text);
    const asWords = searchWords(runs);
    const wanted = new Set(tellingWords(asWords).map((word) => hashTerm(word)));
    const byWords = this.#noScores();
    words.addScores(wanted, byWords);
    pairs.addScores(new Set(wordPairs(asWords)), byWords, pairShare);
    const grams = new Set<number>();
    eachGram(runs, (gram) => grams.add(gram));
    const byPieces = this.#noScores();
    pieces.addScores(grams, byPieces);
    const rankings: Ranking[] = [
      { scores: byWords, share: shares.words },
      { scores: byPieces, share: shares.pieces },
    ];
    if (texts !== undefined) {
      const byTexts = this.#noScores();
      texts.addScores(wanted, byTexts);
      rankings.push({ scores: byTexts, share: shares.texts });
    }
    // Less than the others together: who has the words of the query itself comes before who has others for them.
    if (translated.length > 0) rankings.push({ scores: this.#scoreTranslated(translated), share: shares.translated });
    return fuseRanks(rankings);
  }

  #scoreTranslated(translated: readonly (readonly string[])[]): Float64Array {
    const scores = this.#noScores();
    // Of many words for one, each says less.
    for (const english of new Set(translated))
      this.#indexes.words.addScores(
        new Set(english.map((word) => hashTerm(stemEnglish(word)))),
        scores,
        1 / Math.sqrt(english.length),
      );
    return scores;
  }

  #noScores(): Float64Array {
    return new Float64Array(this.#entries.length);
  }
}

function compareEntries(left: SkillEntry, right: SkillEntry): number {
  return compareTexts(left.name, right.name) || compareTexts(left.location, right.location);
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
