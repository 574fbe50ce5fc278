import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRunEvents, type Digest, type RunEvent } from '@skillpack/core';
import { openRunFolder, sha256 } from '@skillpack/runs-fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  historyOf,
  readInitialDisk,
  type DiskHistory,
  type DiskState,
  type Node,
} from '../../packages/cli-dist/test/power-loss/disk-history.js';
import { statesAfterLoss } from '../../packages/cli-dist/test/power-loss/lost-power.js';
import { recordCalls, recording, type RecordedCall } from '../../packages/cli-dist/test/power-loss/record-calls.js';
import { bundleRecordedRun } from '../../packages/runs-fs/test/bundle-child.js';
import type { RecordedTask } from '../../packages/runs-fs/test/children/recorded-run.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'records-power-')));
const project = join(folder, 'project');
const marks = join(folder, 'marks');
let bundle = '';
/** What the process of a run did to its disk, and after how many calls its model was called. */
let calls: readonly RecordedCall[] = [];
let modelCalls: readonly number[] = [];
let whole: readonly RunEvent[] = [];

beforeAll(async () => {
  if (!recording) return;
  bundle = await bundleRecordedRun();
  mkdirSync(project);
  const task: RecordedTask = { root: join(project, '.agents/runs'), marks };
  calls = withoutHandles(recordCalls([process.execPath, bundle, JSON.stringify(task)], folder));
  modelCalls = calls.flatMap(({ name, descriptors }, at) => (name === 'write' && descriptors[0] === marks ? [at] : []));
  whole = (await openRunFolder(task.root).read('r1')).events;
  rmSync(project, { recursive: true });
  mkdirSync(project);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(bundle, { force: true });
});

/** What is reached by a folder that is held is named by its path, as the model of the disk knows it. */
function withoutHandles(recorded: readonly RecordedCall[]): readonly RecordedCall[] {
  const held = new Map<string, string>();
  return recorded.map((call) => {
    const strings = call.strings.map((text) => {
      const [, descriptor = '', rest = ''] = /^\/proc\/self\/fd\/(\d+)\/(.+)$/su.exec(text.toString()) ?? [];
      const path = held.get(descriptor);
      return path === undefined ? text : Buffer.from(join(path, rest));
    });
    if (call.name === 'openat') held.set(String(call.result), String(strings[0]));
    return { ...call, strings };
  });
}

const historyTo = (end: number): DiskHistory => historyOf(calls.slice(0, end), readInitialDisk(project), project);

/** What a loss of power right behind a history can leave, each as a folder. */
function* disksAfter(history: DiskHistory): Generator<{ readonly disk: string; readonly rule: string }> {
  for (const { state, after, rule } of statesAfterLoss(history, { random: randomOf(1), perEvent: 12 })) {
    if (after < history.events.length) return;
    const disk = mkdtempSync(join(folder, 'disk-'));
    makeDisk(state, state.top, join(disk, 'project'));
    yield { disk: join(disk, 'project'), rule };
    rmSync(disk, { recursive: true });
  }
}

function makeDisk(state: DiskState, node: Node, path: string): void {
  if (node.kind === 'file') writeFileSync(path, state.content.get(node) ?? '');
  else if (node.kind === 'link') symlinkSync(node.target, path);
  else {
    mkdirSync(path);
    for (const [name, entry] of state.names.get(node) ?? []) makeDisk(state, entry, join(path, name));
  }
}

/** The events that were complete turns, or came before the first one, when the model was called for the `count`-th time. */
function completeAt(count: number): readonly RunEvent[] {
  const asked = whole.filter(({ type }) => type === 'model_requested')[count - 1];
  const before = whole.filter(({ seq }) => seq < (asked?.seq ?? 0));
  return before.slice(0, before.findLastIndex(({ type }) => type === 'turn_finished') + 1);
}

/** That a disk has these events, chained, and what they keep. */
async function expectOn(disk: string, events: readonly RunEvent[], rule: string): Promise<void> {
  const run = join(disk, '.agents/runs/r1');
  const text = readFileSync(join(run, 'events.jsonl'), 'utf8');
  const lines = text.split('\n').slice(0, events.length);
  const read = readRunEvents(lines.map((line) => `${line}\n`).join(''), { sha256 }, { what: rule, run: 'r1' });
  expect(read.events, rule).toStrictEqual(events);
  for (const digest of keptBy(events)) {
    expect(sha256(readFileSync(join(run, 'observations', digest.slice('sha256:'.length)))), rule).toBe(digest);
  }
}

