import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Digest } from '@skillpack/core';
import { formatResult, memoryResults, parseResults, selectResults, type EvalResult } from '../src/index.js';
import { resultsFile } from '../src/node.js';
import { sha256 } from './trial-ground.js';

export function makeResult(name: string, more: Partial<EvalResult> = {}): EvalResult {
  return {
    formatVersion: 1,
    key: sha256(name),
    suite: 'suite',
    case: name,
    arm: 'with_skill',
    model: 'm',
    trial: 1,
    kind: 'task',
    tags: ['a'],
    input: 'Do it.',
    outcome: 'passed',
    fired: ['pdf'],
    wanted: { skills: ['pdf'], all: true, not: [] },
    checks: [{ kind: 'output', text: 'it holds x', verdict: 'passed', evidence: 'x', seq: 3 }],
    answer: 'Done – 完了.\u202Etxt',
    steps: [{ seq: 1, kind: 'model', label: 'm', start: 0, duration: 5, ok: true, tokens: [3, 4], cost: 0.1 }],
    spent: { turns: 1, toolCalls: 0, scripts: 0, inputTokens: 3, outputTokens: 4, cost: 0.1, duration: 5 },
    at: '2026-11-22T08:00:00.000Z',
    attempts: 1,
    files: [{ path: 'out.txt', size: 3 }],
    ...more,
  };
}

const freshPath = async (): Promise<string> => join(await mkdtemp(join(tmpdir(), 'results-')), 'out', 'results.jsonl');

test('a result is one line, and is read back as it was', () => {
  const results = [
    makeResult('one'),
    makeResult('two', { outcome: 'error', reason: { code: 'TIMEOUT', message: 'It hung.' } }),
  ];
  const text = results.map(formatResult).join('');
  expect(text.split('\n')).toHaveLength(3);
  expect(text).not.toContain('\u202E');
  expect(parseResults(text)).toEqual(results);
});

test('whatever texts a result holds, it is read back as it was', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed());
  fc.assert(
    fc.property(texts, texts, texts, (answer, evidence, path) => {
      const result = makeResult('x', {
        answer,
        checks: [{ kind: 'rubric', text: evidence, verdict: 'passed', evidence }],
        files: [{ path, size: 0 }],
      });
      expect(parseResults(formatResult(result))).toEqual([result]);
    }),
    { numRuns: 200 },
  );
});

test('a log that was cut off anywhere holds every whole line, and nothing of the one that was cut', () => {
  const lines = [makeResult('one'), makeResult('two'), makeResult('three', { answer: '完了' })].map(formatResult);
  const text = lines.join('');
  const whole = lines.slice(0, 2).join('');
  for (let end = 0; end < text.length; end += 1) {
    const left = text.slice(0, end);
    const complete = lines.filter((_, at) => lines.slice(0, at + 1).join('').length - 1 <= end).length;
    expect(parseResults(left)).toHaveLength(complete);
  }
  expect(parseResults(whole)).toHaveLength(2);
});

