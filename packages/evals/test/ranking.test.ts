import {
  createSkillRegistry,
  loadQueryVocabulary,
  memorySkills,
  SkillsError,
  type Sha256,
  type SkillRegistry,
} from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import {
  compareRanks,
  formatRankReport,
  parseRankReport,
  parseSuite,
  rankQueries,
  rateOf,
  type EvalSuite,
  type RankedQuery,
  type RankReport,
} from '../src/index.js';
import { digestOf, times } from './score-data.js';

const sha256: Sha256 = (data) => digestOf(typeof data === 'string' ? data : Buffer.from(data).toString('hex'));

const descriptions = {
  pdf: 'Reads tables and text out of PDF files, fills in forms, merges pages. Use it for anything about a PDF.',
  docx: 'Writes and edits Word documents: headings, comments, tracked changes. Use it for letters and reports in Word.',
  table: 'Cleans CSV files and spreadsheets: duplicates, dates, columns. Use it for data in rows.',
  'release-notes': 'Writes release notes from the commits since the last version.',
};

function registryOf(described: Readonly<Record<string, string>>, location = '/skills'): SkillRegistry {
  const files = Object.entries(described).map(([name, description]) => [
    `${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n# ${name}\n\nThe text, which mentions zebras.\n`,
  ]);
  return createSkillRegistry(memorySkills(Object.fromEntries(files), { location }), { sha256 });
}

async function suitesOf(): Promise<readonly EvalSuite[]> {
  const documents = `
formatVersion: 1
name: documents
skills: [pdf, docx]
cases:
  - { id: tables, kind: trigger, input: Get the tables out of this PDF, expected: { skills: pdf } }
  - { id: forms, kind: trigger, input: Fill in the form in contract.pdf, expected: { skills: { any_of: [pdf, docx] } } }
  - { id: letter, kind: trigger, input: Edit the headings of my letter in Word, expected: { skills: docx } }
  - { id: weather, kind: trigger, input: How warm will it be tomorrow, expected: { skills: none } }
  - { id: anything, input: What do you think of this report, expected: { output: [{ contains: good }] } }
`;
  const data = `
formatVersion: 1
name: data
skills: [table]
cases:
  - { id: duplicates, kind: trigger, input: Remove duplicates from the rows of this spreadsheet, expected: { skills: table } }
  - { id: not-a-table, kind: trigger, input: Get the tables out of this PDF, expected: { skills: { none: [table] } } }
  - { id: task, kind: task, input: Clean the dates in these columns, expected: { skills: table, output: [{ contains: done }] } }
`;
  return [
    await parseSuite(documents, { fileName: 'documents.yaml' }),
    await parseSuite(data, { fileName: 'data.yaml' }),
  ];
}

async function rank(described: Readonly<Record<string, string>> = descriptions): Promise<RankReport> {
  return rankQueries(await suitesOf(), { registry: registryOf(described), sha256 });
}

