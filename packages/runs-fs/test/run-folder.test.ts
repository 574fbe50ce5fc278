import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  digestHex,
  formatRunEvent,
  formatRunSummary,
  SkillsError,
  summariseRun,
  type ErrorCode,
  type RunEvent,
} from '@skillpack/core';
import fc from 'fast-check';
import nativeLocks from 'fs-native-extensions';
import { expect, onTestFinished, test } from 'vitest';
import { openRunFolder, type OpenRun } from '../src/index.js';
import { sha256 } from '../src/sha256.js';
import { seal, shortRun, started, temporaryFolder, write } from './sample-run.js';

const posix = process.platform !== 'win32';
const refused = (code: ErrorCode): unknown => expect.toSatisfy((error: unknown) => SkillsError.is(error, code));

test('PSA-25: a run is a folder with its events, run.json, final.md and what was kept, for its owner alone', async () => {
  const root = join(temporaryFolder(), '.agents/runs');
  const runs = openRunFolder(root);
  const events = seal('r1', shortRun);
  const journal = await runs.create('r1');
  const bytes = new TextEncoder().encode('a whole output');
  expect(await journal.keep(bytes)).toStrictEqual({ digest: sha256(bytes), size: 14 });
  await journal.keep(bytes);
  await write(journal, events);
  expect(await journal.finish()).toStrictEqual(summariseRun(events));
  const folder = join(root, 'r1');
  expect(readdirSync(folder).toSorted()).toStrictEqual(['events.jsonl', 'final.md', 'observations', 'run.json']);
  expect(readdirSync(join(folder, 'observations'))).toStrictEqual([digestHex(sha256(bytes))]);
  expect(readFileSync(join(folder, 'events.jsonl'), 'utf8')).toBe(events.map(formatRunEvent).join(''));
  expect(readFileSync(join(folder, 'final.md'), 'utf8')).toContain('It is é \u{1F600}.');
  const record = await runs.read('r1');
  expect(record).toMatchObject({ id: 'r1', folder, events, torn: undefined });
  expect(await record.kept(sha256(bytes))).toStrictEqual(bytes);
  expect(await record.kept(sha256('nothing'))).toBeUndefined();
  if (!posix) return;
  for (const path of ['', 'observations']) expect(statSync(join(folder, path)).mode & 0o777).toBe(0o700);
  for (const path of ['events.jsonl', 'run.json', 'final.md'])
    expect(statSync(join(folder, path)).mode & 0o777).toBe(0o600);
});

test('a record is read while it is written, and only one process writes to it', async () => {
  const runs = openRunFolder(temporaryFolder());
  const journal = await runs.create('r1');
  const [first, second] = seal('r1', shortRun);
  await write(journal, [first!]);
  expect((await runs.read('r1')).events).toStrictEqual([first]);
  await expect(runs.resume('r1')).rejects.toThrow(refused('BUSY'));
  await expect(runs.create('r1')).rejects.toThrow(refused('USAGE'));
  await journal.close();
  await expect(journal.append(second!)).rejects.toThrow(refused('USAGE'));
  const resumed = await runs.resume('r1');
  await write(resumed.journal, [second!]);
  await resumed.journal.close();
  expect((await runs.read('r1')).events).toStrictEqual([first, second]);
});

test.each(['', '.', '..', '../r1', 'a/b', 'a\\b', 'r1\u0000', 'con', 'NUL', 'ä', 'x'.repeat(129), '.git'])(
  '%j cannot be the id of a run',
  async (id) => {
    const root = temporaryFolder();
    const runs = openRunFolder(root);
    for (const use of [runs.create(id), runs.read(id), runs.resume(id)]) {
      await expect(use).rejects.toThrow(refused('USAGE'));
    }
    expect(readdirSync(root)).toStrictEqual([]);
  },
);