/** That what is not whole at the end does not keep a run from going on behind these events. */
async function expectResumable(disk: string, events: readonly RunEvent[]): Promise<void> {
  const { events: found, journal } = await openRunFolder(join(disk, '.agents/runs')).resume('r1');
  await journal.close();
  expect(found.slice(0, events.length)).toStrictEqual(events);
}

function keptBy(events: readonly RunEvent[]): readonly Digest[] {
  const found = new Set<Digest>();
  JSON.stringify(events, (_, value: unknown) => {
    const { digest, size } =
      typeof value === 'object' && value !== null ? (value as { digest?: Digest; size?: number }) : {};
    if (digest !== undefined && size !== undefined) found.add(digest);
    return value;
  });
  return [...found];
}

test.runIf(recording)(
  'SAA-27: before a model is called again, every complete turn is on the disk, whatever a loss of power takes',
  async () => {
    expect(modelCalls).toHaveLength(4);
    expect(keptBy(completeAt(4)).length).toBeGreaterThan(4);
    for (const [at, end] of modelCalls.entries()) {
      const complete = completeAt(at + 1);
      expect(complete.filter(({ type }) => type === 'turn_finished')).toHaveLength(at);
      for (const { disk, rule } of disksAfter(historyTo(end))) {
        await expectOn(disk, complete, `call ${at + 1}: ${rule}`);
        if (!rule.includes('chance')) await expectResumable(disk, complete);
      }
    }
  },
);

test.runIf(recording)('a run that was finished is on the disk with its run.json and its final.md', async () => {
  for (const { disk, rule } of disksAfter(historyTo(calls.length))) {
    const stored = await openRunFolder(join(disk, '.agents/runs')).read('r1');
    expect(stored, rule).toMatchObject({ events: whole, torn: undefined, summaryProblem: undefined });
    for (const name of ['run.json', 'final.md']) {
      expect(readFileSync(join(disk, '.agents/runs/r1', name), 'utf8').length, rule).toBeGreaterThan(9);
    }
    await expectOn(disk, whole, rule);
  }
});

test.runIf(recording).each([
  ['the events', /^\.agents\/runs\/r1\/events\.jsonl$/u],
  ['the folder of the run', /^\.agents\/runs\/r1$/u],
  ['the folder of what was kept', /^\.agents\/runs\/r1\/observations$/u],
  ['what was kept', /^\.agents\/runs\/r1\/observations\/.+$/u],
  ['the folder of the runs', /^\.agents\/runs$/u],
  ['the folders above', /^(?:\.agents)?$/u],
])('without the flushes of %s, a turn could be lost', async (_, path) => {
  const count = 3;
  const { initial, events } = historyTo(modelCalls[count - 1] ?? 0);
  const flushed = events.filter((event) => event.kind !== 'flush' || !path.test(event.path));
  expect(flushed.length).toBeLessThan(events.length);
  let lost = 0;
  for (const { disk, rule } of disksAfter({ initial, events: flushed })) {
    await expectOn(disk, completeAt(count), rule).catch(() => (lost += 1));
  }
  expect(lost).toBeGreaterThan(0);
});

test.runIf(recording)('a torn line is cut off for good before anything is written behind it', () => {
  const task: RecordedTask = { root: join(folder, 'torn', '.agents/runs') };
  mkdirSync(join(folder, 'torn'));
  const torn = spawnSync(process.execPath, [bundle, JSON.stringify({ ...task, dieBefore: 20, tear: true })]);
  expect(torn.signal).toBe('SIGKILL');
  const resumed = recordCalls([process.execPath, bundle, JSON.stringify({ ...task, resume: true })], folder);
  const onEvents = resumed.flatMap(({ name, descriptors }) =>
    descriptors[0] === join(task.root, 'r1/events.jsonl') ? [name] : [],
  );
  expect(onEvents.slice(0, 3)).toEqual(['ftruncate', 'fsync', 'write']);
});

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
