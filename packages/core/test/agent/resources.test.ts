import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run-agent.js';
import type { AgentAction } from '../../src/model/action.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, named, select, skillFile } from './agent-world.js';

const headings = Array.from({ length: 90 }, (_, at) => `## Part ${at + 1}\n${'words '.repeat(60)}`);
const data = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
const files = {
  'pdf/SKILL.md': skillFile('pdf', 'Read the others.'),
  'pdf/long-line.txt': `${'x'.repeat(20_000)}\nsecond line`,
  'pdf/last-line.txt': `first\n${'y'.repeat(20_000)}`,
  'pdf/picture.png': data,
  'pdf/parts.md': `# All\n${headings.join('\n')}`,
  'pdf/two.txt': 'one\ntwo\n',
};

function load(relative_path: string, more: { section_hint?: string; from_line?: number } = {}): AgentAction {
  return { kind: 'load_resource', skill: { name: 'pdf' }, relative_path, ...more };
}

/** What came of actions after the skill was selected. */
async function loaded(actions: readonly AgentAction[], contextTokens = 100_000) {
  const world = agentWorld([select('pdf'), ...actions, answer('Done.')], { files, contextTokens });
  await runAgent('Read.', world.ports, named());
  return world.of('observation_recorded').slice(1);
}

test('a file that is no text is described, and its bytes are in the record alone', async () => {
  const [picture] = await loaded([load('picture.png')]);
  expect(picture?.content).toMatch(
    /^picture\.png of the skill pdf \(builtin, memory:\/pdf\); the whole file has 9 bytes, sha256:[\da-f]{64}\.\n[^\n]+$/u,
  );
  expect(picture?.content).not.toContain('PNG\r');
  expect(picture).toMatchObject({ ok: true, kept: [{ name: 'picture.png', size: 9, digest: sha256(data) }] });
  expect(picture?.output).toStrictEqual({
    skill: 'pdf',
    location: 'memory:/pdf',
    path: 'picture.png',
    sha256: sha256(data),
    bytes: 9,
    content: 'binary',
    truncated: false,
  });
});

test('of a text, a program is told the lines, and where it goes on', async () => {
  const [whole, second] = await loaded([load('two.txt'), load('two.txt', { from_line: 2 })]);
  expect(whole?.output).toStrictEqual({
    skill: 'pdf',
    location: 'memory:/pdf',
    path: 'two.txt',
    sha256: sha256(files['pdf/two.txt']),
    bytes: 8,
    content: 'text',
    truncated: false,
    lines: { start: 1, end: 2, total: 2 },
  });
  expect(whole?.content).toContain('lines 1 to 2 of 2; the whole file has 8 bytes');
  expect(whole?.content).toContain('```\none\ntwo\n```');
  expect(second?.content).toContain('```\ntwo\n```');
});

test('a line that is too long is cut, and said to be, with the line that comes after it', async () => {
  const [begin, next, last] = await loaded([
    load('long-line.txt'),
    load('long-line.txt', { from_line: 2 }),
    load('last-line.txt', { from_line: 2 }),
  ]);
  expect(begin?.content).toContain(
    'It is cut here, within a line that is too long to be shown. The next line is from_line 2.',
  );
  expect(begin?.output).toMatchObject({ truncated: true, next: { kind: 'bytes' } });
  expect(next?.content).toContain('```\nsecond line\n```');
  expect(next?.content).not.toContain('cut here');
  expect(last?.content).toMatch(/It is cut here, within a line that is too long to be shown\.$/u);
});

test('of a long Markdown file the headings are told, in a small window fewer of them', async () => {
  for (const [contextTokens, most] of [
    [100_000, 60],
    [8_000, 20],
    [3_500, 10],
  ] as const) {
    const [parts] = await loaded([load('parts.md')], contextTokens);
    const rows = parts?.content.split('\n').filter((row) => row.startsWith('- line '));
    expect(parts?.content).toContain('Its headings, each of which section_hint can name:');
    expect(rows).toHaveLength(most);
    expect(rows?.slice(0, 2)).toEqual(['- line 1: # All', '- line 2: ## Part 1']);
    expect(parts?.content).toMatch(/It is cut here\. Go on with from_line \d+\./u);
  }
});

test('a line that is named counts before a section that is', async () => {
  const [section, line] = await loaded([
    load('parts.md', { section_hint: 'Part 7' }),
    load('parts.md', { section_hint: 'Part 7', from_line: 181 }),
  ]);
  expect(section?.content).toContain('lines 14 to 15 of 181');
  expect(line?.content).toContain('lines 181 to 181 of 181');
});

test('a file is meant by its path in the skill, or by the absolute one, with either kind of slash', async () => {
  const paths = ['two.txt', 'memory:/pdf/two.txt', 'memory:\\pdf\\two.txt'];
  const read = await loaded(paths.map((path) => load(path)));
  expect(read.map(({ output }) => output['path'])).toEqual(['two.txt', 'two.txt', 'two.txt']);
  // Another skill that is named with it does not count: the path says whose file it is.
  const other: AgentAction = { kind: 'load_resource', skill: { name: 'none' }, relative_path: 'memory:/pdf/two.txt' };
  expect((await loaded([other]))[0]).toMatchObject({ ok: true, output: { skill: 'pdf', path: 'two.txt' } });
  expect((await loaded([{ ...other, relative_path: 'memory:/pdfx/two.txt' }]))[0]).toMatchObject({ ok: false });
});
