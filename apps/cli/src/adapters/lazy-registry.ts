import type { PackRegistry } from '@skillpack/core';

/** A registry that is made, and whose library is loaded, when it is first asked something. */
export function lazyRegistry(location: string, make: () => Promise<PackRegistry>): PackRegistry {
  let made: Promise<PackRegistry> | undefined;
  const registry = () => (made ??= make());
  return {
    location,
    getPack: async (name, options) => (await registry()).getPack(name, options),
    getBlob: async (request, options) => (await registry()).getBlob(request, options),
    search: async (words, options) => (await registry()).search(words, options),
    getRevocations: async (options) => (await registry()).getRevocations(options),
  };
}
