import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchableSkill as skill } from '../../../test/searchable-skill.js';
import { createSkillSearch, type SearchableSkill } from './skill-search.js';

function namesFor(skills: readonly SearchableSkill[], query: string, limit?: number): readonly string[] {
  return createSkillSearch(skills)
    .find(query, { limit })
    .map(({ entry }) => entry.name);
}

const shelf = [
  skill('pdf', 'Extracts text and tables from PDF files, fills in forms, merges and splits documents.'),
  skill('spreadsheet', 'Reads and edits Excel workbooks, formulas, pivot tables and charts.'),
  skill('slide-deck', 'Makes presentations with speaker notes from an outline. Use for PowerPoint files.'),
  skill('release-notes', 'Writes a changelog from commits and pull requests. Use when the person ships a version.'),
  skill(
    'code-review',
    'Reviews a diff for defects before it is merged. Do not use for writing unit tests or a changelog.',
  ),
  skill('unit-tests', 'Writes and repairs automated tests, raises coverage, finds flaky ones.'),
  skill('sql-tuning', 'Finds slow database queries and proposes indexes. Use when Postgres or MySQL is slow.'),
  skill('k8s-deploy', 'Rolls out containers to a Kubernetes cluster with Helm charts.'),
  skill('cold-email', 'Drafts outreach messages to people who have not heard of you, with follow-ups.'),
  skill('brand-voice', 'Rewrites copy in the tone of the company.'),
  skill('accessibility', 'Checks web pages against WCAG: contrast, keyboard, screen readers.'),
  skill('travel-plan', 'Plans trips: flights, hotels, a day by day itinerary.'),
  skill('tax-return', 'Collects receipts and prepares an income tax declaration.'),
  skill('recipeScaler', 'Converts a recipe to another number of portions.'),
  skill('meeting-minutes', 'Turns a transcript into decisions and tasks.'),
  skill('weekly-report-zh', '根据本周的提交记录和任务生成周报，适合发给团队负责人。'),
  skill('contract-review-zh', '审查合同条款，指出风险并给出修改建议。'),
  skill('invoice-ja', '請求書を作成し、消費税を計算して、PDF で出力します。'),
  skill('minutes-ja', '会議の録音から議事録を作成します。決定事項と担当者をまとめます。'),
  skill('resume-ko', '이력서와 자기소개서를 작성하고 다듬습니다.'),
  skill('translation-ko', '문서를 영어에서 한국어로 번역하고 용어집을 지킵니다.'),
  skill('menu-th', 'แปลเมนูอาหารเป็นภาษาอังกฤษ พร้อมคำอธิบายส่วนผสม'),
];

test('SAA-15: the exact name comes first, then names that begin so, then names that hold it, then descriptions', () => {
  const found = createSkillSearch([
    skill('forms', 'Fills in a pdf, pdf after pdf.'),
    skill('my-pdf-tools', 'Other things.'),
    skill('pdf-merge', 'Joins files.'),
    skill('pdf', 'Reads documents.'),
    skill('weather', 'Tells the weather.'),
  ]).find('PDF');
  expect(found.map(({ entry, matched }) => [entry.name, matched])).toEqual([
    ['pdf', 'name'],
    ['pdf-merge', 'name-prefix'],
    ['my-pdf-tools', 'name-part'],
    ['forms', 'words'],
  ]);
  expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).toSorted((a, b) => b - a));
});

test('SAA-15: a location, its SKILL.md and the name of an organisation mean the skill as its name does; folders count as words', () => {
  const skills = [
    skill('pdf', 'Reads documents.', { location: '/srv/acme/skills/pdf', pack: 'acme/office' }),
    skill('pdf-forms', 'Fills in forms.', { location: '/srv/other/skills/pdf-forms' }),
    skill('charts', 'Draws charts.', { location: '/srv/quarterly/skills/charts' }),
  ];
  const search = createSkillSearch(skills);
  for (const query of ['/srv/acme/skills/pdf', '/srv/acme/skills/pdf/SKILL.md', '/srv/acme/skills/pdf/', 'acme/pdf'])
    expect(search.find(query)[0], query).toMatchObject({ entry: { name: 'pdf' }, matched: 'name' });
  expect(search.find('quarterly')[0]).toMatchObject({ entry: { name: 'charts' }, matched: 'words' });
});

test.each([
  ['get the tables out of this PDF', 'pdf'],
  ['pivot table in my workbook', 'spreadsheet'],
  ['speaker notes for the presentation', 'slide-deck'],
  ['write the changelog for the new version', 'release-notes'],
  ['some tests are flaky', 'unit-tests'],
  ['the database is slow', 'sql-tuning'],
  ['roll out to kuberntes', 'k8s-deploy'],
  ['an outreach message to somebody', 'cold-email'],
  ['keyboard and contrast of our pages', 'accessibility'],
  ['plan a trip with hotels', 'travel-plan'],
  ['scale the recipe', 'recipeScaler'],
  ['帮我写这周的周报', 'weekly-report-zh'],
  ['这份合同有什么风险', 'contract-review-zh'],
  ['請求書を作って', 'invoice-ja'],
  ['昨日の会議の議事録をまとめて', 'minutes-ja'],
  ['이력서를 고쳐 줘', 'resume-ko'],
  ['이 문서를 번역해 주세요', 'translation-ko'],
  ['แปลเมนู', 'menu-th'],
])('SAA-15: a request finds its skill first: %s', (request, name) => {
  expect(namesFor(shelf, request)[0]).toBe(name);
});

