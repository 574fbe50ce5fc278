import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PostingBuilder, type PostingIndex } from './posting-index.js';
import { scriptRuns } from './script-runs.js';
import { nameParts, searchWords } from './search-words.js';
import { eachGram } from './text-grams.js';
import { hashTerm } from './term-hash.js';
import { TextTerms, wordPairs } from './text-terms.js';

type Counts = Map<number, number>;

/** BM25 as books define it, over terms that were counted one by one. */
function scoresOf(documents: readonly Counts[], wanted: ReadonlySet<number>): readonly number[] {
  const lengthOf = (counts: Counts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const average = documents.reduce((sum, counts) => sum + lengthOf(counts), 0) / documents.length;
  return documents.map((counts) =>
    [...wanted].reduce((sum, term) => {
      const held = documents.filter((other) => other.has(term)).length;
      const times = Math.min(127.5, counts.get(term) ?? 0);
      const rarity = Math.log(1 + (documents.length - held + 0.5) / (held + 0.5));
      return sum + (rarity * times * 3) / (times + 2 * (0.25 + (0.75 * lengthOf(counts)) / average) || 1);
    }, 0),
  );
}

function counted(add: (count: (term: number, times: number) => void) => void): Counts {
  const counts: Counts = new Map();
  add((term, times) => void counts.set(term, (counts.get(term) ?? 0) + times));
  return counts;
}

function built(builder: PostingBuilder): PostingIndex {
  const steps = builder.build();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function scored(index: PostingIndex, wanted: ReadonlySet<number>, documents: number): readonly number[] {
  const scores = new Float64Array(documents);
  index.addScores(wanted, scores);
  return [...scores];
}

function expectNear(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  for (const [at, score] of actual.entries()) expect(score).toBeCloseTo(expected[at] ?? Number.NaN, 9);
}

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'pdf',
      'files',
      'queries',
      'classes',
      'status',
      'ties',
      'a1s',
      'boss',
      'IOs',
      'Pricing',
      'agreed',
      'used',
      'use',
      'fill',
    ),
  },
  { weight: 3, arbitrary: fc.constantFrom(' ', ' ', '-', '. ', '\n', '—', '…', '‗', '‾', '→', '│', '✅', ' ') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '数据',
      '文',
      '文件を',
      'データー',
      '문서를',
      '글',
      'แปล',
      'é',
      'Ⅳ',
      'ﬁ',
      '\u0301',
      '、',
      'ｐｄｆＴｏｏｌ',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom('camelCase', 'HTTPServer', 'x'.repeat(41).concat('s'), 'aaaa '.repeat(200)) },
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

test('what is found in one pass over a text is what the definition of words, pairs and pieces finds, for random texts', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), text, (texts, query) => {
      const builders = { words: new PostingBuilder(), pairs: new PostingBuilder(), pieces: new PostingBuilder() };
      const terms = new TextTerms();
      for (const one of texts) {
        terms.addName(one, { ...builders, words: [builders.words] }, 2);
        for (const builder of Object.values(builders)) builder.next();
      }
      const asked = `${query} ${texts[0]}`;
      const compare = (builder: PostingBuilder, documents: readonly Counts[], wanted: ReadonlySet<number>): void => {
        expectNear(scored(built(builder), wanted, texts.length), scoresOf(documents, wanted));
      };
      compare(
        builders.words,
        texts.map((one) =>
          counted((add) => {
            for (const word of [...searchWords(scriptRuns(one)), ...nameParts(one)]) add(hashTerm(word), 1);
          }),
        ),
        new Set(searchWords(scriptRuns(asked)).map((word) => hashTerm(word))),
      );
      compare(
        builders.pairs,
        texts.map((one) =>
          counted((add) => {
            for (const pair of wordPairs(searchWords(scriptRuns(one)))) add(pair, 1);
          }),
        ),
        new Set(wordPairs(searchWords(scriptRuns(asked)))),
      );
      compare(
        builders.pieces,
        texts.map((one) => counted((add) => eachGram(scriptRuns(one), add))),
        new Set(counted((add) => eachGram(scriptRuns(asked), add)).keys()),
      );
    }),
    { numRuns: 300 },
  );
});

test('of random numbers as terms, each document gets what the definition gives it, however many steps it takes', () => {
  // Small numbers, and some that differ in one of the three digits alone that they are sorted by.
  const term = fc.oneof(fc.nat(20), fc.constantFrom(1, 1 << 10, 1 << 20, 2 ** 30 - 1));
  const posting = fc.tuple(term, fc.integer({ min: 1, max: 7 }));
  fc.assert(
    fc.property(fc.array(fc.array(posting, { maxLength: 60 }), { minLength: 1, maxLength: 40 }), (documents) => {
      const builder = new PostingBuilder();
      for (const document of documents) {
        for (const [one, halves] of document) builder.add(one, halves);
        builder.next();
      }
      const counts = documents.map((document) =>
        counted((add) => {
          for (const [one, halves] of document) add(one, halves / 2);
        }),
      );
      const wanted = new Set([...Array(21).keys(), 1 << 10, 1 << 20, 2 ** 30 - 1]);
      expectNear(scored(built(builder), wanted, documents.length), scoresOf(counts, wanted));
    }),
  );
});

test('a hundred thousand documents are told apart, and an index of many is built in many steps', () => {
  const builder = new PostingBuilder();
  const count = 100_000;
  for (let document = 0; document < count; document += 1) {
    for (let term = 0; term < 8; term += 1) builder.add((document * 7_919 + term * 104_729) % 1_000_003, 2);
    builder.next();
  }
  const steps = builder.build();
  let taken = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) {
      const scores = scored(step.value, new Set([(99_999 * 7_919) % 1_000_003]), count);
      expect(scores[99_999]).toBeGreaterThan(0);
      expect(scores.filter((score) => score > 0).length).toBeLessThan(100);
      break;
    }
    taken += 1;
  }
  expect(taken).toBeGreaterThan(20);
});
