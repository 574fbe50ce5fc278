import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recorded, scripted, type RecordedOptions } from '@skillpack/model-adapters';
import { cassetteFile } from '@skillpack/model-adapters/node';
import { expect, onTestFinished, test } from 'vitest';
import { calling, errorOf, requestOf, user } from './recorded-ground.js';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'skillpack-cassette-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const ask = (text: string) => requestOf([user(text)]);

async function record(path: string, texts: readonly string[], options: RecordedOptions = {}): Promise<void> {
  const say = texts.map((text) => ({ say: `answer to ${text}` }));
  const model = await recorded(scripted(say), cassetteFile(path), { mode: 'record', ...options });
  for (const text of texts) await model.decide(ask(text), calling());
  await model.close();
}

async function answerTo(path: string, text: string): Promise<string> {
  return (await (await recorded(undefined, cassetteFile(path))).decide(ask(text), calling())).text;
}

test('PSA-29: a cassette in a file is replayed by another process, and only its owner may read it', async () => {
  const path = join(makeFolder(), 'pdf.jsonl');
  await record(path, ['a', 'b']);
  expect(await answerTo(path, 'b')).toBe('answer to b');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const bytes = readFileSync(path);
  await record(path, ['a', 'b']);
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect((await errorOf(recorded(undefined, cassetteFile(`${path}.not`)))).code).toBe('RECORDING_NOT_FOUND');
});

test('PSA-29: a recording leaves the old file as it was until it is closed, and nothing beside it', async () => {
  const folder = makeFolder();
  const path = join(folder, 'pdf.jsonl');
  await record(path, ['a']);
  for (const end of ['discard', 'close'] as const) {
    const model = await recorded(scripted([{ say: 'new' }]), cassetteFile(path), { mode: 'record' });
    await model.decide(ask('a'), calling());
    expect(await answerTo(path, 'a')).toBe('answer to a');
    await model[end]();
    await model.close();
    await model.discard();
    expect(readdirSync(folder)).toEqual(['pdf.jsonl']);
    expect(await answerTo(path, 'a')).toBe(end === 'close' ? 'new' : 'answer to a');
  }
});

test.for(['# Notes\n', '{"kind":"other"}\n', '%PDF-1.7 "kind":"cassette"', '\0'])(
  'PSA-29: a file that is no cassette is never overwritten: %j',
  async (text) => {
    const folder = makeFolder();
    const path = join(folder, 'notes.md');
    writeFileSync(path, text);
    const error = await errorOf(record(path, ['a']));
    expect(error).toMatchObject({
      code: 'INVALID_CASSETTE',
      message: expect.stringContaining('is no cassette') as unknown,
    });
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual(['notes.md']);
    writeFileSync(path, '');
    await record(path, ['a']);
    expect(await answerTo(path, 'a')).toBe('answer to a');
  },
);

test('PSA-29: what is missing is added to the file at once, and makes it where there is none', async () => {
  const folder = makeFolder();
  const path = join(folder, 'pdf.jsonl');
  for (const texts of [['a'], ['b', 'c']]) {
    const model = await recorded(scripted(texts.map((text) => ({ say: text }))), cassetteFile(path), {
      mode: 'record-missing',
    });
    for (const text of texts) {
      await model.decide(ask(text), calling());
      expect(await answerTo(path, text)).toBe(text);
    }
    await model.close();
    await model.discard();
  }
  expect(readdirSync(folder)).toEqual(['pdf.jsonl']);
  expect(readFileSync(path, 'utf8').match(/"kind":"cassette"/gu)).toHaveLength(1);
});