test('what a description says a skill is not for, does not find it', () => {
  expect(namesFor(shelf, 'changelog')).not.toContain('code-review');
  expect(namesFor([skill('odd', 'Do not use for taxes.')], 'taxes')).toEqual(['odd']);
});

test('a skill is not found by what its description sends for to another one', () => {
  const skills = [
    skill('prices', 'Decides on prices. For cold emails, see emails. For screens of upgrades, use paywalls instead.'),
    skill('charts', 'Draws. For a pie of shares, use this skill. For bars, use it, too.'),
  ];
  expect(namesFor(skills, 'cold emails')).toEqual([]);
  expect(namesFor(skills, 'upgrades')).toEqual([]);
  expect(namesFor(skills, 'pie')).toEqual(['charts']);
  expect(namesFor(skills, 'bars')).toEqual(['charts']);
});

test.each([
  ['fix', 'What is broken is fixed.'],
  ['tagged', 'Tags releases.'],
  ['logs', 'Logging of requests.'],
])('“%s” is a word of a description that has it in another form: %s', (request, description) => {
  expect(namesFor([skill('a', 'Things.'), skill('wanted', description)], request)).toEqual(['wanted']);
});

test('two words that stand side by side find a skill that has them so before one that has them apart', () => {
  const skills = [
    skill('apart', 'Cold starts of servers are measured and an email is sent.'),
    skill('beside', 'A cold email is drafted and servers are measured at starts.'),
  ];
  expect(namesFor(skills, 'cold email')).toEqual(['beside', 'apart']);
});

test('a body is searched where it is at hand, its beginning only', () => {
  const late = `${'x '.repeat(4_000)}zeppelin`;
  const skills = [
    skill('first', 'Does things.', { body: 'Ask for the name of the zeppelin.' }),
    skill('second', 'Does things.', { body: late }),
  ];
  expect(namesFor(skills, 'zeppelin')).toEqual(['first']);
});

test('skills that fit equally come by name, in whatever order they are given', () => {
  const same = ['c', 'a', 'b'].map((letter) => skill(`tool-${letter}`, 'Mends bicycles.'));
  expect(namesFor(same, 'bicycles')).toEqual(['tool-a', 'tool-b', 'tool-c']);
  expect(namesFor(same.toReversed(), 'bicycles')).toEqual(['tool-a', 'tool-b', 'tool-c']);
});

test.each(['', '   ', '-', '!!!', '\u0000\u001B[2J', '\u202E'])('nothing is found for %j', (query) => {
  expect(namesFor(shelf, query)).toEqual([]);
});

test('words that are properties of every object are words like others', () => {
  const skills = [skill('plain', 'Nothing of note.'), skill('odd', 'Explains __proto__ and constructor.')];
  for (const query of ['__proto__', 'constructor', 'toString hasOwnProperty constructor'])
    expect(namesFor(skills, query), query).toEqual(['odd']);
  expect(namesFor(skills, 'valueOf')).toEqual([]);
});

test('the shorter answer is the beginning of the longer one, and a limit that makes no sense finds nothing', () => {
  const all = namesFor(shelf, 'write a report from files', 100);
  expect(all.length).toBeGreaterThan(6);
  for (const limit of [1, 2, 5])
    expect(namesFor(shelf, 'write a report from files', limit)).toEqual(all.slice(0, limit));
  for (const limit of [0, -1, Number.NaN]) expect(namesFor(shelf, 'pdf', limit)).toEqual([]);
});

test('every skill is found by its name, first, whatever skills and names there are', () => {
  const name = fc.oneof(
    fc.stringMatching(/^[a-z0-9]+(-[a-z0-9]+){0,3}$/u),
    fc.string({ unit: 'grapheme', minLength: 1 }),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(name, fc.string({ unit: 'binary' })), { minLength: 1, maxLength: 12 }),
      (pairs) => {
        const skills = pairs.map(([own, description]) => skill(own, description));
        const search = createSkillSearch(skills);
        for (const [own] of pairs) {
          const [best] = search.find(own);
          // A name of punctuation alone is no word that anybody could search for.
          if (best !== undefined && /[\p{L}\p{N}]/u.test(own)) expect(best.matched).toBe('name');
        }
      },
    ),
  );
});

test('no query and no description is an error, and nothing takes long', () => {
  const long = [
    'a'.repeat(1e6),
    'ab '.repeat(3e5),
    '的'.repeat(3e5),
    ' '.repeat(1e6),
    '가'.repeat(3e5),
    '.\n'.repeat(3e5),
  ];
  const start = performance.now();
  const search = createSkillSearch(long.map((text, at) => skill(`skill-${at}`, text, { body: text })));
  for (const query of long) expect(search.find(query).length).toBeLessThanOrEqual(10);
  expect(performance.now() - start).toBeLessThan(2_000);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (query) => {
      expect(search.find(query).length).toBeLessThanOrEqual(10);
    }),
  );
});
