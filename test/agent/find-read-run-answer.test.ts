import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  activationHistory,
  foldEvents,
  replayRun,
  resumeRun,
  runAgent,
  startRun,
  type RunEvent,
} from '@skillpack/core';
import { scripted } from '@skillpack/model-adapters';
import { openRunFolder } from '@skillpack/runs-fs';
import { expect, test } from 'vitest';
import { agentGround, sha256 } from './agent-ground.js';
import { question, surveyAnswer, surveyRules } from './survey-rules.js';

test('AGIO-22: a skill with scripts, references and assets among 300 is found, read, used and answered from, step by step', async () => {
  const ground = agentGround(300);
  expect((await ground.registry.index()).skills).toHaveLength(300);
  const model = scripted(surveyRules);
  const journal = await openRunFolder(ground.runs).create('survey');
  const { text, stop, state } = await runAgent(question, { ...ground.ports(journal), model }, { id: 'survey' });
  const summary = await journal.finish();
  expect({ text, stop }).toEqual({ text: surveyAnswer, stop: 'final_answer' });

  const record = await openRunFolder(ground.runs).read('survey');
  expect(record.events.flatMap((event) => (event.type === 'action_started' ? [event.action] : []))).toMatchObject([
    { kind: 'search_skills' },
    { kind: 'select_skills', skills: [{ name: 'field-survey' }] },
    { kind: 'load_resource', relative_path: 'references/method.md', section_hint: 'Rarity' },
    { kind: 'run_script', relative_path: 'scripts/tally.mjs', args: ['notes.txt', 'heron'] },
    { kind: 'final_answer' },
  ]);
  expect(ground.asked).toMatchObject([{ tool: 'run_script', skill: { name: 'field-survey' } }]);
  expect(foldEvents(record.events)).toEqual(state);
  expect(state.resources).toMatchObject([{ path: 'references/method.md', section: 'Rarity' }]);
  expect(activationHistory(record.events)).toMatchObject([{ name: 'field-survey', by: 'model', turn: 2 }]);
  // What the script wrote is in the record as a whole.
  const script = state.audit.find(({ action }) => action.kind === 'run_script');
  const stdout = script?.kept.find(({ name }) => name === 'stdout');
  expect(stdout && new TextDecoder().decode(await record.kept(stdout.digest))).toBe(
    `tally of heron: 3\nin ${ground.workspace}\n`,
  );
  expect(JSON.parse(readFileSync(join(record.folder, 'run.json'), 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(summary)),
  );
  expect(readFileSync(join(record.folder, 'final.md'), 'utf8')).toContain(surveyAnswer);
});

test('PSA-01: of 300 skills, nothing but lines of the catalogue is in a request before the action that reads it', async () => {
  const ground = agentGround(300);
  const model = scripted(surveyRules);
  const journal = await openRunFolder(ground.runs).create('survey');
  await runAgent(question, { ...ground.ports(journal), model }, { id: 'survey' });
  await journal.finish();
  const requests = model.requests.map((request) => JSON.stringify(request));
  const shows = (mark: string): readonly boolean[] => requests.map((request) => request.includes(mark));
  expect(requests).toHaveLength(5);
  expect(shows('MUST NOT guess')).toEqual([false, false, true, true, true]);
  expect(shows('RARITY-RULES')).toEqual([false, false, false, true, true]);
  expect(shows('tally of heron')).toEqual([false, false, false, false, true]);
  for (const never of ['SAMPLING-RULES', 'WEATHER-RULES', 'REPORT-TEMPLATE', 'readFileSync', 'BODY-OF-'])
    expect(shows(never), never).not.toContain(true);
});

test('PSA-27: a run over folders, with a script, is replayed from its record alone, when all of them are gone', async () => {
  const ground = agentGround(300);
  const journal = await openRunFolder(ground.runs).create('survey');
  await runAgent(question, { ...ground.ports(journal), model: scripted(surveyRules) }, { id: 'survey' });
  await journal.finish();
  for (const gone of ['project', 'home']) rmSync(join(ground.folder, gone), { recursive: true });
  const record = await openRunFolder(ground.runs).read('survey');
  expect(await replayRun(record, { sha256 })).toMatchObject({ same: true, events: record.events.length });
});

test('SAA-27: a run over folders that was cut off in any turn, before or after its action, resumes to its answer, and replays', async () => {
  const ground = agentGround(40);
  const runs = openRunFolder(ground.runs);
  const journal = await runs.create('survey');
  const model = (): ReturnType<typeof scripted> => scripted(surveyRules);
  const whole = await startRun({ ...ground.ports(journal), model: model() }, { id: 'survey' });
  await whole.ask(question);
  await journal.close();
  const { events, folder } = await runs.read('survey');
  const lines = readFileSync(join(folder, 'events.jsonl'), 'utf8').split('\n');
  const scripts: number[] = [];
  for (const { seq: length, type } of events) {
    if (!cuts.has(type)) continue;
    const root = join(ground.folder, `cut-${length}`);
    cpSync(folder, join(root, 'survey'), { recursive: true });
    writeFileSync(join(root, 'survey/events.jsonl'), `${lines.slice(0, length).join('\n')}\n`);
    const { journal: goesOn, ...record } = await openRunFolder(root).resume('survey');
    const run = await resumeRun(record, { ...ground.ports(goesOn), model: model() });
    const answer = run.state.request === undefined ? await run.ask(question) : await run.goOn();
    expect(answer?.text ?? run.state.answer?.text, `cut after event ${length}`).toBe(surveyAnswer);
    await run.finish();
    await goesOn.finish();
    const after = await openRunFolder(root).read('survey');
    expect(await replayRun(after, { sha256 }), `cut after event ${length}`).toMatchObject({ same: true });
    scripts.push(uncertain(after.events));
  }
  // Cut off while its script ran, the run says that nobody knows what that did.
  expect(scripts.filter((count) => count > 0).length).toBeGreaterThan(0);
}, 120_000);

const cuts: ReadonlySet<RunEvent['type']> = new Set(['run_started', 'action_started', 'observation_recorded']);

function uncertain(events: readonly RunEvent[]): number {
  return events.filter((event) => event.type === 'run_resumed' && event.uncertain !== undefined).length;
}
