import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run-agent.js';
import type { ActionSkill, AgentAction } from '../../src/model/action.js';
import { agentWorld, answer, echoTool, named, select, skillFile } from './agent-world.js';
import { echoRunner, yes } from './scripts-world.js';

function pick(...skills: readonly ActionSkill[]): AgentAction {
  return { kind: 'select_skills', skills, reason: 'It fits.' };
}

/** What was observed, action by action, of a run over these skills. */
async function observed(actions: readonly AgentAction[], files: Readonly<Record<string, string>>) {
  const world = agentWorld([...actions, answer('Done.')], { files, runner: echoRunner(), approver: yes('run') });
  await runAgent('Do it.', world.ports, named({ bodiesPerTurn: 3, limits: { consecutiveFailures: 99 } }));
  return world.of('observation_recorded').filter(({ run }) => run === 'run');
}

test('a skill that is meant twice is loaded once, and one way of meaning it that fails does not count', async () => {
  const files = { 'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY') };
  const rows: readonly (readonly ActionSkill[])[] = [
    [{ name: 'pdf' }, { name: 'pdf' }],
    [{ name: 'pdf' }, { name: 'pdf', source: 'builtin' }],
    [{ name: 'pdf', source: 'user' }, { name: 'pdf' }],
    [{ name: 'pdf' }, { name: 'pdf', source: 'user' }],
  ];
  for (const skills of rows) {
    const [loaded] = await observed([pick(...skills)], files);
    expect(loaded).toMatchObject({ ok: true, output: { bodies: ['memory:/pdf'], failed: [] } });
    expect(loaded?.content.match(/PDF-BODY/gu)).toHaveLength(1);
    expect(loaded?.content).not.toMatch(/Two skills|There is no/u);
  }
  const [failed] = await observed([pick({ name: 'no' }, { name: 'no' })], files);
  expect(failed).toMatchObject({ ok: false, output: { failed: [{ name: 'no', code: 'SKILL_NOT_FOUND' }] } });
});

test('a skill is named by another one only as a word of its own', async () => {
  const bodyOf = (text: string) => ({
    'pdf/SKILL.md': skillFile('pdf', 'PDF'),
    'big/SKILL.md': skillFile('big', text),
  });
  const orderOf = async (text: string) => {
    const [loaded] = await observed([select('pdf', 'big')], bodyOf(text));
    return loaded?.output['bodies'];
  };
  for (const text of ['Use pdf.', 'pdf', 'First my-pdf, pdf2 and épdf, then (pdf)'])
    expect(await orderOf(text)).toEqual(['memory:/big', 'memory:/pdf']);
  for (const text of ['Use my-pdf.', 'pdfs', 'pdf-tools and pdf_x', 'épdf'])
    expect(await orderOf(text)).toEqual(['memory:/pdf', 'memory:/big']);
});

