import { parsePackName } from '@skillpack/core';
import { makePack } from '@skillpack/core/testing';
import { createHttpRegistry } from '@skillpack/registry-http';
import { createFolderRegistry, createRegistryServer, serveRegistry } from '@skillpack/registry-http/server';
import { expect, onTestFinished, test } from 'vitest';
import { archivePorts, httpPorts, packPorts } from './ports.js';
import { temporaryFolder } from './temporary-folder.js';

test('AGIO-23: a market of skills: a repository that is searched, with versions and what they depend on', async () => {
  const folder = createFolderRegistry(await temporaryFolder(), archivePorts);
  const tokens = [{ token: 'author', organisations: ['docs'] }];
  const server = await serveRegistry(createRegistryServer(folder, archivePorts, { tokens }));
  onTestFinished(() => server.close());
  const author = createHttpRegistry(server.url, httpPorts, { token: () => 'author' });
  const publish = (name: string, version: string, dependencies: Record<string, string> = {}) =>
    author.publish(makePack({ name, version, dependencies, keywords: ['paper'] }, packPorts));
  await publish('docs/fonts', '1.0.0');
  await publish('docs/pdf', '1.0.0');
  await publish('docs/pdf', '1.1.0', { 'docs/fonts': '^1.0.0' });

  const reader = createHttpRegistry(server.url, httpPorts);
  const found = await reader.search('paper');
  expect(found.map(({ name, version }) => `${name}@${version}`)).toEqual(['docs/fonts@1.0.0', 'docs/pdf@1.1.0']);
  const { versions } = await reader.getPack(parsePackName('docs/pdf'));
  expect(versions.map(({ version, dependencies }) => [version, dependencies])).toEqual([
    ['1.0.0', {}],
    ['1.1.0', { 'docs/fonts': '^1.0.0' }],
  ]);
});

test('a search endpoint is asked where there is no catalogue, for as many hits as it gives', async () => {
  const folder = createFolderRegistry(await temporaryFolder(), archivePorts);
  await folder.publish(makePack({ name: 'docs/pdf', version: '1.0.0' }, packPorts));
  await folder.files.remove('search');
  const handler = createRegistryServer(folder, archivePorts);
  const asked: string[] = [];
  const server = await serveRegistry((request) => {
    asked.push(request.url.replace(/^.*invalid/u, ''));
    return handler(request);
  });
  onTestFinished(() => server.close());
  const info = JSON.parse(await (await fetch(`${server.url}registry.json`)).text()) as object;
  await folder.files.replace('registry.json', JSON.stringify({ ...info, search: null }));
  const hits = await createHttpRegistry(server.url, httpPorts).search('pdf reader', { limit: 5_000 });
  expect(hits.map(({ name }) => name)).toEqual(['docs/pdf']);
  expect(asked).toContain('/search?q=pdf+reader&limit=100');
});