test('a run that is not there is not found, and a folder without events is no record', async () => {
  const root = temporaryFolder();
  const runs = openRunFolder(root);
  await expect(runs.read('r1')).rejects.toThrow(refused('RUN_NOT_FOUND'));
  await expect(runs.resume('r1')).rejects.toThrow(refused('RUN_NOT_FOUND'));
  mkdirSync(join(root, 'r1'));
  await expect(runs.read('r1')).rejects.toThrow(refused('INVALID_RECORD'));
  const empty = await runs.create('r2');
  await empty.close();
  await expect(runs.resume('r2')).rejects.toThrow(refused('INVALID_RECORD'));
  expect(await openRunFolder(join(root, 'none')).list()).toStrictEqual([]);
});

test.runIf(posix)('no link in the place of a record, or of a part of it, is followed', async () => {
  const dir = temporaryFolder();
  const elsewhere = openRunFolder(join(dir, 'elsewhere'));
  const journal = await elsewhere.create('r1');
  const kept = await journal.keep(new TextEncoder().encode('secret'));
  await write(journal, seal('r1', shortRun));
  await journal.finish();
  const outside = join(dir, 'elsewhere/r1');
  const runs = openRunFolder(join(dir, 'runs'));
  mkdirSync(join(dir, 'runs/r2'), { recursive: true });
  symlinkSync(outside, join(dir, 'runs/r1'));
  symlinkSync(join(outside, 'events.jsonl'), join(dir, 'runs/r2/events.jsonl'));
  for (const id of ['r1', 'r2']) {
    await expect(runs.read(id)).rejects.toThrow(refused('PATH_TRAVERSAL_BLOCKED'));
    await expect(runs.resume(id)).rejects.toThrow(refused('PATH_TRAVERSAL_BLOCKED'));
  }
  rmSync(join(dir, 'runs/r1'));
  const third = await runs.create('r3');
  await write(third, seal('r3', shortRun));
  rmSync(join(dir, 'runs/r3/observations'), { recursive: true });
  symlinkSync(join(outside, 'observations'), join(dir, 'runs/r3/observations'));
  await expect((await runs.read('r3')).kept(kept.digest)).rejects.toThrow(refused('PATH_TRAVERSAL_BLOCKED'));
  await third.close();
  symlinkSync(join(dir, 'elsewhere'), join(dir, 'linked'));
  await expect(openRunFolder(join(dir, 'linked')).create('r9')).rejects.toThrow(refused('PATH_TRAVERSAL_BLOCKED'));
});

test.runIf(posix)(
  'a link that is put in the place of a folder while a run is written is not written through',
  async () => {
    for (const part of ['', 'observations']) {
      const root = temporaryFolder();
      const outside = join(root, 'outside');
      mkdirSync(join(outside, 'observations'), { recursive: true });
      const journal = await openRunFolder(join(root, 'runs')).create('r1');
      await write(journal, seal('r1', shortRun));
      const folder = join(root, 'runs/r1', part);
      renameSync(folder, join(root, 'moved'));
      symlinkSync(join(outside, part), folder);
      const blocked = refused('PATH_TRAVERSAL_BLOCKED');
      await expect(journal.keep(new TextEncoder().encode('private'))).rejects.toThrow(blocked);
      await expect(journal.finish()).rejects.toThrow(blocked);
      expect(readdirSync(outside)).toStrictEqual(['observations']);
      expect(readdirSync(join(outside, 'observations'))).toStrictEqual([]);
    }
  },
);