test('PSA-29: processes that make one cassette, and add to it at the same time, leave whole lines and lose none', async () => {
  const path = join(makeFolder(), 'pdf.jsonl');
  const resolving = join(import.meta.dirname, '../../../test/registry/resolve-sources.ts');
  const words = [
    '--conditions=skillpack-source',
    '--import',
    resolving,
    join(import.meta.dirname, 'add-to-cassette.ts'),
  ];
  const processes = ['x', 'y', 'z'].map((name) =>
    spawn(process.execPath, [...words, path, name], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const ended = processes.map(async (child) => once(child, 'exit'));
  await Promise.all(processes.map(async (child) => once(child.stdout, 'data')));
  // All of them find no cassette, and make one.
  writeFileSync(`${path}.go`, '');
  const exits = await Promise.all(ended);
  expect(exits.map(([code]: unknown[]) => code)).toEqual([0, 0, 0]);
  for (const name of ['x', 'y', 'z']) {
    for (let at = 0; at < 20; at += 1) expect(await answerTo(path, `${name} ${at}`)).toContain(`${name}${at}`);
  }
});

test('PSA-29: nothing is written behind a line that was cut off, by whomever', async () => {
  const path = join(makeFolder(), 'pdf.jsonl');
  await record(path, ['a']);
  const model = await recorded(scripted([{ say: 'b' }]), cassetteFile(path), { mode: 'record-missing' });
  appendFileSync(path, '{"kind":"answ');
  const before = readFileSync(path, 'utf8');
  expect((await errorOf(model.decide(ask('b'), calling()))).code).toBe('INVALID_CASSETTE');
  expect((await errorOf(model.close())).code).toBe('INVALID_CASSETTE');
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(await answerTo(path, 'a')).toBe('answer to a');
});

test('PSA-29: a link, a FIFO or a folder in the place of a cassette is refused, to read and to write', async () => {
  const folder = makeFolder();
  await record(join(folder, 'real.jsonl'), ['a']);
  symlinkSync(join(folder, 'real.jsonl'), join(folder, 'link'));
  symlinkSync(join(folder, 'nothing'), join(folder, 'dangling'));
  mkdirSync(join(folder, 'folder'));
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  const before = readdirSync(folder);
  for (const name of ['link', 'dangling', 'folder', 'fifo']) {
    for (const mode of ['replay', 'record', 'record-missing'] as const) {
      const error = await errorOf(recorded(scripted([]), cassetteFile(join(folder, name)), { mode }));
      expect(error.code, `${name} ${mode}`).toBe('PATH_TRAVERSAL_BLOCKED');
    }
  }
  expect(readdirSync(folder)).toEqual(before);
  expect(existsSync(join(folder, 'nothing'))).toBe(false);
});

test.skipIf(process.getuid?.() === 0)(
  'PSA-29: a folder that cannot be written is an IO_ERROR, before a model is asked',
  async () => {
    const folder = makeFolder();
    const path = join(folder, 'pdf.jsonl');
    await record(path, ['a']);
    chmodSync(path, 0o400);
    chmodSync(folder, 0o500);
    onTestFinished(() => chmodSync(folder, 0o700));
    for (const mode of ['record', 'record-missing'] as const) {
      expect((await errorOf(recorded(scripted([]), cassetteFile(path), { mode }))).code).toBe('IO_ERROR');
    }
    expect(await answerTo(path, 'a')).toBe('answer to a');
  },
);

test.skipIf(!existsSync('/dev/full'))('PSA-29: a folder that is not there is an IO_ERROR with its name', async () => {
  const path = join(makeFolder(), 'missing', 'pdf.jsonl');
  for (const mode of ['record', 'record-missing'] as const) {
    const error = await errorOf(recorded(scripted([]), cassetteFile(path), { mode }));
    expect([error.code, error.data['errno']]).toEqual(['IO_ERROR', 'ENOENT']);
    expect(error.message).toContain(path);
  }
});

test('PSA-29: a file that is too large is refused before it is read, and messages use the name that was given', async () => {
  const path = join(makeFolder(), 'huge.jsonl');
  writeFileSync(path, '');
  truncateSync(path, 65 * 1024 * 1024);
  const error = await errorOf(recorded(undefined, cassetteFile(path, { name: 'cassettes/huge.jsonl' })));
  expect(error.code).toBe('FILE_TOO_LARGE');
  expect(error.message).toContain('The cassette cassettes/huge.jsonl has 68157440 bytes');
});
