import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** A piece of TypeScript that a page shows. */
interface Snippet {
  readonly page: string;
  /** The line of the page on which its first line stands, from 1. */
  readonly line: number;
  /** What the page leaves out and a reader has: a comment before the snippet, `<!-- given: declare const … -->`. */
  readonly given: string;
  /** The file that a reader saves it as: the line above it ends with its name, `agent.ts`, and a colon. */
  readonly file: string | undefined;
  readonly code: string;
}

const shown = /(?:`(?<file>[\w-]+\.ts)`:\n+)?(?:<!-- given:(?<given>[\s\S]*?)-->\s*)?^```ts\n(?<code>[\s\S]*?)^```$/gmu;

function snippetsOf(page: string, text: string): readonly Snippet[] {
  return [...text.matchAll(shown)].map((found) => {
    const { file, given = '', code = '' } = found.groups ?? {};
    const before = text.slice(0, found.index + found[0].lastIndexOf('```ts\n'));
    return { page, line: before.split('\n').length + 1, given: given.replaceAll('\n', ' ').trim(), file, code };
  });
}

/** The code of a snippet, with each import of a file that its page shows as one of the snippet that last did so. */
function linkedCode(snippet: Snippet, snippets: readonly Snippet[]): string {
  const before = snippets.slice(0, snippets.indexOf(snippet));
  return snippet.code.replaceAll(/ from '\.\/(?<name>[\w-]+\.ts)'/gu, (whole, name: string) => {
    const at = before.findLastIndex(({ page, file }) => page === snippet.page && file === name);
    return at === -1 ? whole : ` from './${at}.ts'`;
  });
}

/**
 * Where TypeScript finds each entry point of each package: its sources, so that nothing has to be built; and what the
 * pages tell to install.
 */
function sourcePaths(): Record<string, string[]> {
  const paths: Record<string, string[]> = {
    'zod/mini': [join(root, 'packages/core/node_modules/zod/mini/index.d.ts')],
    langchain: [join(root, 'packages/frameworks/node_modules/langchain/dist/index.d.ts')],
    '@langchain/langgraph': [join(root, 'packages/frameworks/node_modules/@langchain/langgraph/dist/index.d.ts')],
    '@mastra/core/*': [join(root, 'packages/frameworks/node_modules/@mastra/core/dist/*/index.d.ts')],
  };
  for (const file of globSync('packages/*/package.json', { cwd: root })) {
    // Cast: manifests of this workspace, which have these fields.
    const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      name: string;
      exports: Record<string, string | { 'skillpack-source'?: string }>;
    };
    for (const [entry, target] of Object.entries(manifest.exports)) {
      const source = typeof target === 'string' ? undefined : target['skillpack-source'];
      if (source !== undefined) paths[join(manifest.name, entry)] = [join(root, file, '..', source)];
    }
  }
  return paths;
}

/** What the compiler says of the snippets, each complaint with the page and the line it is about. */
function complaints(snippets: readonly Snippet[]): readonly string[] {
  mkdirSync(join(root, 'temp'), { recursive: true });
  const folder = mkdtempSync(join(root, 'temp', 'snippets-'));
  try {
    const compilerOptions = {
      noEmit: true,
      noUnusedLocals: false,
      allowImportingTsExtensions: true,
      paths: sourcePaths(),
    };
    const include = ['*.ts', join(root, 'packages/*/src/**/*.d.ts')];
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions, include }),
    );
    for (const [index, snippet] of snippets.entries()) {
      writeFileSync(join(folder, `${index}.ts`), `${snippet.given}\n${linkedCode(snippet, snippets)}`);
    }
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return stdout
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(' '))
      .map((line) => {
        const [, index = '', at = '', what = ''] = /^(?:.*\/)?(\d+)\.ts\((\d+),\d+\): (.*)$/u.exec(line) ?? [];
        const snippet = snippets[Number(index)];
        return index === '' || snippet === undefined
          ? line
          : `${snippet.page}:${snippet.line + Number(at) - 2}: ${what}`;
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const pages = ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'apps/*/README.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);

test('every snippet of the pages compiles against the packages as they are', { timeout: 120_000 }, () => {
  const snippets = pages.flatMap((page) => snippetsOf(page, readFileSync(join(root, page), 'utf8')));
  expect(snippets.length).toBeGreaterThan(5);
  expect(complaints(snippets)).toEqual([]);
});

test('a snippet that is wrong is found, with its page and its line', { timeout: 120_000 }, () => {
  const page = [
    '<!-- given: declare const name: string; -->',
    '',
    '```ts',
    "import { parseSkill } from '@skillpack/core';",
    '',
    'parseSkill(name).nothing;',
    '```',
  ];
  expect(complaints(snippetsOf('page.md', page.join('\n')))).toEqual([
    expect.stringMatching(/^page\.md:6: error TS2339: Property 'nothing' does not exist/u),
  ]);
});

test('a snippet of a file may import the files that its page showed before', { timeout: 120_000 }, () => {
  const file = (name: string, code: string): string[] => [`Save this as \`${name}\`:`, '', '```ts', code, '```', ''];
  const page = [
    ...file('one.ts', 'export const one = 1;'),
    ...file('two.ts', "import { one, two } from './one.ts';\nconsole.log(one, two);"),
    ...file('three.ts', "import { four } from './four.ts';\nconsole.log(four);"),
  ];
  expect(complaints(snippetsOf('page.md', page.join('\n')))).toEqual([
    expect.stringMatching(/^page\.md:10: error TS2305: .* has no exported member 'two'/u),
    expect.stringMatching(/^page\.md:17: error TS2307: Cannot find module '\.\/four\.ts'/u),
  ]);
});
