import type { SkillEntry } from '../skill-entry.js';
import type { SkillMatch } from '../skill-registry.js';
import { createPostings, type PostingIndex } from './posting-index.js';
import { searchWords, tellingWords } from './search-words.js';

/** A skill that can be searched for. */
export interface SearchableSkill {
  readonly entry: SkillEntry;
  /** Its text, where that is at hand; the beginning of it is searched too. @default undefined */
  readonly body?: string | undefined;
}

/** How skills are searched for. */
export interface FindOptions {
  /** How many matches at most. @default 10 */
  readonly limit?: number | undefined;
}

/** A search over skills, without a model. */
export interface SkillSearch {
  /** Those that fit, best first. Never throws, whatever the query is. */
  find(query: string, options?: FindOptions): readonly SkillMatch[];
}

const tiers: readonly SkillMatch['matched'][] = ['name', 'name-prefix', 'name-part', 'words'];

/** Makes skills searchable: by name or a part of it, by location, by words of name and description. */
export function createSkillSearch(skills: readonly SearchableSkill[]): SkillSearch {
  const entries = skills.map(({ entry }) => entry);
  const names = entries.map(({ name }) => foldName(name));
  const vocabulary = new Map<string, number>();
  const index = indexWords(skills, vocabulary);
  return {
    find(query, { limit = 10 } = {}) {
      const text = query.slice(0, 2_000);
      const scores = new Float64Array(entries.length);
      const wanted = new Set(tellingWords(searchWords(text)).map((word) => vocabulary.get(word) ?? -1));
      index.score(
        [...wanted].filter((term) => term >= 0),
        scores,
      );
      const name = foldName(text);
      const matches = entries.flatMap((entry, at): SkillMatch[] => {
        const tier = tierOf(name, names[at] ?? '');
        const words = scores[at] ?? 0;
        if (tier === 3 && words === 0) return [];
        return [{ entry, matched: tiers[tier] ?? 'words', score: 3 - tier + words / (words + 1) }];
      });
      return matches
        .toSorted((left, right) => right.score - left.score || (left.entry.name < right.entry.name ? -1 : 1))
        .slice(0, Math.max(0, limit));
    },
  };
}

function foldName(text: string): string {
  return text
    .slice(0, 300)
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .replaceAll(/[\s_-]+/gu, '-');
}

function tierOf(query: string, name: string): number {
  if (query === '') return 3;
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  return name.includes(query) ? 2 : 3;
}

function indexWords(skills: readonly SearchableSkill[], vocabulary: Map<string, number>): PostingIndex {
  const postings = createPostings();
  const idOf = (word: string): number => {
    const known = vocabulary.get(word);
    if (known !== undefined) return known;
    vocabulary.set(word, vocabulary.size);
    return vocabulary.size - 1;
  };
  for (const { entry } of skills) {
    for (const word of searchWords(entry.name.slice(0, 300))) postings.add(idOf(word), 3);
    for (const word of searchWords((entry.head.description ?? '').slice(0, 2_000))) postings.add(idOf(word), 1);
    postings.next();
  }
  return postings.build();
}
