import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createMemoryJournal,
  createSkillRegistry,
  formatRunEvent,
  memorySkills,
  runAgent,
  type AgentPorts,
  type ModelAdapter,
  type RunEvent,
} from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { memoryCassette, recorded, type RecordedOptions, type SkillDigests } from '@skillpack/model-adapters';
import { cassetteFile } from '@skillpack/model-adapters/node';
import { createReadTools } from '@skillpack/tools-shell';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveDecisions } from '../../packages/model-adapters/test/recorded-server.js';
import { agentGround, sha256 } from './agent-ground.js';
import { question, surveyAnswer } from './survey-rules.js';

// The cassette and the events are made by
//
//     SKILLPACK_RECORD=1 vitest run test/agent/recorded-run.test.ts
//
// which asks a model over HTTP: there is no internet where this runs, so the server is @copilotkit/aimock on 127.0.0.1.
// It is to be done again when what models are told changes on purpose; the difference shows what they are told now.
const anew = process.env['SKILLPACK_RECORD'] === '1';

const fixtures = join(import.meta.dirname, '../fixtures/recorded-run');
const cassettePath = join(fixtures, 'survey.cassette.jsonl');
const eventsPath = join(fixtures, 'survey.events.jsonl');
const samples = join(import.meta.dirname, '../fixtures/sample-skills');

const skill = { name: 'field-survey' };
const decisions = [
  { action: { kind: 'search_skills', query: 'count sightings of birds in field notes' } },
  { action: { kind: 'select_skills', skills: [skill], reason: 'It counts birds.' } },
  { action: { kind: 'load_resource', skill, relative_path: 'references/method.md', section_hint: 'Rarity' } },
  { action: { kind: 'call_tool', tool: 'grep', input: { pattern: 'heron', path: 'notes.txt' } } },
  { action: { kind: 'final_answer', content: surveyAnswer } },
].map((decision) => JSON.stringify(decision));

function sampleFiles(): Readonly<Record<string, Uint8Array>> {
  const files = readdirSync(samples, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted()
      .map((path) => [path.slice(samples.length + 1), readFileSync(path)]),
  );
}

/** A digest of each skill's SKILL.md. */
function skillDigests(files: Readonly<Record<string, Uint8Array>>): SkillDigests {
  const bodies = Object.entries(files).filter(([path]) => path.endsWith('/SKILL.md'));
  return Object.fromEntries(bodies.map(([path, bytes]) => [path.slice(0, -'/SKILL.md'.length), sha256(bytes)]));
}

/** A folder that is another one each time, with the notes in it. */
function workspaceWithNotes(): string {
  const folder = mkdtempSync(join(tmpdir(), 'skillpack-workspace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'notes.txt'), 'heron at the weir\ntwo wrens\nheron, asleep\ncoot\nheron above\n');
  return folder;
}

async function runSurvey(model: ModelAdapter, onText?: (piece: string) => void): Promise<readonly RunEvent[]> {
  const clock = fakeClock();
  const journal = createMemoryJournal(sha256);
  const registry = createSkillRegistry(memorySkills(sampleFiles()), { sha256 });
  const tools = createReadTools({ clock }, { workspace: workspaceWithNotes() });
  const ports: AgentPorts = { model, clock, journal, registry, tools, sha256 };
  await runAgent(question, ports, { id: 'survey', ...(onText === undefined ? {} : { onText }) });
  return journal.events;
}

const linesOf = (events: readonly RunEvent[]): string => events.map(formatRunEvent).join('');

test.runIf(anew)('a run is recorded over HTTP, into the cassette that the next test replays', async () => {
  const served = await serveDecisions(decisions);
  const skills = skillDigests(sampleFiles());
  const model = await recorded(served.model, cassetteFile(cassettePath), { mode: 'record', skills });
  const events = await runSurvey(model);
  await model.close();
  expect(served.asked()).toBe(decisions.length);
  await served.stop();
  writeFileSync(eventsPath, linesOf(events));
});

test('PSA-29: a run that was recorded once over HTTP replays offline, in another folder, with the same events byte for byte', async () => {
  const fetching = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('There is no network.'));
  onTestFinished(() => fetching.mockRestore());
  const copy = join(workspaceWithNotes(), 'elsewhere.jsonl');
  cpSync(cassettePath, copy);
  const model = await recorded(undefined, cassetteFile(copy), { skills: skillDigests(sampleFiles()) });
  expect(model.name).toBe('openai-compatible:small');
  const pieces: string[] = [];
  const events = await runSurvey(model, (piece) => pieces.push(piece));
  expect(linesOf(events)).toBe(readFileSync(eventsPath, 'utf8'));
  expect(events.findLast(({ type }) => type === 'request_answered')).toMatchObject({ stop: 'final_answer' });
  expect(pieces.join('')).toBe(decisions.join(''));
  expect(fetching).not.toHaveBeenCalled();
});

test('PSA-29: the cassette of that run holds no path, and is stale once a skill is another one', async () => {
  const text = readFileSync(cassettePath, 'utf8');
  for (const path of [tmpdir(), samples, process.cwd()]) expect(text).not.toContain(path);
  const files = { ...sampleFiles(), 'haiku/SKILL.md': new TextEncoder().encode('---\nname: haiku\n---\n') };
  const opening = recorded(undefined, cassetteFile(cassettePath), { skills: skillDigests(files) });
  await expect(opening).rejects.toMatchObject({ code: 'RECORDING_STALE', data: { skills: [{ skill: 'haiku' }] } });
});

test('PSA-29: a run over folders whose script says where it is, recorded over HTTP in one place, replays in another', async () => {
  const run = { kind: 'run_script', skill, relative_path: 'scripts/tally.mjs', args: ['notes.txt', 'heron'] };
  const served = await serveDecisions(decisions.with(3, JSON.stringify({ action: run })));
  const cassette = memoryCassette();
  const runIn = async (asked: ModelAdapter | undefined, mode: RecordedOptions['mode']) => {
    const ground = agentGround();
    const model = await recorded(asked, cassette, { mode, replace: [{ from: ground.folder, to: '{ground}' }] });
    const journal = createMemoryJournal(sha256);
    const { text, state } = await runAgent(question, { ...ground.ports(journal), model }, { id: 'survey' });
    await model.close();
    const stdout = state.audit.flatMap(({ kept }) => kept).find(({ name }) => name === 'stdout');
    expect(stdout && journal.text(stdout.digest)).toContain(`in ${ground.workspace}`);
    return { text, actions: state.audit.map(({ action, ok }) => ({ action, ok })), folder: ground.folder };
  };
  const here = await runIn(served.model, 'record');
  await served.stop();
  const there = await runIn(undefined, 'replay');
  expect(here.text).toBe(surveyAnswer);
  expect(there).toEqual({ ...here, folder: there.folder });
  expect(there.folder).not.toBe(here.folder);
  expect(cassette.text).toContain('{ground}/project');
  expect(cassette.text).not.toContain(here.folder);
});
