import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));

/** Makes one file of the process that records a run, for a Node without the sources. @returns its path; whoever asked removes it. */
export async function bundleRecordedRun(): Promise<string> {
  const bundle = join(cache, `recorded-run-${process.pid}.mjs`);
  mkdirSync(cache, { recursive: true });
  await build({
    entryPoints: [fileURLToPath(new URL('./children/recorded-run.ts', import.meta.url))],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['skillpack-source'],
    external: ['fs-native-extensions'],
    logLevel: 'silent',
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  });
  return bundle;
}
