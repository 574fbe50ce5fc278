import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { command, type RunOptions, type World } from './run-skills.js';

/** The libraries and the packages of the workspace that a command line loads, by what V8 says it compiled. */
export async function loadedBy(
  world: World,
  words: readonly string[],
  env: RunOptions['env'] = {},
): Promise<ReadonlySet<string>> {
  const folder = world.path('coverage', words.join('-').replaceAll(/[^a-z-]/gu, ''));
  mkdirSync(folder, { recursive: true });
  await world.run(words, { env: { ...env, NODE_V8_COVERAGE: folder } });
  const libraries = new Set<string>();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] };
    for (const { url } of result.filter((script) => script.url.startsWith(pathToFileURL(dirname(command)).href))) {
      // The bundle names the file that each part of it came from.
      for (const [, path = ''] of readFileSync(fileURLToPath(url), 'utf8').matchAll(
        /^\/\/ ((?:\.\.\/)+\S+|src\/\S+)$/gmu,
      )) {
        const library = /node_modules\/\.pnpm\/[^/]+\/node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(path)?.[1];
        libraries.add(library ?? /packages\/([^/]+)/u.exec(path)?.[1] ?? 'skillpack');
      }
    }
  }
  return libraries;
}
