import type { PackRegistry } from '@skillpack/core';

/** A registry that is made, and whose library is loaded, when it is first asked something. */
export function lazyRegistry(location: string, make: () => Promise<PackRegistry>): PackRegistry {
  let made: Promise<PackRegistry> | undefined;
  const registry = () => (made ??= make());
  return {
    location,
    getPack: async (name, options) => (await registry()).getPack(name, options),
    getBlob: async (request, options) => (await registry()).getBlob(request, options),
    copyBlob: async (request, sink, options) => {
      const real = await registry();
      if (real.copyBlob === undefined) sink.write(await real.getBlob(request, options));
      else await real.copyBlob(request, sink, options);
    },
    search: async (words, options) => (await registry()).search(words, options),
    getRevocations: async (options) => (await registry()).getRevocations(options),
  };
}
