import { parsePackName } from '@skillpack/core';
import { makePack } from '@skillpack/core/testing';
import { createFolderRegistry, createRegistryServer, serveRegistry } from '@skillpack/registry-http/server';
import { expect, onTestFinished, test } from 'vitest';
import { archivePorts, packPorts } from './ports.js';
import { linesOf, runSources } from './run-sources.js';
import { temporaryFolder } from './temporary-folder.js';

test('plain HTTP needs no undici, and connections kept alive do not keep the process', async () => {
  const registry = createFolderRegistry(await temporaryFolder(), archivePorts);
  await registry.publish(makePack({ name: parsePackName('org/pdf'), version: '1.0.0' }, packPorts));
  const server = await serveRegistry(createRegistryServer(registry, archivePorts));
  onTestFinished(() => server.close(0));
  const child = runSources('print-loaded.ts', [server.url]);
  let printed = 0;
  const lines = await linesOf(child, () => (printed = Date.now()));
  expect(lines).toEqual(['not loaded', 'not loaded', 'not loaded']);
  expect(child.exitCode).toBe(0);
  // The server would keep the connection for five seconds.
  expect(Date.now() - printed).toBeLessThan(3_000);
});
