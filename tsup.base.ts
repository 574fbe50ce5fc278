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
    // Declarations are tsc's, and the modules are the other build's, which may be writing them at this moment.
    clean: ['!**/*.d.ts', '!modules/**'],
    dts: false,
    silent: true,
  };
}

/**
 * What a library is built with besides, for bundlers: one file a module. Of a file that holds a whole library a bundler
 * keeps the libraries it imports, wanted or not, and what it imports later only; of modules it leaves out whole ones.
 */
export function moduleBuild(): Options {
  return {
    ...libraryBuild(['src/**/*.ts', '!src/**/*.test.ts', '!src/**/*.test-d.ts']),
    outDir: 'dist/modules',
    bundle: false,
    platform: 'neutral',
    splitting: false,
    sourcemap: false,
    clean: true,
  };
}
