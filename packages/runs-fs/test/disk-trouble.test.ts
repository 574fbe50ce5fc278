import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createRedactor,
  foldEvents,
  replayRun,
  resumeRun,
  SkillsError,
  startRun,
  type RunEventBody,
} from '@skillpack/core';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import { openRunFolder } from '../src/index.js';
import { sha256 } from '../src/sha256.js';
import { finalText, portsFor, question } from './children/recorded-run.js';
import { seal, started, temporaryFolder, write } from './sample-run.js';

function mountSmallDisk({ skip }: TestContext): string {
  const dir = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', dir], { stdio: 'ignore' });
  } catch {
    skip('nothing may be mounted here');
  }
  onTestFinished(() => void execFileSync('umount', [dir]));
  return dir;
}

/** Takes all the room but `left` bytes. */
function fill(disk: string, left: number): () => void {
  const path = join(disk, 'filler');
  writeFileSync(path, randomBytes(200 * 1024));
  try {
    for (;;) writeFileSync(path, randomBytes(4096), { flag: 'a' });
  } catch {
    // That was all.
  }
  const { size } = statSync(path);
  if (left > 0) writeFileSync(path, randomBytes(Math.max(0, size - left)));
  return () => rmSync(path);
}

test('a full disk refuses the next event, and nothing that was taken is lost', async (context) => {
  const disk = mountSmallDisk(context);
  const runs = openRunFolder(join(disk, 'runs'));
  const many: RunEventBody[] = Array.from({ length: 40 }, (_, at) => ({
    type: 'request_received',
    request: { text: `${at} ${'x'.repeat(600)}` },
  }));
  const events = seal('r1', [started, ...many]);
  const journal = await runs.create('r1');
  await write(journal, events.slice(0, 3));
  const empty = fill(disk, 0);
  let taken = 3;
  const appending = async (): Promise<void> => {
    for (; taken < events.length; taken += 1) await journal.append(events[taken]!);
  };
  await expect(appending()).rejects.toSatisfy(
    (error) => SkillsError.is(error, 'IO_ERROR') && error.data['errno'] === 'ENOSPC',
  );
  expect(taken).toBeLessThan(events.length);
  await expect(journal.keep(randomBytes(9000))).rejects.toSatisfy((error) => SkillsError.is(error, 'IO_ERROR'));
  expect(readdirSync(join(disk, 'runs/r1/observations'))).toStrictEqual([]);
  expect(await runs.read('r1')).toMatchObject({ events: events.slice(0, taken), torn: undefined });
  empty();
  await appending();
  await journal.finish();
  expect((await runs.read('r1')).events).toStrictEqual(events);
});

test('a run whose disk is full ends with an error, and resumes to its answer once there is room', async (context) => {
  const disk = mountSmallDisk(context);
  const runs = openRunFolder(join(disk, 'runs'));
  const journal = await runs.create('r1');
  const run = await startRun(portsFor(journal), { id: 'r1' });
  const empty = fill(disk, 0);
  await expect(run.ask(question)).rejects.toSatisfy((error) => SkillsError.is(error, 'IO_ERROR'));
  await journal.close();
  empty();
  const record = await runs.resume('r1');
  const again = await resumeRun(record, portsFor(record.journal));
  await (again.state.request === undefined ? again.ask(question) : again.goOn());
  await again.finish();
  await record.journal.finish();
  const after = await runs.read('r1');
  expect(foldEvents(after.events).answer?.text).toBe(finalText);
  expect(await replayRun(after, { sha256 })).toMatchObject({ same: true });
});

test('no secret that is known reaches the disk, and the record replays all the same', async () => {
  const root = temporaryFolder();
  const secret = 'correct horse/battery';
  const runs = openRunFolder(root);
  const journal = await runs.create('r1');
  const note = {
    name: 'note',
    description: `Notes. ${secret}`,
    inputSchema: { type: 'object' },
    risk: 'low',
    run: async () => ({
      ok: true,
      content: `noted ${JSON.stringify(secret)} ${'x'.repeat(20_000)}`,
      output: { [secret]: encodeURIComponent(secret) },
      outputs: [{ name: 'whole.txt', bytes: new TextEncoder().encode(Buffer.from(secret).toString('base64')) }],
      started: 0,
      ended: 0,
      duration: 0,
    }),
  } as const;
  const ports = { ...portsFor(journal), tools: [note] };
  const redact = createRedactor({ values: [secret] });
  const run = await startRun(ports, { id: 'r1', redact, instructions: `Say ${secret}.`, system: secret });
  await run.ask(`${question} ${secret}`);
  await run.finish();
  await journal.finish();
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(6);
  for (const { parentPath, name } of files) {
    const text = readFileSync(join(parentPath, name), 'utf8');
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(0, -2)]) {
      expect(text, name).not.toContain(form);
    }
  }
  expect(await replayRun(await runs.read('r1'), { sha256 })).toMatchObject({ same: true });
});

test.runIf(process.platform !== 'win32' && process.getuid?.() !== 0)(
  'where no folder can be made, the error names it',
  async () => {
    const root = temporaryFolder();
    chmodSync(root, 0o500);
    await expect(openRunFolder(join(root, 'runs')).create('r1')).rejects.toSatisfy(
      (error) => SkillsError.is(error, 'IO_ERROR') && error.message.includes(root),
    );
  },
);
