import { splitPackName } from './pack-name.js';
import { comparePaths } from '../digest/compare-paths.js';
import type { PackSummary } from './pack-registry.js';

// Made at the first search: it costs 10 ms, and most commands that load this file search nothing.
let segmenter: Intl.Segmenter | undefined;
// eslint-disable-next-line no-control-regex -- the whole ASCII range is meant
const ascii = /^[\u0000-\u007F]*$/u;
// Scripts that put no space between words: where a sentence is cut depends on its context, so a word may hide in a longer one.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const maxWords = 32;

const score = { exactName: 1_000, namePrefix: 200, nameWord: 100, keyword: 50, skill: 40, description: 10 };
// Of a word that only begins with what was asked for.
const partial = 0.5;

/**
 * The packs of a catalogue that fit a few words, best first: by name, then by words in the name, keywords, skills and
 * description. Packs that fit every word come before packs that fit some; deprecated packs come last among equals.
 * At most 32 words count.
 */
export function searchCatalogue(
  catalogue: readonly PackSummary[],
  words: string,
  limit: number = 20,
): readonly PackSummary[] {
  const query = fold(words.slice(0, 1_024)).trim();
  const wanted = [...new Set(wordsOf(query))].slice(0, maxWords);
  if (wanted.length === 0) return [];
  return catalogue
    .map((pack) => ({ pack, ...rankOf(pack, query, wanted) }))
    .filter(({ points }) => points > 0)
    .toSorted(
      (left, right) =>
        right.matched - left.matched ||
        right.points - left.points ||
        Number(left.pack.deprecated !== null) - Number(right.pack.deprecated !== null) ||
        comparePaths(left.pack.name, right.pack.name),
    )
    .slice(0, Math.max(limit, 0))
    .map(({ pack }) => pack);
}

function rankOf(pack: PackSummary, query: string, wanted: readonly string[]): { points: number; matched: number } {
  const base = splitPackName(pack.name).base;
  if (query === pack.name || query === base) return { points: score.exactName, matched: wanted.length };
  const fields = [
    { text: pack.name.replaceAll(/[-/]/gu, ' '), weight: score.nameWord },
    { text: pack.keywords.join(' '), weight: score.keyword },
    { text: pack.skills.join(' ').replaceAll('-', ' '), weight: score.skill },
    { text: pack.description, weight: score.description },
  ].map(({ text, weight }) => ({ folded: fold(text), weight }));
  const words = fields.map(({ folded }) => wordsOf(folded));
  let points = base.startsWith(query) || pack.name.startsWith(query) ? score.namePrefix : 0;
  let matched = 0;
  for (const word of wanted) {
    let best = 0;
    for (const [index, { folded, weight }] of fields.entries()) {
      best = Math.max(best, weight * fit(word, words[index] ?? [], folded));
    }
    points += best;
    if (best > 0) matched += 1;
  }
  // A prefix such as “doc” or “org/doc” may be no word of its own and still be what was asked for.
  return { points, matched: points > 0 ? Math.max(matched, 1) : 0 };
}

function fit(word: string, words: readonly string[], text: string): number {
  if (words.includes(word)) return 1;
  if (words.some((other) => other.startsWith(word))) return partial;
  return unspaced.test(word) && text.includes(word) ? partial : 0;
}

function fold(text: string): string {
  // An apostrophe has two spellings and joins two words in some languages.
  return text.normalize('NFKC').toLowerCase().replaceAll(/['’]/gu, ' ');
}

function wordsOf(folded: string): string[] {
  if (ascii.test(folded)) return folded.match(/[a-z0-9]+/gu) ?? [];
  // The locale is fixed so that every machine splits alike; the dictionaries for Chinese, Japanese and Thai do not depend on it.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return Array.from(segmenter.segment(folded))
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment }) => segment);
}
