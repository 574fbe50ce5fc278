import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/**
 * Lets every file of the workspace import from the file that defines a name instead of the package's public list.
 *
 * esbuild decides by whole files which chunk needs what, and a public list needs all of its package: through it, a
 * command that checks a file name would load the YAML parser. The lists are plain `export { … } from`, so what a name
 * stands for can be read off them.
 */
export function directImports(packages: string): Plugin {
  const lists = new Map<string, Promise<ReadonlyMap<string, string>>>();
  const listOf = (name: string, entry: string): Promise<ReadonlyMap<string, string>> => {
    const path = join(packages, name, 'src', `${entry}.ts`);
    const list = lists.get(path) ?? readPublicList(path);
    lists.set(path, list);
    return list;
  };
  return {
    name: 'direct-imports',
    setup(build) {
      // oxlint-disable-next-line eslint/require-unicode-regexp -- esbuild hands it to Go, which knows no `u`
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!/[\\/](?:packages|apps)[\\/][^\\/]+[\\/]src[\\/]/u.test(path)) return undefined;
        const source = await readFile(path, 'utf8');
        const parts: string[] = [];
        let end = 0;
        for (const match of source.matchAll(
          /^(import|export) (type )?\{([^}]*)\} from '@skillpack\/([\w-]+)(?:\/([\w-]+))?';$/gmu,
        )) {
          const [whole, keyword = '', type, names = '', name = '', entry = 'index'] = match;
          parts.push(source.slice(end, match.index));
          end = match.index + whole.length;
          if (type === undefined) parts.push(direct(keyword, names, await listOf(name, entry)));
        }
        return { contents: parts.join('') + source.slice(end), loader: 'ts' };
      });
    },
  };
}

function direct(keyword: string, names: string, list: ReadonlyMap<string, string>): string {
  return specifiers(names)
    .map((specifier) => {
      const [name = '', alias = name] = specifier.split(' as ');
      const origin = list.get(name);
      if (origin === undefined) throw new Error(`${name} is in no public list.`);
      return `${keyword} { ${origin.replace('#', ` as ${alias} } from '`)}';`;
    })
    .join(' ');
}

/** What each name of a public list stands for, as `<name in its file>#<path of the file>`. */
async function readPublicList(path: string): Promise<ReadonlyMap<string, string>> {
  const source = await readFile(path, 'utf8');
  const list = new Map<string, string>();
  for (const [, names = '', file = ''] of source.matchAll(/^export \{([^}]*)\} from '\.\/([^']+)\.js';$/gmu)) {
    for (const specifier of specifiers(names)) {
      const [name = '', alias = name] = specifier.split(' as ');
      list.set(alias, `${name}#${join(path, '..', `${file}.ts`)}`);
    }
  }
  return list;
}

function specifiers(names: string): string[] {
  return names
    .split(',')
    .map((specifier) => specifier.trim())
    .filter((specifier) => specifier !== '' && !specifier.startsWith('type '));
}
