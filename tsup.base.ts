import type { Options } from 'tsup';

/** What every library of the workspace is built with: plain modules, one file an entry point, declarations left to tsc. */
export function libraryBuild(entry: readonly string[]): Options {
  return {
    entry: [...entry],
    format: 'esm',
    target: 'node22',
    platform: 'node',
    splitting: true,
    sourcemap: true,
    // Declarations are tsc's, which may be writing them at this moment.
    clean: ['!**/*.d.ts'],
    dts: false,
    silent: true,
  };
}