describe('PSA-35: ranks without a model', () => {
  test('PSA-35: every query of every suite over the whole catalogue', async () => {
    const report = await rank();
    expect(report.queries.map(({ suite, case: name, rank: at }) => [`${suite}/${name}`, at])).toEqual([
      ['documents/tables', 1],
      ['documents/forms', 1],
      ['documents/letter', 1],
      ['documents/weather', undefined],
      ['data/duplicates', 1],
      ['data/not-a-table', undefined],
      ['data/task', 1],
    ]);
    expect(report.queries[0]).toMatchObject({ query: 'Get the tables out of this PDF', wanted: ['pdf'], not: [] });
    expect(report.queries[3]).toMatchObject({ wanted: [], not: ['pdf', 'docx'] });
    expect(report.first).toEqual(rateOf(5, 5));
    expect(report.amongFive).toEqual(rateOf(5, 5));
    expect(report.keptAway.total).toBe(2);
    expect(report.catalogue.map(({ skill }) => skill)).toEqual(['docx', 'pdf', 'release-notes', 'table']);
  });

  test('PSA-35: a wanted skill that is found further down has a rank, and is not among five', async () => {
    const [documents] = await suitesOf();
    const one: EvalSuite = { ...documents!, cases: [documents!.cases[0]!] };
    const better = (count: number) =>
      Object.fromEntries(times(count, (number) => [`taker-${number}`, 'Gets the tables out of this PDF.']));
    const ranked = async (count: number): Promise<RankReport> =>
      rankQueries([one], { registry: registryOf({ pdf: 'Knows tables.', ...better(count) }), sha256 });
    const [four, six] = [await ranked(4), await ranked(6)];
    expect([four.queries[0]?.rank, six.queries[0]?.rank]).toEqual([5, 7]);
    expect([four.amongFive.successes, six.amongFive.successes]).toEqual([1, 0]);
    expect(six.first).toMatchObject({ successes: 0, total: 1 });
  });

  test('PSA-35: a rank is looked for further down than what is shown, of as much as is asked in 2,000 characters', async () => {
    const [documents] = await suitesOf();
    const asking = (input: string): EvalSuite => ({
      ...documents!,
      cases: [{ ...documents!.cases[0]!, conversation: [{ input }] }],
    });
    const takers = Object.fromEntries(times(14, (number) => [`taker-${number}`, 'Gets the tables out of this PDF.']));
    const registry = registryOf({ pdf: 'Knows tables.', ...takers });
    const far = await rankQueries([asking('Get the tables out of this PDF')], { registry, sha256 });
    expect(far.queries[0]).toMatchObject({ rank: 15 });
    expect(far.queries[0]?.found).toHaveLength(10);
    const long = await rankQueries([asking(`${'x '.repeat(1_000)}tables out of this PDF`)], { registry, sha256 });
    expect(long.queries[0]).toMatchObject({ query: 'x '.repeat(1_000), found: [] });
  });

  test('PSA-35: see names and descriptions alone: where skills lie and what their texts say changes nothing', async () => {
    const suites = await suitesOf();
    const here = await rankQueries(suites, { registry: registryOf(descriptions, '/skills'), sha256 });
    const there = await rankQueries(suites, {
      registry: registryOf(descriptions, '/home/me/tables-out-of-pdf-files/word'),
      sha256,
    });
    expect(there).toEqual(here);
    const zebras: EvalSuite = {
      ...suites[0]!,
      cases: [{ ...suites[0]!.cases[0]!, conversation: [{ input: 'zebras' }] }],
    };
    const { queries } = await rankQueries([zebras], { registry: registryOf(descriptions), sha256 });
    expect(queries[0]).toMatchObject({ found: [], rank: undefined });
  });

  test('PSA-35: queries in another language are found by a vocabulary', async () => {
    const [documents] = await suitesOf();
    const chinese: EvalSuite = {
      ...documents!,
      cases: [{ ...documents!.cases[2]!, conversation: [{ input: '编辑这个文档' }] }],
    };
    const ports = { registry: registryOf(descriptions), sha256 };
    const without = await rankQueries([chinese], ports);
    const withVocabulary = await rankQueries([chinese], ports, { vocabulary: await loadQueryVocabulary() });
    expect(without.first.value).toBe(0);
    expect(withVocabulary.first.value).toBe(1);
  });

  test('let others have their turn, so that a signal can end them on the way', async () => {
    const [documents] = await suitesOf();
    const wanting = documents!.cases[0]!;
    const many: EvalSuite = {
      ...documents!,
      cases: times(5_000, (number) => ({ ...wanting, id: `tables-${number}` })),
    };
    const ending = new AbortController();
    setTimeout(() => ending.abort(), 0);
    const ranking = rankQueries([many], { registry: registryOf(descriptions), sha256 }, { signal: ending.signal });
    await expect(ranking).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
  });

  test('are ended by a signal, and refuse options that are none', async () => {
    const ports = { registry: registryOf(descriptions), sha256 };
    const suites = await suitesOf();
    await expect(rankQueries(suites, ports, { signal: AbortSignal.abort() })).rejects.toSatisfy((error) =>
      SkillsError.is(error, 'INTERRUPTED'),
    );
    // A name that is none, as JavaScript may hand it in.
    await expect(rankQueries(suites, ports, { limit: 3 } as never)).rejects.toSatisfy((error) =>
      SkillsError.is(error, 'USAGE'),
    );
  });
});

