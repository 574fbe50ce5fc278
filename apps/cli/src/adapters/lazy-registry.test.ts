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
