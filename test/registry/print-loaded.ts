import { createRequire } from 'node:module';
import { parsePackName } from '@skillpack/core';
import { createHttpRegistry, systemHttpPorts } from '@skillpack/registry-http';

// Prints whether undici is loaded: after the import, after a registry was made, and after its first request.
const { cache } = createRequire(import.meta.url);
const print = (): void => {
  const loaded = Object.keys(cache).some((path) => path.includes('undici'));
  process.stdout.write(`${loaded ? 'loaded' : 'not loaded'}\n`);
};
print();
const archives = { open: () => Promise.reject(new Error('nothing is published here')) };
const registry = createHttpRegistry(process.argv[2] ?? '', { ...systemHttpPorts, archives });
print();
await registry.getPack(parsePackName('org/pdf'));
print();
