import type { Digest, PackRegistry } from '@skillpack/core';
import { createArchiveReader, createArchiveWriter } from '@skillpack/cli-dist';
import { createHttpRegistry, systemHttpPorts } from '@skillpack/registry-http';
import { createFolderRegistry } from '@skillpack/registry-http/server';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { readRegistrySetting } from '../settings/read-registry-setting.js';
import { lazyRegistry } from './lazy-registry.js';

const source = { origin: 'flag', name: 'The registry', base: process.cwd(), home: '/home/me' } as const;
const archives = createArchiveReader();

test.each(['http://127.0.0.1:4873', 'https://HOST.test/a%20b?x=1#y', 'https://host.test/base/'])(
  'the location of %s is that of the registry which is made of it, so lock files name it alike',
  (url) => {
    const { location } = readRegistrySetting(url, source);
    expect(createHttpRegistry(location, { ...systemHttpPorts, archives }).location).toBe(location);
  },
);

test('the location of a folder is that of the registry in it', () => {
  const { location } = readRegistrySetting('./public', source);
  const registry = createFolderRegistry(location, { archives, writer: createArchiveWriter(), now: () => new Date() });
  expect(registry.location).toBe(pathToFileURL(`${location}/`).href);
});

test('a registry is made once, when it is first asked', async () => {
  let made = 0;
  const registry = lazyRegistry('file:///nowhere/', async () => {
    made += 1;
    const { location } = readRegistrySetting('./nowhere', source);
    return createFolderRegistry(location, { archives, writer: createArchiveWriter(), now: () => new Date() });
  });
  expect(made).toBe(0);
  expect([await registry.search('x'), await registry.getRevocations()]).toEqual([[], []]);
  expect(made).toBe(1);
});

const sink = (taken: string[]) => ({
  write: (piece: Uint8Array) => void taken.push(Buffer.from(piece).toString()),
  restart: () => undefined,
});
const blob = { digest: `sha256:${'0'.repeat(64)}` as Digest, size: 3 };
const made: Pick<PackRegistry, 'location' | 'getPack' | 'search' | 'getRevocations'> = {
  location: 'file:///there/',
  getPack: () => Promise.reject(new Error('not asked')),
  search: () => Promise.resolve([]),
  getRevocations: () => Promise.resolve([]),
};

test('of a registry that cannot copy, a blob is got as a whole; one that can copy is asked to', async () => {
  const asked: unknown[] = [];
  const getBlob: PackRegistry['getBlob'] = async (request, options) => {
    asked.push(request, options);
    return Buffer.from('got');
  };
  const options = { signal: new AbortController().signal };
  const taken: string[] = [];
  const whole = lazyRegistry(made.location, async () => ({ ...made, getBlob }));
  await whole.copyBlob?.(blob, sink(taken), options);
  expect(taken).toEqual(['got']);
  expect(asked).toEqual([blob, options]);
  const copyBlob: PackRegistry['copyBlob'] = async (request, into, given) => {
    asked.push(request, given);
    into.write(Buffer.from('cop'));
    into.write(Buffer.from('ied'));
  };
  const copying = lazyRegistry(made.location, async () => ({ ...made, getBlob, copyBlob }));
  await copying.copyBlob?.(blob, sink(taken), options);
  expect(taken).toEqual(['got', 'cop', 'ied']);
  expect(asked).toEqual([blob, options, blob, options]);
});

test('a registry that is asked several things at once is made once', async () => {
  let count = 0;
  const registry = lazyRegistry(made.location, async () => {
    count += 1;
    return { ...made, getBlob: () => Promise.reject(new Error('not asked')) };
  });
  await Promise.all([registry.search('x'), registry.getRevocations()]);
  await registry.search('y');
  expect(count).toBe(1);
});