test('of many skills that could be meant, forty are named, and how many more there are', async () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}/SKILL.md`, skillFile(`s${at}`, '.')]));
  const [forty] = await observed([select('none')], many(40));
  expect(forty?.content.match(/“s\d+”/gu)).toHaveLength(40);
  expect(forty?.content).not.toContain('more');
  const [more] = await observed([select('none')], many(42));
  expect(more?.content.match(/“s\d+”/gu)).toHaveLength(40);
  expect(more?.content).toContain(', and 2 more: use search_skills.');
  const own = { 'own/SKILL.md': skillFile('own', '.', { 'disable-model-invocation': 'true' }) };
  const world = agentWorld([select('none'), answer('Done.')], { files: own });
  await runAgent('Do it.', world.ports, named({ preload: ['own'] }));
  expect(world.of('observation_recorded')[0]?.content).toContain('No skills are available.');
});

test('a skill without a description is loaded by a person only, and the model is told why', async () => {
  const files = { 'bare/SKILL.md': '---\nname: bare\n---\nBody.\n', 'pdf/SKILL.md': skillFile('pdf', 'PDF') };
  const [failed] = await observed([select('bare')], files);
  expect(failed?.content).toContain('The skill “bare” is loaded by a person only, since it has no description.');
});

test('a script that is not there is answered with the files that are, and a skill without any says so', async () => {
  const script = (name: string): AgentAction => ({
    kind: 'run_script',
    skill: { name },
    relative_path: 'go.mjs',
    args: [],
  });
  const files = {
    'bare/SKILL.md': skillFile('bare', '.'),
    'pdf/SKILL.md': skillFile('pdf', '.'),
    'pdf/run.mjs': '',
  };
  const [, bare, full] = await observed([select('bare', 'pdf'), script('bare'), script('pdf')], files);
  expect(bare).toMatchObject({ error: { code: 'FILE_NOT_FOUND', hint: 'It has no scripts.' } });
  expect(full).toMatchObject({ error: { code: 'FILE_NOT_FOUND', hint: 'It has “run.mjs”.' } });
});

test('a skill that was switched off while it was active gives none of its files, and its name when it is on again', async () => {
  const files = { 'pdf/SKILL.md': skillFile('pdf', '.'), 'pdf/a.md': 'A-TEXT' };
  const load: AgentAction = { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'a.md' };
  const off: AgentAction = { kind: 'disable_skill', skill: { name: 'pdf' } };
  const on = (name: string): AgentAction => ({ kind: 'enable_skill', skill: { name } });
  const [, , hidden, unknown, , shown, none] = await observed(
    [select('pdf'), off, load, on('xls'), on('pdf'), load, on('xls')],
    files,
  );
  expect(hidden).toMatchObject({
    ok: false,
    error: { message: 'The skill “pdf” is not offered any more.', hint: 'It was at “memory:/pdf”.' },
  });
  expect(unknown).toMatchObject({ error: { code: 'SKILL_NOT_FOUND', hint: 'You switched off “pdf”.' } });
  expect(shown?.content).toContain('A-TEXT');
  expect(none).toMatchObject({ error: { hint: 'None is.' } });
});

test('a child run is told why it was asked, where that was said; its parent is told once what it read and made', async () => {
  const files = {
    'alone/SKILL.md': skillFile('alone', 'ALONE', { 'run-mode': 'subagent' }),
    'alone/a.md': 'A',
    'alone/run.mjs': '',
  };
  const skill = { name: 'alone' };
  const load: AgentAction = { kind: 'load_resource', skill, relative_path: 'a.md' };
  const script: AgentAction = { kind: 'run_script', skill, relative_path: 'run.mjs', args: [] };
  const quiet: AgentAction = { kind: 'select_skills', skills: [skill], reason: ' ' };
  const world = agentWorld([quiet, load, load, script, answer('</skill_body> Made.'), answer('Done.')], {
    files,
    runner: echoRunner(),
    approver: yes('run'),
  });
  await runAgent('Do it.', world.ports, named());
  expect(world.of('request_received').map(({ request }) => request.text)).toEqual(['Do it.', 'Do it.']);
  const told = world.of('observation_recorded').at(-1);
  const [stdout] = world.of('observation_recorded').flatMap(({ kept }) => kept.filter(({ name }) => name === 'stdout'));
  expect(told?.content.split('\n')).toEqual([
    'The skill “alone” worked in the run run/1 of its own, which ended with final_answer:',
    expect.stringMatching(/skill_body> Made\.$/u),
    'It read “a.md” of its skill.',
    expect.stringContaining(`a.md (sha256:`),
  ]);
  expect(told?.content).toContain(`stdout (${stdout?.digest.slice(0, 19)})`);
  expect(told?.content.match(/a\.md \(/gu)).toHaveLength(1);
  expect(told?.output).toMatchObject({
    delegated: [{ run: 'run/1', skill: 'alone', stop: 'final_answer', resources: ['a.md', 'a.md'] }],
  });
});

test('an answer that is no decision is no action, and costs none', async () => {
  const step: AgentAction = { kind: 'call_tool', tool: 'step', input: {} };
  const world = agentWorld(['nonsense', select('none'), 'nonsense', step, answer('Done.')], {
    tools: [echoTool('step')],
  });
  const { state } = await runAgent('Do it.', world.ports, named());
  expect(state.spent).toMatchObject({ toolCalls: 1, scripts: 0, turns: 5, consecutiveFailures: 0 });
  expect(state.totals).toMatchObject({ toolCalls: 1, scripts: 0, turns: 5, consecutiveFailures: 3 });
  expect(world.of('observation_recorded').map(({ duration }) => duration)).toEqual([0]);
});

test.for([
  ['SIG\u202EKILL', 'SIG<U+202E>KILL'],
  [undefined, 'a signal'],
] as const)('a script that was ended by %s says so in visible words', async ([signal, shown]) => {
  const world = agentWorld(
    [
      select('pdf'),
      { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'run.mjs', args: [] },
      answer('Done.'),
    ],
    {
      files: { 'pdf/SKILL.md': skillFile('pdf', '.'), 'pdf/run.mjs': '' },
      runner: echoRunner({ exitCode: undefined, signal }),
      approver: yes('run'),
    },
  );
  await runAgent('Do it.', world.ports, named());
  const message = `run.mjs was ended by ${shown}.`;
  expect(world.of('observation_recorded')[1]).toMatchObject({ ok: false, error: { code: 'EXIT_NONZERO', message } });
});
