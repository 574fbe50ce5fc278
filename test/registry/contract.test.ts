import { createMemoryRegistry, packRegistryContract } from '@skillpack/core/testing';
import { sha256 } from '@skillpack/cli-dist';
import { createFolderRegistry } from '@skillpack/registry-http/server';
import { archivePorts, contractPorts } from './ports.js';
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
