import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchableSkill as skill } from '../../../test/searchable-skill.js';
import { createSkillRegistry } from '../create-skill-registry.js';
import { memorySkills } from '../memory-skills.js';
import { isForeign } from './foreign-words.js';
import { queryVocabulary as vocabulary } from './query-vocabulary.js';
import { createSkillSearch } from './skill-search.js';
import { dataWords } from './vocabulary/data-words.js';
import { designWords } from './vocabulary/design-words.js';
import { documentWords } from './vocabulary/document-words.js';
import { softwareWords } from './vocabulary/software-words.js';
import { sha256 } from '../../../test/sha256.js';

const shelf = [
  skill('agreement-check', 'Reads a contract and points out risky clauses.'),
  skill('minutes', 'Turns the transcript of a meeting into notes and tasks.'),
  skill('sheet-charts', 'Makes charts from a spreadsheet.'),
  skill('unit-tests', 'Writes unit tests and raises the coverage of code.'),
  skill('poster', 'Designs posters and flyers.'),
  skill('subtitles', 'Puts a caption under each scene of a video.'),
  skill('cluster-rollout', 'Deploys containers to a cluster.'),
  skill('paper-review', 'Summarizes academic papers and their citations.'),
];
const search = createSkillSearch(shelf);

test.each([
  ['请审核这份合同里的条款', 'agreement-check'],
  ['請審核這份合約的條款', 'agreement-check'],
  ['契約書のリスクを確認してください', 'agreement-check'],
  ['계약서의 위험한 조항을 검토해 주세요', 'agreement-check'],
  ['Revisa el contrato con el proveedor y busca un riesgo en cada cláusula', 'agreement-check'],
  ['Bitte den Vertrag und das Risiko für uns prüfen', 'agreement-check'],
  ['Quel est le risque dans le contrat avec le fournisseur ?', 'agreement-check'],
  ['把会议记录整理成待办', 'minutes'],
  ['打ち合わせの議事録を作る', 'minutes'],
  ['회의록을 정리해 줘', 'minutes'],
  ['用电子表格画图表', 'sheet-charts'],
  ['スプレッドシートからグラフを作りたい', 'sheet-charts'],
  ['给这段代码写单元测试', 'unit-tests'],
  ['유닛테스트 커버리지를 높이고 싶어', 'unit-tests'],
  ['设计一张海报', 'poster'],
  ['ポスターをデザインして', 'poster'],
  ['给视频加字幕', 'subtitles'],
  ['영상에 자막을 넣어줘', 'subtitles'],
  ['将容器部署到集群', 'cluster-rollout'],
  ['总结这篇论文和引用', 'paper-review'],
])('%s finds %s, which is described in English', (query, name) => {
  expect(isForeign(query)).toBe(true);
  expect(search.find(query, { vocabulary })[0]?.entry.name).toBe(name);
});

test('a skill that has the words of the query comes before one that has English words for them', () => {
  const both = createSkillSearch([...shelf, skill('zh', '审查合同条款，指出风险。')]);
  const names = both.find('审查合同条款', { vocabulary }).map(({ entry }) => entry.name);
  expect(names.slice(0, 2)).toEqual(['zh', 'agreement-check']);
});

test.each([
  'fill in the form and send it to the archive',
  'Smith et al. on the plan',
  'résumé for a café',
  'MIT licence',
  'von Neumann machine',
])('%s is no query in another language', (query) => {
  expect(isForeign(query)).toBe(false);
  expect(vocabulary.translate(query)).toEqual([]);
});

test('for queries in English, a vocabulary changes nothing', () => {
  const words = shelf.flatMap(({ entry }) => (entry.head.description ?? '').split(/\W+/u));
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 8 }), (some) => {
      const query = some.join(' ');
      expect(search.find(query, { vocabulary })).toEqual(search.find(query));
    }),
  );
});

test('of words that hold each other, the longest counts, from left to right', () => {
  expect(vocabulary.translate('单元测试')).toEqual([['unit', 'test']]);
  expect(vocabulary.translate('測試')).toEqual([['test', 'testing']]);
  expect(vocabulary.translate('プログラム')).toEqual([['program', 'programming']]);
  expect(vocabulary.translate('Ｖｉｄｅｏ ビデオ')).toEqual([['video']]);
});

test('a long query takes no time to speak of, and any query is translated', () => {
  const start = performance.now();
  for (const part of ['合', '合同', 'プ', '가', 'el un ', 'ü', 'de'])
    expect(vocabulary.translate(part.repeat(2_000 / part.length)).length).toBeLessThanOrEqual(2_000);
  expect(isForeign('e\u0301 '.repeat(1e6))).toBe(false);
  expect(performance.now() - start).toBeLessThan(2_000);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (query) => {
      for (const words of vocabulary.translate(query)) expect(words.length).toBeGreaterThan(0);
    }),
  );
});

test('each line of the vocabulary is English words, and words for them that stand there once', () => {
  const lines = [documentWords, dataWords, softwareWords, designWords].flatMap((words) => words.trim().split('\n'));
  expect(lines.length).toBeGreaterThan(300);
  for (const line of lines) {
    expect(line).toMatch(/^[a-z0-9-]+(?: [a-z0-9-]+)* = \S+(?: \S+)*$/u);
    const [english = '', foreign = ''] = line.split(' = ');
    const words = foreign.split(' ');
    expect(new Set(words).size, line).toBe(words.length);
    for (const word of words) {
      expect(word, line).toBe(word.normalize('NFKC').toLowerCase());
      expect(word, line).not.toMatch(/\p{Script=Latin}\p{M}|[À-ɏ]/u);
      expect(english.split(' '), line).not.toContain(word);
    }
  }
});

test('a registry finds a skill that is described in English for a query in Chinese', async () => {
  const text = '---\nname: bookkeeper\ndescription: Checks an invoice against the order.\n---\n\nText.\n';
  const other = '---\nname: weather\ndescription: Tells the weather.\n---\n\nText.\n';
  const registry = createSkillRegistry(memorySkills({ 'a/SKILL.md': text, 'b/SKILL.md': other }), { sha256 });
  const found = await registry.search('核对发票和订单');
  expect(found.map(({ entry }) => entry.name)).toEqual(['bookkeeper']);
});