describe('PSA-35: a description that is edited', () => {
  const greedy = {
    ...descriptions,
    docx: 'Word documents, PDF files, tables, forms, pages, text: reads, fills in, merges, gets the tables out of a PDF, any PDF form, any PDF table, everything about PDF. Headings of a letter in Word.',
  };

  test('PSA-35: ranks all queries anew, and tells who took queries from whom', async () => {
    const comparison = compareRanks(await rank(), await rank(greedy));
    expect(comparison.changed).toEqual(['docx']);
    expect(comparison.moves.filter(({ lost }) => lost).map((move) => [move.case, move.before, move.after])).toEqual([
      ['tables', 'pdf', 'docx'],
    ]);
    expect(comparison.moves[0]).toMatchObject({ suite: 'documents', lost: true, rankBefore: 1, rankAfter: 2 });
    expect(comparison.thefts).toEqual([{ thief: 'docx', victim: 'pdf', queries: ['documents/tables'] }]);
    expect(comparison.reasons).toContain('Described otherwise: docx.');
    expect(comparison.reasons).toContain('docx took 1 query from pdf: documents/tables.');
    // `forms` wants either of both: what docx has of it now, it has not stolen.
    expect(comparison).toMatchObject({ pairs: 5, lost: 1, won: 0, pValue: 1 });
    expect(comparison.losses).toEqual([
      {
        skill: 'pdf',
        requests: 2,
        lost: ['documents/tables'],
        won: [],
        takers: [{ skill: 'docx', requests: 1 }],
        tooMany: true,
      },
    ]);
    expect(compareRanks(await rank(), await rank(greedy), { maxLost: 0.5 }).verdict).toBe('underpowered');
  });

  test('PSA-35: is worse where it takes more than chance explains', async () => {
    const [documents] = await suitesOf();
    const wanting = documents!.cases[0]!;
    const many: EvalSuite = {
      ...documents!,
      cases: times(12, (number) => ({
        ...wanting,
        id: `tables-${number}`,
        conversation: [{ input: `Get the tables out of PDF number ${number}` }],
      })),
    };
    const ranked = async (described: Readonly<Record<string, string>>): Promise<RankReport> =>
      rankQueries([many], { registry: registryOf(described), sha256 });
    const worse = compareRanks(await ranked(descriptions), await ranked(greedy));
    expect(worse).toMatchObject({ verdict: 'worse', lost: 12, won: 0, pValue: 2 / 2 ** 12 });
    expect(worse.thefts[0]?.queries).toHaveLength(12);
    expect(worse.reasons[1]).toBe(
      'Of 12 queries, 100.0 % were ranked right before and 0.0 % are now (lost 12, won 0, p = 0.0005): worse.',
    );
    expect(compareRanks(await ranked(greedy), await ranked(descriptions))).toMatchObject({
      verdict: 'better',
      thefts: [],
    });
  });

  test('PSA-35: that changes no rank is told as that, with how many queries would tell', async () => {
    const before = await rank();
    const comparison = compareRanks(before, before);
    expect(comparison).toMatchObject({ verdict: 'underpowered', changed: [], moves: [], thefts: [], pValue: 1 });
    expect(comparison.needed).toBeGreaterThan(100);
    expect(comparison.reasons.at(-1)).toBe('No skill is described otherwise.');
  });

  test('PSA-35: is judged by near misses alone where no query wants a skill', async () => {
    const only = ({ queries, ...report }: RankReport): RankReport => ({
      ...report,
      queries: queries.filter(({ wanted }) => wanted.length === 0),
    });
    const comparison = compareRanks(only(await rank()), only(await rank(greedy)));
    expect(comparison).toMatchObject({ pairs: 2 });
    expect(comparison.reasons[0]).toMatch(/^Of 2 queries/u);
    expect(comparison.reasons.join('\n')).not.toContain('Beside the verdict');
  });

  test('PSA-35: skills that are new and gone are told; queries that were edited are not compared', async () => {
    const before = await rank();
    const { 'release-notes': _gone, ...left } = descriptions;
    const after = await rank({ ...left, slides: 'Makes slides of a text.' });
    expect(compareRanks(before, after)).toMatchObject({
      changed: ['release-notes', 'slides'],
      added: ['slides'],
      gone: ['release-notes'],
    });
    expect(compareRanks(before, after).reasons.slice(1, 3)).toEqual(['New: slides.', 'Gone: release-notes.']);
    const edited = { ...before, queries: before.queries.map((query) => ({ ...query, query: 'Something else' })) };
    expect(compareRanks(before, edited)).toMatchObject({
      verdict: 'underpowered',
      pairs: 0,
      reasons: [
        'No query is in both: nothing can be compared.',
        'No skill is described otherwise.',
        'Not compared: 7 queries that ask or want something else than in the baseline: documents/tables, documents/forms, documents/letter, documents/weather, data/duplicates and 2 more.',
      ],
    });
  });
});

