import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleForChild } from './bundle-for-child.js';
import type { Surroundings } from './pack-twice.js';

let folder: string;
let bundle: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillpack-'));
  bundle = await bundleForChild('pack-twice.ts', folder);
});

afterAll(() => rm(folder, { recursive: true }));

async function packElsewhere(surroundings: Surroundings, env: Readonly<Record<string, string>>): Promise<unknown> {
  const script = `require(${JSON.stringify(bundle)})
    .packTwice(${JSON.stringify(surroundings)})
    .then((digests) => console.log(JSON.stringify(digests)));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env: { ...process.env, ...env } });
  return JSON.parse(stdout);
}

const plain: Surroundings = { umask: 0o022, time: 1_000_000_000, reversed: false, relative: false };

test.for([
  ['another time of the files', { time: 1_700_000_000 }, {}],
  ['a time before 1980', { time: 0 }, {}],
  ['another umask', { umask: 0o077 }, {}],
  ['files made in another order', { reversed: true }, {}],
  ['another working directory', { relative: true }, {}],
  ['another time zone and locale', {}, { TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }],
  ['another temporary folder and home', {}, { TMPDIR: '/var/tmp', HOME: '/nonexistent' }],
] as const)('PSA-32: the same tree makes the same archive: %s', async ([, surroundings, env]) => {
  const first = await packElsewhere(plain, { TZ: 'UTC', LANG: 'C' });
  expect(first).toHaveLength(4);
  expect(await packElsewhere({ ...plain, ...surroundings }, env)).toEqual(first);
});