test('what is no result is refused with its line, and so are a later version and a text that is too long', () => {
  const good = formatResult(makeResult('one'));
  const codeOf = (text: string): unknown => {
    try {
      return parseResults(text);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect(() => parseResults(`${good}not json\n${good}`, { what: 'results.jsonl' })).toThrow('results.jsonl, line 2,');
  expect(() => parseResults(good.replace('"outcome":"passed"', '"outcome":"perfect"'))).toThrow('outcome');
  expect(codeOf(good.replace('"formatVersion":1', '"formatVersion":2'))).toBe('UNSUPPORTED_FORMAT');
  expect(codeOf(good.replace(/"key":"sha256:[0-9a-f]+"/u, '"key":"x"'))).toBe('INVALID_RESULTS');
  expect(codeOf(good.replace('"attempts":1', '"attempts":-1'))).toBe('INVALID_RESULTS');
  const failed = { kind: 'output', text: 'it holds x', verdict: 'failed', evidence: 'y' } as const;
  const flipped = formatResult(makeResult('one', { outcome: 'passed', checks: [failed] }));
  expect(() => parseResults(flipped)).toThrow('it passed, and one of its checks failed');
  // A last line of somebody else is no part of one of ours.
  expect(codeOf(`${good}my own notes`)).toBe('INVALID_RESULTS');
  expect(codeOf(`${'['.repeat(100)}\n`)).toBe('INVALID_RESULTS');
});

test('no key of a line reaches the prototype of anything', () => {
  const hostile = formatResult(makeResult('one')).replace(
    '{"formatVersion":1',
    '{"__proto__":{"polluted":1},"formatVersion":1',
  );
  const [result] = parseResults(hostile);
  expect(result).toEqual(makeResult('one'));
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test('of several results of one trial the last one counts, in the order of the plan', () => {
  const jobs = ['b', 'a', 'c'].map((name) => makeResult(name));
  const log = [makeResult('a', { outcome: 'error' }), makeResult('x'), makeResult('b'), makeResult('a')];
  expect(selectResults({ jobs }, log).map(({ case: id, outcome }) => [id, outcome])).toEqual([
    ['b', 'passed'],
    ['a', 'passed'],
  ]);
});

test('a result that bears the key of another trial does not count for a plan', () => {
  const job = makeResult('a');
  expect(selectResults({ jobs: [job] }, [makeResult('b', { key: job.key })])).toEqual([]);
  expect(selectResults({ jobs: [job] }, [makeResult('a', { model: 'another' })])).toEqual([]);
});

test('a result that could not be read again is not written', async () => {
  await using log = resultsFile(await freshPath());
  await log.append(makeResult('one'));
  const { spent } = makeResult('one');
  for (const odd of [
    { outcome: 'perfect' as never },
    { spent: { ...spent, cost: -1 } },
    { spent: { ...spent, duration: Number.NaN } },
    { at: 'yesterday' },
    { checks: undefined as never },
  ]) {
    await expect(log.append(makeResult('two', odd))).rejects.toMatchObject({ code: 'INVALID_RESULTS' });
  }
  await log.append(makeResult('three'));
  expect((await log.read()).map(({ case: id }) => id)).toEqual(['one', 'three']);
});

test('a log that somebody else changes while it is written is not written any further', async () => {
  const changes: readonly ((path: string) => Promise<void>)[] = [
    async (path) => appendFile(path, formatResult(makeResult('by hand'))),
    async (path) => truncate(path, 0),
    async (path) => rm(path),
    async (path) => {
      await copyFile(path, `${path}.new`);
      await rename(`${path}.new`, path);
    },
  ];
  for (const change of changes) {
    const path = await freshPath();
    await using log = resultsFile(path);
    await log.append(makeResult('one'));
    await change(path);
    await expect(log.append(makeResult('two'))).rejects.toMatchObject({ code: 'IO_ERROR' });
    await using again = resultsFile(path);
    await again.read();
  }
});

test('a log that is full takes nothing more, and can still be read', async () => {
  const path = await freshPath();
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, '\n'.repeat(199_999));
  await using log = resultsFile(path);
  await log.append(makeResult('one'));
  await expect(log.append(makeResult('two'))).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  expect(await log.read()).toHaveLength(1);
});

test('a log of more lines than are read is refused, and so is an option that there is not', () => {
  expect(parseResults('\n'.repeat(200_000))).toEqual([]);
  expect(() => parseResults('\n'.repeat(200_001))).toThrow('more than 200000 lines');
  expect(() => parseResults('', { name: 'x' } as never)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test('a log that is let go of can be written by the next one, and not before', async () => {
  const path = await freshPath();
  const first = resultsFile(path);
  await first.append(makeResult('one'));
  await using second = resultsFile(path);
  await expect(second.append(makeResult('two'))).rejects.toMatchObject({ code: 'BUSY' });
  await first[Symbol.asyncDispose]();
  await second.append(makeResult('two'));
  await expect(first.append(makeResult('three'))).rejects.toMatchObject({ code: 'USAGE' });
  expect(await second.read()).toHaveLength(2);
});

test('a log in memory gives what it was given', async () => {
  const log = memoryResults([makeResult('one')]);
  await log.append(makeResult('two'));
  expect((await log.read()).map(({ case: id }) => id)).toEqual(['one', 'two']);
});

test('a log in a file is made for its owner alone, and read by the next process', async () => {
  const path = await freshPath();
  expect(await resultsFile(path).read()).toEqual([]);
  {
    await using log = resultsFile(path);
    await Promise.all([log.append(makeResult('one')), log.append(makeResult('two')), log.append(makeResult('three'))]);
    expect(await log.read()).toHaveLength(3);
  }
  expect((await resultsFile(path).read()).map(({ case: id }) => id)).toEqual(['one', 'two', 'three']);
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o077).toBe(0);
});

test('a line that a crash cut off is mended by whoever writes next, wherever it was cut', async () => {
  const [first, second] = [formatResult(makeResult('one')), formatResult(makeResult('two', { answer: '完了 🙂' }))];
  const bytes = Buffer.from(second);
  for (const cut of [0, 1, 10, 40, bytes.indexOf(Buffer.from('完')) + 1, bytes.length - 2]) {
    const path = await freshPath();
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, Buffer.concat([Buffer.from(first), bytes.subarray(0, cut)]));
    expect(await resultsFile(path).read()).toHaveLength(1);
    await using log = resultsFile(path);
    await log.append(makeResult('three'));
    expect(await readFile(path, 'utf8')).toBe(first + formatResult(makeResult('three')));
  }
});

test('a last line that is whole but for its newline is kept', async () => {
  const path = await freshPath();
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, formatResult(makeResult('one')).trimEnd());
  await using log = resultsFile(path);
  await log.append(makeResult('two'));
  expect((await log.read()).map(({ case: id }) => id)).toEqual(['one', 'two']);
});

test('a file that holds something else is refused, and left as it is', async () => {
  const path = await freshPath();
  await mkdir(join(path, '..'), { recursive: true });
  for (const text of [
    'my own notes',
    'my own notes\nof two lines\n',
    '{"a":1}\n',
    `${formatResult(makeResult('one'))}notes`,
  ]) {
    await writeFile(path, text);
    await using log = resultsFile(path);
    await expect(log.append(makeResult('two'))).rejects.toMatchObject({ code: 'INVALID_RESULTS' });
    expect(await readFile(path, 'utf8')).toBe(text);
  }
});

test('a link and a folder are no log', async () => {
  const path = await freshPath();
  await mkdir(path, { recursive: true });
  await using folder = resultsFile(path);
  await expect(folder.append(makeResult('one'))).rejects.toMatchObject({ code: 'PATH_TRAVERSAL_BLOCKED' });
  const target = `${path}-elsewhere`;
  await writeFile(target, '');
  await symlink(target, `${path}-link`);
  await using link = resultsFile(`${path}-link`);
  await expect(link.append(makeResult('one'))).rejects.toMatchObject({ code: 'PATH_TRAVERSAL_BLOCKED' });
  expect(await readFile(target, 'utf8')).toBe('');
});

test.runIf(process.getuid?.() !== 0)('a folder that cannot be written to is an error of the disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'results-'));
  await chmod(folder, 0o500);
  await using log = resultsFile(join(folder, 'results.jsonl'));
  await expect(log.append(makeResult('one'))).rejects.toMatchObject({ code: 'IO_ERROR' });
});

test('a log that was closed takes nothing more', async () => {
  const log = resultsFile(await freshPath());
  await log.append(makeResult('one'));
  await log[Symbol.asyncDispose]();
  await expect(log.append(makeResult('two'))).rejects.toMatchObject({ code: 'USAGE' });
  expect(await log.read()).toHaveLength(1);
});

const writer = fileURLToPath(new URL('fixtures/write-results.ts', import.meta.url));
const sources = fileURLToPath(new URL('../../../test/registry/resolve-sources.ts', import.meta.url));

/** A process that appends to a log until it is ended. */
function startWriter(path: string, mode: 'endless' | 'torn') {
  return spawn(process.execPath, ['--conditions=skillpack-source', '--import', sources, writer, path, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('while one process writes, another one is refused; once that is killed, its lines are there and the log goes on', async () => {
  const path = await freshPath();
  const child = startWriter(path, 'endless');
  await once(child.stdout, 'data');
  await using log = resultsFile(path);
  await expect(log.append(makeResult('mine'))).rejects.toMatchObject({ code: 'BUSY' });
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const before = await log.read();
  expect(before.length).toBeGreaterThan(0);
  await log.append(makeResult('mine'));
  const after = await resultsFile(path).read();
  expect(after).toHaveLength(before.length + 1);
  expect(after.at(-1)?.case).toBe('mine');
});

test('a process that is killed in the middle of a line leaves a log that is read and goes on', async () => {
  const path = await freshPath();
  const child = startWriter(path, 'torn');
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await ended;
  const text = await readFile(path, 'utf8');
  expect(text.endsWith('\n')).toBe(false);
  await using log = resultsFile(path);
  expect((await log.read()).map(({ case: id }) => id)).toEqual(['whole']);
  await log.append(makeResult('next'));
  expect((await resultsFile(path).read()).map(({ case: id }) => id)).toEqual(['whole', 'next']);
  await appendFile(path, '');
});

test('keys are digests, so that two trials are never one', () => {
  const keys = new Set<Digest>(['a', 'b'].map((name) => makeResult(name).key));
  expect(keys.size).toBe(2);
});