describe('PSA-35: one skill among many', () => {
  /** So many requests of pdf, and of others; those of pdf find what `found` says of their number. */
  const ranksOf = (
    found: (number: number) => readonly string[],
    { others = 100, own = 12 }: { readonly others?: number; readonly own?: number } = {},
  ): RankReport => {
    const query = (suite: string, number: number, wanted: string, names: readonly string[]): RankedQuery => ({
      suite,
      case: `case-${number}`,
      query: `Request ${number}`,
      wanted: [wanted],
      not: [],
      found: names,
      rank: names.includes(wanted) ? names.indexOf(wanted) + 1 : undefined,
    });
    const queries = [
      ...times(own, (number) => query('pdf-triggers', number, 'pdf', found(number))),
      ...times(others, (number) => query('docx-triggers', number, 'docx', ['docx'])),
    ];
    const catalogue = ['docx', 'pdf', 'table'].map((skill) => ({ skill, digest: digestOf(skill) }));
    return {
      formatVersion: 1,
      catalogue,
      queries,
      first: rateOf(1, 1),
      amongFive: rateOf(1, 1),
      keptAway: rateOf(0, 0),
    };
  };
  const right = ranksOf(() => ['pdf', 'table']);

  test('PSA-35: that lost a third of its requests is worse, though these are too few for a test over all', () => {
    const comparison = compareRanks(
      right,
      ranksOf((number) => (number <= 3 ? ['table', 'pdf'] : number === 4 ? ['docx'] : ['pdf'])),
    );
    expect(comparison).toMatchObject({ verdict: 'worse', pValue: 0.125, lost: 4, won: 0 });
    expect(comparison.reasons.slice(0, 2)).toEqual([
      'pdf: 4 of 12 requests that want it found it first and do not any more: pdf-triggers/case-1, pdf-triggers/case-2, pdf-triggers/case-3, pdf-triggers/case-4; taken by table (3), docx (1).',
      expect.stringMatching(
        /^Of 112 queries, .* \(lost 4, won 0, p = 0\.125\): too few queries to tell; about \d+ would show a difference of 5\.0 points\.$/u,
      ),
    ]);
  });

  test('PSA-35: may lose the share that is allowed, and no request more', () => {
    const worse = (count: number, maxLost?: number, own = 12): boolean => {
      // Among so many others that none of it matters to the test over all.
      const among = { own, others: 2_000 };
      const { verdict } = compareRanks(
        ranksOf(() => ['pdf'], among),
        ranksOf((number) => (number <= count ? ['table'] : ['pdf']), among),
        maxLost === undefined ? {} : { maxLost },
      );
      expect(verdict).toMatch(/^(?:worse|no_change)$/u);
      return verdict === 'worse';
    };
    expect([worse(1), worse(2)]).toEqual([false, true]);
    expect([worse(1, 0.1, 9), worse(1, 0.1, 10)]).toEqual([true, false]);
    expect([worse(0, 0), worse(1, 0)]).toEqual([false, true]);
    expect([worse(3, 0.25), worse(4, 0.25)]).toEqual([false, true]);
    // 0.29 * 100 is a little below 29.
    expect([worse(29, 0.29, 100), worse(30, 0.29, 100)]).toEqual([false, true]);
    expect(worse(12, 1)).toBe(false);
  });

  test('PSA-35: what it won is taken off, and what is found by no skill is told as that', () => {
    const before = ranksOf((number) => (number <= 3 ? ['table'] : ['pdf']));
    const after = ranksOf((number) => (number >= 10 ? [] : ['pdf']));
    expect(compareRanks(before, after)).toMatchObject({
      verdict: 'underpowered',
      losses: [{ skill: 'pdf', won: ['pdf-triggers/case-1', 'pdf-triggers/case-2', 'pdf-triggers/case-3'] }],
    });
    const more = compareRanks(
      before,
      ranksOf((number) => (number >= 7 ? [] : ['pdf'])),
    );
    expect(more.verdict).toBe('worse');
    expect(more.reasons[0]).toMatch(
      /^pdf: 6 of 12 requests .* do not any more \(3 the other way round\): .* and 1 more; 6 find nothing\.$/u,
    );
  });

  test('PSA-35: that finds more than before is better only where the test over all says so', () => {
    const few = compareRanks(
      ranksOf((number) => (number <= 3 ? ['table'] : ['pdf'])),
      right,
    );
    expect(few).toMatchObject({ verdict: 'underpowered', losses: [] });
    const all = compareRanks(
      ranksOf(() => ['table']),
      right,
    );
    expect(all.verdict).toBe('better');
  });

  test('PSA-35: that is gone, or whose requests are gone, is told by name, and fails nothing by itself', () => {
    const { queries, catalogue, ...report } = right;
    const left = {
      ...report,
      catalogue: catalogue.filter(({ skill }) => skill !== 'pdf'),
      queries: queries.filter(({ suite }) => suite !== 'pdf-triggers'),
    };
    const comparison = compareRanks(right, left);
    expect(comparison.verdict).not.toBe('worse');
    expect(comparison.reasons).toContain('Gone: pdf.');
    expect(comparison.reasons).toContain(
      'Not compared: 12 queries of the baseline that are gone: pdf-triggers/case-1, pdf-triggers/case-2, pdf-triggers/case-3, pdf-triggers/case-4, pdf-triggers/case-5 and 7 more.',
    );
    expect(comparison.onlyInBaseline).toHaveLength(12);
    expect(compareRanks(left, right).reasons.filter((reason) => reason.includes('that are new'))).toHaveLength(1);
    // The skill is gone, and its requests are still there.
    expect(
      compareRanks(
        right,
        ranksOf(() => ['table']),
      ).verdict,
    ).toBe('worse');
  });

  test('options that cannot be are refused', () => {
    for (const wrong of [-0.1, 1.1, 10, Number.NaN, '10', null])
      expect(() => compareRanks(right, right, { maxLost: wrong } as never)).toThrow(
        expect.objectContaining({ code: 'USAGE' }),
      );
    expect(() => compareRanks(right, right, { deterministic: () => true } as never)).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    );
  });
});

test('PSA-35: a report of ranks is read as it was written; what is none is refused', async () => {
  const report = await rank();
  const text = formatRankReport(report);
  expect(parseRankReport(text, { fileName: 'ranks.json' })).toEqual(report);
  expect(formatRankReport(parseRankReport(text, { fileName: 'ranks.json' }))).toBe(text);
  for (const broken of ['', '{}', text.replace('"rank": 1', '"rank": 0'), text.replace('sha256:', 'sha1:')])
    expect(() => parseRankReport(broken, { fileName: 'ranks.json' })).toThrow(
      expect.objectContaining({ code: 'INVALID_RESULTS', hint: 'Rank the queries again.' }),
    );
  expect(() => parseRankReport(text.replace('"formatVersion": 1', '"formatVersion": 3'), { fileName: 'r' })).toThrow(
    expect.objectContaining({ code: 'UNSUPPORTED_FORMAT' }),
  );
});