test('a journal takes the events of its run, one after another, and no others', async () => {
  const runs = openRunFolder(temporaryFolder());
  const journal = await runs.create('r1');
  const events = seal('r1', shortRun);
  await expect(journal.append(seal('r2', shortRun)[0]!)).rejects.toThrow(refused('USAGE'));
  await expect(journal.append(seal('r10', shortRun)[0]!)).rejects.toThrow(refused('USAGE'));
  await write(journal, events.slice(0, 2));
  await expect(journal.append(events[1]!)).rejects.toThrow(refused('USAGE'));
  await expect(journal.append(seal('r1', shortRun, 5)[2]!)).rejects.toThrow(refused('USAGE'));
  await journal.close();
  const { journal: resumed } = await runs.resume('r1');
  await expect(resumed.append(events[0]!)).rejects.toThrow(refused('USAGE'));
  await write(resumed, events.slice(2));
  await resumed.finish();
  expect((await runs.read('r1')).events).toStrictEqual(events);
});

test.runIf(posix)('an entry whose time no date can have is listed, and so is everything beside it', async () => {
  const root = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/runs-fs-') : temporaryFolder();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const runs = openRunFolder(root);
  const journal = await runs.create('r1');
  await write(journal, seal('r1', shortRun));
  await journal.finish();
  mkdirSync(join(root, 'not a run'));
  execFileSync('touch', ['-d', '@9999999999999', join(root, 'not a run')]);
  expect((await runs.list()).map(({ id }) => id).toSorted()).toStrictEqual(['not a run', 'r1']);
});

test('something that was kept and changed is found; a resumed run keeps it anew', async () => {
  const root = temporaryFolder();
  const runs = openRunFolder(root);
  const journal = await runs.create('r1');
  const bytes = new TextEncoder().encode('output');
  const { digest } = await journal.keep(bytes);
  await write(journal, seal('r1', [started]));
  await journal.close();
  const path = join(root, 'r1/observations', digestHex(digest));
  writeFileSync(path, 'OUTPUT');
  await expect((await runs.read('r1')).kept(digest)).rejects.toThrow(refused('INVALID_RECORD'));
  const resumed = await runs.resume('r1');
  await resumed.journal.keep(bytes);
  expect(await resumed.kept(digest)).toStrictEqual(bytes);
  await resumed.journal.close();
});

test('wherever a line is torn, the record reads, and a resumed run puts the rest aside and goes on', async () => {
  const root = temporaryFolder();
  const runs = openRunFolder(root);
  // All ids have the same length, and so have all first lines.
  const events = seal('r1000', shortRun);
  const text = Buffer.from(events.map(formatRunEvent).join(''));
  let count = 1000;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: formatRunEvent(events[0]!).length, max: text.length }), async (cut) => {
      const id = `r${(count += 1)}`;
      const all = seal(id, shortRun);
      const bytes = Buffer.from(all.map(formatRunEvent).join(''));
      const journal = await runs.create(id);
      await write(journal, all);
      await journal.close();
      const end = Math.min(cut, bytes.length);
      truncateSync(join(root, id, 'events.jsonl'), end);
      const whole = bytes.subarray(0, end).lastIndexOf('\n') + 1;
      const resumed = await runs.resume(id);
      expect(resumed.torn === undefined).toBe(whole === end);
      await write(resumed.journal, all.slice(resumed.events.length));
      await resumed.journal.finish();
      expect((await runs.read(id)).events).toStrictEqual(all);
      if (whole === end) return;
      expect(readFileSync(join(root, id, `events.torn-at-${whole}`))).toStrictEqual(bytes.subarray(whole, end));
    }),
    { numRuns: 25 },
  );
});

test('a line that is torn within a character is put aside to the byte', async () => {
  const root = temporaryFolder();
  const runs = openRunFolder(root);
  const journal = await runs.create('r1');
  await write(journal, seal('r1', shortRun).slice(0, 3));
  await journal.close();
  const path = join(root, 'r1/events.jsonl');
  const bytes = readFileSync(path);
  truncateSync(path, bytes.indexOf(Buffer.from('\u{1F600}')) + 2);
  const whole = bytes.subarray(0, -1).lastIndexOf('\n') + 1;
  await (await runs.resume('r1')).journal.close();
  const aside = readFileSync(join(root, 'r1', `events.torn-at-${whole}`));
  expect(aside.subarray(-2)).toStrictEqual(Buffer.from([0xf0, 0x9f]));
});

