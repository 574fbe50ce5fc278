import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SkillsError, type ModelAdapter } from '@skillpack/core';
import { memoryCassette, recorded, scripted } from '@skillpack/model-adapters';
import { cassetteFile } from '@skillpack/model-adapters/node';
import { expect, onTestFinished, test } from 'vitest';
import { calling, decided, errorOf, requestOf, saw, user } from './recorded-ground.js';

const mebibyte = 1024 * 1024;

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'skillpack-cassette-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('PSA-29: no cassette is written that would be too large to be read', async () => {
  const folder = makeFolder();
  const path = join(folder, 'full.jsonl');
  writeFileSync(path, '');
  truncateSync(path, 64 * mebibyte - 6);
  writeFileSync(path, '\n', { flag: 'a' });
  const added = await cassetteFile(path).write('extend', '{}\n');
  await added.append('1234\n');
  expect((await errorOf(added.append('\n'))).code).toBe('FILE_TOO_LARGE');
  await added.commit();
  expect(statSync(path).size).toBe(64 * mebibyte);
  const first = '{"kind":"cassette"}\n';
  writeFileSync(path, first);
  const anew = await cassetteFile(join(folder, 'new.jsonl')).write('anew', first);
  await anew.append(`${'x'.repeat(40 * mebibyte)}\n`);
  const error = await errorOf(anew.append(`${'x'.repeat(24 * mebibyte)}\n`));
  expect([error.code, error.message]).toEqual(['FILE_TOO_LARGE', expect.stringContaining('would have 67108886 bytes')]);
  expect(readdirSync(folder)).toEqual(['full.jsonl']);
  expect(statSync(path).size).toBe(first.length);
});

test.skipIf(process.platform === 'win32')(
  'PSA-29: a link that took the place of a cassette while it was recorded is not replaced',
  async () => {
    const folder = makeFolder();
    const path = join(folder, 'one.jsonl');
    const model = await recorded(scripted([{ say: 'x' }]), cassetteFile(path), { mode: 'record' });
    await model.decide(requestOf([user('go')]), calling());
    symlinkSync('/etc/hostname', path);
    expect((await errorOf(model.close())).code).toBe('PATH_TRAVERSAL_BLOCKED');
    expect(readdirSync(folder)).toEqual(['one.jsonl']);
  },
);

test('PSA-29: a wait that is no number spoils no cassette', async () => {
  for (const retryAfter of [Number.POSITIVE_INFINITY, Number.NaN, -1]) {
    const cassette = memoryCassette();
    const limited: ModelAdapter = {
      name: 'mine:one',
      contextTokens: 9,
      decide: async () => {
        throw new SkillsError('RATE_LIMITED', 'Too often.', { data: { retryAfter } });
      },
    };
    const recording = await recorded(limited, cassette, { mode: 'record' });
    await errorOf(recording.decide(requestOf([user('go')]), calling()));
    await recording.close();
    const replayed = await recorded(undefined, cassette);
    const error = await errorOf(replayed.decide(requestOf([user('go')]), calling()));
    expect([error.code, error.data]).toEqual(['RATE_LIMITED', {}]);
  }
});

test('PSA-29: a conversation whose observation failed is not told as one whose observation did not', async () => {
  const cassette = memoryCassette();
  const recording = await recorded(scripted([{ say: 'x' }, { say: 'y' }]), cassette, { mode: 'record' });
  const until = (ok: boolean) => [user('go'), decided('{}'), saw('Done.', ok)];
  await recording.decide(requestOf(until(true)), calling());
  await recording.decide(requestOf([...until(false), decided('{}'), saw('Again.')]), calling());
  await recording.close();
  const last = JSON.parse(cassette.text?.trimEnd().split('\n').at(-1) ?? '') as { readonly request: object };
  expect(last.request).not.toHaveProperty('after');
  expect(last.request).toHaveProperty('messages.2', { role: 'observation', ok: false, content: 'Done.' });
});

test('PSA-29: a cassette with more calls, or more messages a call, than anybody needs is refused', async () => {
  const cassette = memoryCassette();
  const recording = await recorded(scripted([{ say: 'x' }]), cassette, { mode: 'record' });
  await recording.decide(requestOf([user('go')]), calling());
  await recording.close();
  const lines = (cassette.text ?? '').trimEnd().split('\n');
  const call = JSON.parse(lines.at(-1) ?? '') as { readonly request: object };
  const load = async (more: readonly string[]) => recorded(undefined, memoryCassette([...lines, ...more].join('\n')));
  const messages = Array.from({ length: 10_001 }, () => user('x'));
  const long = JSON.stringify({ ...call, request: { ...call.request, messages } });
  expect((await errorOf(load([long]))).message).toContain('it has more than 10000 messages');
  const many = Array.from({ length: 10_000 }, () => lines.at(-1) ?? '');
  expect((await errorOf(load(many))).message).toContain('there are more than 10000 calls');
  expect((await load(many.slice(1))).name).toBe('scripted:script');
});
