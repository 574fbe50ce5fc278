import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
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

const moduleFolder = 'dist/modules';

/**
 * What a library is built with besides, for bundlers: one file a module. Of one file that holds a whole library, a
 * bundler keeps every library that it imports, wanted or not; of modules it leaves out those that nobody wants.
 */
export function moduleBuild(entry: readonly string[]): Options {
  return {
    // The public lists are written below.
    ...libraryBuild(['src/**/*.ts', '!src/**/*.test.ts', '!src/**/*.test-d.ts', ...entry.map((list) => `!${list}`)]),
    outDir: moduleFolder,
    bundle: false,
    platform: 'neutral',
    splitting: false,
    sourcemap: false,
    clean: true,
    onSuccess: async () => {
      await Promise.all(entry.map(splitPublicList));
    },
  };
}

/**
 * Writes a public list as `export *` of small lists, one a module. What is imported later goes into a chunk of its own by
 * whole files in esbuild, so that a list which names both what is wanted now and what is wanted later would put the two
 * into one chunk.
 */
async function splitPublicList(entry: string): Promise<void> {
  const source = await readFile(entry, 'utf8');
  const lists = join('lists', basename(entry, '.ts'));
  await mkdir(join(moduleFolder, lists), { recursive: true });
  const other = source.replaceAll(/^export (?:type )?\{[^}]*\} from '\.\/[^']+';$|^\/\/.*$/gmu, '').trim();
  if (other !== '') throw new Error(`${entry} is no plain list: ${other.slice(0, 200)}`);
  const parts: string[] = [];
  for (const [, names = '', path] of source.matchAll(/^export \{([^}]*)\} from '\.\/([^']+)';$/gmu)) {
    const values = names.split(',').map((name) => name.trim());
    const wanted = values.filter((name) => name !== '' && !name.startsWith('type '));
    if (wanted.length === 0) continue;
    const part = join(lists, `${parts.length}.js`);
    await writeFile(join(moduleFolder, part), `export { ${wanted.join(', ')} } from '../../${path}';\n`);
    parts.push(part);
  }
  const list = parts.map((part) => `export * from './${part.replaceAll('\\', '/')}';\n`);
  await writeFile(join(moduleFolder, `${basename(entry, '.ts')}.js`), list.join(''));
}
