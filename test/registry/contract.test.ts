import { createMemoryRegistry, packRegistryContract } from '@skillpack/core/testing';
import { sha256 } from '@skillpack/cli-dist';
import { createHttpRegistry } from '@skillpack/registry-http';
import { createFolderRegistry, createRegistryServer, serveRegistry } from '@skillpack/registry-http/server';
import { test } from 'vitest';
import { startNginx, withoutNginx } from './nginx.js';
import { archivePorts, contractPorts, httpPorts } from './ports.js';
import { makeTemporaryFolder } from './temporary-folder.js';

packRegistryContract(
  async () => {
    const registry = createMemoryRegistry({ ...archivePorts, sha256 });
    return { registry, publisher: registry, curator: registry, close: async () => undefined };
  },
  contractPorts,
  { title: 'memory' },
);

packRegistryContract(
  async () => {
    const folder = await makeTemporaryFolder();
    const registry = createFolderRegistry(folder.path, archivePorts);
    return { registry, publisher: registry, curator: registry, close: folder.remove };
  },
  contractPorts,
  { title: 'folder' },
);

packRegistryContract(
  async () => {
    const folder = await makeTemporaryFolder();
    const stored = createFolderRegistry(folder.path, archivePorts);
    const handler = createRegistryServer(stored, archivePorts, { tokens: [{ token: 'publisher' }] });
    const server = await serveRegistry(handler);
    const registry = createHttpRegistry(server.url, httpPorts, { token: () => 'publisher' });
    const close = async (): Promise<void> => {
      await registry.close();
      await server.close();
      await folder.remove();
    };
    return { registry, publisher: registry, curator: stored, close };
  },
  contractPorts,
  { title: 'HTTP client, our server, folder' },
);

packRegistryContract(
  async () => {
    const stored = createMemoryRegistry({ ...archivePorts, sha256 });
    const server = await serveRegistry(
      createRegistryServer(stored, archivePorts, { tokens: [{ token: 'publisher' }] }),
    );
    const registry = createHttpRegistry(server.url, httpPorts, { token: () => 'publisher' });
    const close = async (): Promise<void> => {
      await registry.close();
      await server.close();
    };
    return { registry, publisher: registry, curator: stored, close };
  },
  contractPorts,
  { title: 'HTTP client, our server, memory' },
);

if (withoutNginx === false) {
  packRegistryContract(
    async () => {
      const folder = await makeTemporaryFolder();
      const stored = createFolderRegistry(folder.path, archivePorts);
      const nginx = await startNginx(folder.path);
      const registry = createHttpRegistry(nginx.url, httpPorts);
      const close = async (): Promise<void> => {
        await registry.close();
        await nginx.close();
        await folder.remove();
      };
      return { registry, publisher: stored, curator: stored, close };
    },
    contractPorts,
    { title: 'HTTP client, nginx, folder' },
  );
} else {
  test.skip(withoutNginx, () => undefined);
}