test('runs are listed, the newest first, from run.json where that is of the newest event, and the broken ones with why', async () => {
  const root = temporaryFolder();
  const runs = openRunFolder(root);
  for (const [minute, id] of ['old', 'new', 'cut'].entries()) {
    const journal = await runs.create(id);
    const events = seal(id, shortRun, minute);
    await write(journal, id === 'cut' ? events.slice(0, 2) : events);
    if (id === 'cut') await journal.close();
    else await journal.finish();
  }
  mkdirSync(join(root, 'not a run'));
  writeFileSync(join(root, 'file'), '');
  mkdirSync(join(root, 'no-events'));
  writeFileSync(join(root, 'no-events', 'run.json'), '{}');
  const broken = await runs.create('broken');
  await write(broken, seal('broken', shortRun));
  await broken.finish();
  appendFileSync(join(root, 'broken/events.jsonl'), '{}\n');
  const emptied = await runs.create('emptied');
  await write(emptied, seal('emptied', shortRun));
  await emptied.finish();
  writeFileSync(join(root, 'emptied/events.jsonl'), '');
  // What only run.json says shows that nothing else was read.
  const path = join(root, 'old/run.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('What is it?', 'From run.json'));
  const stale = join(root, 'new/run.json');
  writeFileSync(
    stale,
    readFileSync(stale, 'utf8')
      .replace('What is it?', 'Stale')
      .replace(/"hash": "[^"]+"/u, `"hash": "${sha256('')}"`),
  );
  const listed = await runs.list();
  expect(
    listed
      .filter(({ kind }) => kind === 'run')
      .map((run) => run.kind === 'run' && [run.id, run.summary.status, run.summary.requests[0]?.text]),
  ).toStrictEqual([
    ['cut', 'working', 'What is it?'],
    ['new', 'finished', 'What is it?'],
    ['old', 'finished', 'From run.json'],
  ]);
  const problems = listed.flatMap((run) => (run.kind === 'broken' ? [[run.id, run.error.code] as const] : []));
  expect(new Map(problems)).toStrictEqual(
    new Map([
      ['not a run', 'INVALID_RECORD'],
      ['file', 'PATH_TRAVERSAL_BLOCKED'],
      ['no-events', 'INVALID_RECORD'],
      ['broken', 'INVALID_RECORD'],
      ['emptied', 'INVALID_RECORD'],
    ]),
  );
});

test('where run.json says otherwise than the events, a reader says what, and takes nothing from it', async () => {
  const root = temporaryFolder();
  const runs = openRunFolder(root);
  for (const id of ['r1', 'r2']) {
    const journal = await runs.create(id);
    await write(journal, seal(id, shortRun));
    await journal.finish();
  }
  const path = join(root, 'r1/run.json');
  const text = readFileSync(path, 'utf8');
  const problem = async (content: string | undefined): Promise<unknown> => {
    if (content === undefined) rmSync(path, { force: true });
    else writeFileSync(path, content);
    const { events, summaryProblem } = await runs.read('r1');
    expect(summariseRun(events)).toStrictEqual(summariseRun(seal('r1', shortRun)));
    expect(summaryProblem === undefined || summaryProblem.code === 'INVALID_RECORD').toBe(true);
    return summaryProblem?.message;
  };
  const stated = (change: object): string => JSON.stringify({ ...(JSON.parse(text) as object), ...change });
  expect(await problem(text)).toBeUndefined();
  expect(await problem(undefined)).toBeUndefined();
  expect(await problem(stated({ requests: [], status: 'open' }))).toBe(
    `${path} says otherwise than the events of the run: status, requests.`,
  );
  expect(await problem(readFileSync(join(root, 'r2/run.json'), 'utf8'))).toMatch(/: id, hash\.$/u);
  expect(await problem(stated({ events: 0 }))).toMatch(/: events\.$/u);
  expect(await problem(stated({ events: 9 }))).toMatch(/: events\.$/u);
  expect(await problem(stated({ hash: sha256('') }))).toMatch(/: hash\.$/u);
  expect(await problem('{}')).toContain('run.json');
  // As a crash leaves it: of fewer events, and of these all that it says is so.
  const earlier = JSON.parse(formatRunSummary(summariseRun(seal('r1', shortRun).slice(0, 2)))) as object;
  expect(await problem(JSON.stringify(earlier))).toBeUndefined();
  expect(await problem(JSON.stringify({ ...earlier, status: 'open' }))).toMatch(/: status\.$/u);
});

test('the lock tells a run that is being written from one that was cut off', async () => {
  const root = temporaryFolder();
  const runs = openRunFolder(root);
  const journal = await runs.create('r1');
  const events = seal('r1', shortRun);
  await write(journal, events.slice(0, 2));
  const cutOff = async (): Promise<unknown> => {
    const [listed] = await runs.list();
    return [(await runs.read('r1')).cutOff, listed?.kind === 'run' && listed.cutOff];
  };
  expect(await cutOff()).toStrictEqual([false, false]);
  await journal.close();
  expect(await cutOff()).toStrictEqual([true, true]);
  const resumed = await runs.resume('r1');
  expect(resumed.cutOff).toBe(true);
  expect(await cutOff()).toStrictEqual([false, false]);
  await write(resumed.journal, events.slice(2));
  await resumed.journal.finish();
  expect(await cutOff()).toStrictEqual([false, false]);
});

test('whoever asks whether a run is being written keeps nobody from resuming it', async () => {
  const root = temporaryFolder();
  const runs = openRunFolder(root);
  const journal = await runs.create('r1');
  await write(journal, seal('r1', shortRun).slice(0, 2));
  await journal.close();
  // As `list` and `read` do, for longer.
  const descriptor = openSync(join(root, 'r1/events.jsonl'), 'r');
  expect(nativeLocks.tryLock(descriptor, posix ? 0 : 2 ** 40, posix ? 0 : 1, { shared: true })).toBe(true);
  setTimeout(() => closeSync(descriptor), 15);
  const resumed = await runs.resume('r1');
  expect(resumed.events).toHaveLength(2);
  await resumed.journal.close();
});

test('a deferred record is made with the first request, whole; without one there is nothing', async () => {
  const root = join(temporaryFolder(), 'runs');
  const runs = openRunFolder(root);
  const events = seal('r1', shortRun);
  const bytes = new TextEncoder().encode('an index');
  const silent = await runs.create('r0', { deferred: true });
  await silent.keep(bytes);
  await write(silent, seal('r0', [started]));
  expect(await silent.finish()).toMatchObject({ id: 'r0', status: 'open', requests: [] });
  await expect(silent.append(events[1]!)).rejects.toThrow(refused('USAGE'));
  await silent.close();
  const journal = await runs.create('r1', { deferred: true });
  expect(await journal.keep(bytes)).toStrictEqual({ digest: sha256(bytes), size: bytes.length });
  await write(journal, events.slice(0, 1));
  expect(existsSync(root)).toBe(false);
  await write(journal, events.slice(1));
  expect((await runs.read('r1')).events).toStrictEqual(events);
  await expect(runs.resume('r1')).rejects.toThrow(refused('BUSY'));
  expect(await journal.finish()).toStrictEqual(summariseRun(events));
  expect(await (await runs.read('r1')).kept(sha256(bytes))).toStrictEqual(bytes);
  expect((await runs.list()).map(({ id }) => id)).toStrictEqual(['r1']);
});

test('a deferred record that cannot be made refuses the first request, and everything after it', async () => {
  const root = temporaryFolder();
  const runs = openRunFolder(root);
  await expect(runs.create('../r1', { deferred: true })).rejects.toThrow(refused('USAGE'));
  const journal = await runs.create('r1', { deferred: true });
  await (await runs.create('r1')).close();
  const [first, second, third] = seal('r1', shortRun);
  await journal.append(first!);
  await expect(journal.append(second!)).rejects.toThrow(refused('USAGE'));
  for (const use of [journal.append(third!), journal.sync(), journal.finish()]) {
    await expect(use).rejects.toThrow(refused('USAGE'));
  }
  await journal.close();
  expect(readFileSync(join(root, 'r1/events.jsonl'), 'utf8')).toBe('');
});

test('what a kill leaves before anything is asked is passed over, as it was made', async () => {
  const root = temporaryFolder();
  const runs = openRunFolder(root);
  mkdirSync(join(root, 'bare'));
  mkdirSync(join(root, 'kept/observations'), { recursive: true });
  await (await runs.create('no-event')).close();
  const torn = await runs.create('torn');
  await torn.close();
  writeFileSync(join(root, 'torn/events.jsonl'), '{"type":"run_sta');
  const silent = await runs.create('silent');
  await write(silent, seal('silent', [started]));
  expect((await runs.list()).map(({ id }) => id)).toStrictEqual(['silent']);
  await silent.close();
  expect(await runs.list()).toStrictEqual([]);
});

test('the folder of the runs is made with a .gitignore that names everything, and gets no other one', async () => {
  const root = join(temporaryFolder(), '.agents/runs');
  const runs = openRunFolder(root);
  await (await runs.create('r1')).close();
  const path = join(root, '.gitignore');
  expect(readFileSync(path, 'utf8')).toBe('*\n');
  expect(readdirSync(join(root, '..'))).toStrictEqual(['runs']);
  if (posix) expect(statSync(root).mode & 0o777).toBe(0o700);
  expect(await runs.list()).toStrictEqual([]);
  rmSync(path);
  await (await runs.create('r2')).close();
  expect(readdirSync(root)).toStrictEqual(['r1', 'r2']);
});

test('events.jsonl takes 256 MiB and not a byte more, and no larger one is read', async () => {
  const root = temporaryFolder();
  const runs = openRunFolder(root);
  const journal = await runs.create('r1');
  const [first, second] = seal('r1', [
    started,
    { type: 'request_received', request: { text: '語'.repeat(1_000_000) } },
  ]);
  await journal.append(first!);
  let last = second!;
  let size = formatRunEvent(first!).length;
  const limit = 256 * 1024 * 1024;
  // What stands in an event is not read again: of each but its place, only the size counts here.
  for (
    ;
    size + Buffer.byteLength(formatRunEvent(last)) <= limit;
    last = { ...last, seq: last.seq + 1, prev: last.hash }
  ) {
    await journal.append(last);
    size += Buffer.byteLength(formatRunEvent(last));
  }
  const path = join(root, 'r1/events.jsonl');
  await expect(journal.append(last)).rejects.toThrow(refused('FILE_TOO_LARGE'));
  expect(statSync(path).size).toBe(size);
  // A shorter one still has room.
  const text = (length: number): RunEvent => ({ ...last, request: { text: 'x'.repeat(length) } }) as RunEvent;
  const room = limit - size - formatRunEvent(text(0)).length;
  await expect(journal.append(text(room + 1))).rejects.toThrow(refused('FILE_TOO_LARGE'));
  await journal.append(text(room));
  expect(statSync(path).size).toBe(limit);
  await journal.close();
  truncateSync(path, 0);
  truncateSync(path, limit + 1);
  await expect(runs.read('r1')).rejects.toThrow(refused('FILE_TOO_LARGE'));
});

test('a run.json of another run is not taken for that of a run, whatever hash it names', async () => {
  const root = temporaryFolder();
  const runs = openRunFolder(root);
  const journal = await runs.create('r1');
  await write(journal, seal('r1', shortRun));
  await journal.finish();
  const path = join(root, 'r1/run.json');
  const other = { ...(JSON.parse(readFileSync(path, 'utf8')) as object), id: 'r2', requests: [] };
  writeFileSync(path, JSON.stringify(other));
  expect(await runs.list()).toMatchObject([{ id: 'r1', summary: { id: 'r1', requests: [{ text: 'What is it?' }] } }]);
});

test('where run.json cannot be written, the record is finished all the same, if somebody is told of it', async () => {
  const root = temporaryFolder();
  const events = seal('r1', shortRun);
  const finish = async (id: string, onUnwritten?: (error: SkillsError) => void) => {
    const journal = await openRunFolder(root, { sha256, onUnwritten }).create(id);
    await write(journal, seal(id, shortRun));
    mkdirSync(join(root, id, 'run.json', 'in the way'), { recursive: true });
    return journal.finish();
  };
  const told: string[] = [];
  expect(await finish('r1', ({ message }) => told.push(message))).toStrictEqual(summariseRun(events));
  expect(told).toEqual([expect.stringContaining(join(root, 'r1', 'run.json'))]);
  await expect(finish('r2')).rejects.toThrow(refused('IO_ERROR'));
  for (const id of ['r1', 'r2']) expect((await openRunFolder(root).resume(id)).events).toHaveLength(events.length);
});

test('an event of another run is taken into no record, also where it would follow', async () => {
  const root = temporaryFolder();
  const journal = await openRunFolder(root).create('r1');
  const [first] = seal('r1', shortRun);
  for (const run of ['r2', 'r10', 'r', 'r2/r1']) {
    const event = { ...first, run } as RunEvent;
    await expect(journal.append(event)).rejects.toThrow(refused('USAGE'));
  }
  expect(statSync(join(root, 'r1', 'events.jsonl')).size).toBe(0);
  await write(journal, seal('r1', shortRun));
  expect(await journal.finish()).toMatchObject({ events: shortRun.length });
});

test('what an earlier process kept is not written once more, unless it is damaged', async () => {
  const root = temporaryFolder();
  const bytes = new TextEncoder().encode('a whole output');
  const keep = async (open: (id: string) => Promise<Pick<OpenRun, 'keep' | 'append' | 'sync' | 'close'>>) => {
    const journal = await open('r1');
    const { digest } = await journal.keep(bytes);
    return { journal, path: join(root, 'r1', 'observations', digestHex(digest)) };
  };
  const runs = openRunFolder(root);
  const first = await keep(async (id) => runs.create(id));
  await write(first.journal, seal('r1', shortRun.slice(0, 2)));
  await first.journal.close();
  const { ino } = statSync(first.path);
  const resume = async (id: string): Promise<OpenRun> => (await runs.resume(id)).journal;
  const second = await keep(resume);
  await second.journal.close();
  expect(statSync(first.path).ino).toBe(ino);
  writeFileSync(first.path, 'something else');
  const third = await keep(resume);
  await third.journal.close();
  expect(readFileSync(first.path, 'utf8')).toBe('a whole output');
});

test('a folder of runs that a repository brings with nothing in it gets a .gitignore with the first run; one that somebody chose does not', async () => {
  const root = temporaryFolder();
  const path = join(root, '.gitignore');
  writeFileSync(join(root, '.gitkeep'), '');
  const runs = openRunFolder(root);
  await (await runs.create('r1')).close();
  expect(readFileSync(path, 'utf8')).toBe('*\n');
  rmSync(path);
  await (await runs.create('r2')).close();
  expect(existsSync(path)).toBe(false);
  for (const name of ['package.json', '.git', 'README.md']) {
    const chosen = temporaryFolder();
    writeFileSync(join(chosen, name), '');
    await (await openRunFolder(chosen).create('r1')).close();
    expect(readdirSync(chosen)).toStrictEqual([name, 'r1'].toSorted());
  }
});
