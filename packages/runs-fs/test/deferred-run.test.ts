import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SkillsError, type ErrorCode } from '@skillpack/core';
import { expect, test } from 'vitest';
import { openRunFolder } from '../src/index.js';
import { sha256 } from '../src/sha256.js';
import { seal, shortRun, temporaryFolder, write } from './sample-run.js';

const refused = (code: ErrorCode): unknown => expect.toSatisfy((error: unknown) => SkillsError.is(error, code));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a deferred record holds what was kept before and after its first request, each once, in the folder that it names', async () => {
  const root = join(temporaryFolder(), 'runs');
  const runs = openRunFolder(root);
  const [before, after] = [bytesOf('kept before'), bytesOf('kept after')];
  const [first, request, ...others] = seal('r1', shortRun);
  {
    await using journal = await runs.create('r1', { deferred: true });
    expect(journal).toMatchObject({ id: 'r1', folder: join(root, 'r1') });
    expect(await journal.keep(before)).toStrictEqual({ digest: sha256(before), size: 11 });
    const given = bytesOf('kept before');
    expect(await journal.keep(given)).toStrictEqual({ digest: sha256(before), size: 11 });
    // Whoever handed it in may use it for something else.
    given.fill(0);
    await journal.append(first!);
    expect(existsSync(root)).toBe(false);
    await journal.append(request!);
    expect(await journal.keep(after)).toStrictEqual({ digest: sha256(after), size: 10 });
    await write(journal, others);
  }
  expect(readdirSync(join(root, 'r1', 'observations'))).toHaveLength(2);
  const record = await runs.read('r1');
  expect(record.events.map(({ type }) => type)).toStrictEqual(shortRun.map(({ type }) => type));
  expect(await record.kept(sha256(before))).toStrictEqual(before);
  expect(await record.kept(sha256(after))).toStrictEqual(after);
});

test('a deferred record that was closed takes nothing more, and leaves nothing', async () => {
  const root = join(temporaryFolder(), 'runs');
  const journal = await openRunFolder(root).create('r1', { deferred: true });
  await journal.close();
  const [first] = seal('r1', shortRun);
  await expect(journal.append(first!)).rejects.toThrow(refused('USAGE'));
  await expect(journal.keep(bytesOf('late'))).rejects.toThrow(refused('USAGE'));
  await expect(journal.sync()).rejects.toThrow(refused('USAGE'));
  await expect(journal.finish()).rejects.toThrow(refused('USAGE'));
  expect(existsSync(root)).toBe(false);
});
