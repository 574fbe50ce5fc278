import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const pages = [
  '*.md',
  'docs/**/*.md',
  'packages/*/README.md',
  'apps/*/README.md',
  'bench/*.md',
  'examples/*.md',
  'tooling/*/README.md',
]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .toSorted();

function read(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

/** Without blocks and pieces of code, in which nothing is a link or a heading. */
function prose(text: string): string {
  return text.replaceAll(/^```.*?^```$/gmsu, '').replaceAll(/`[^`\n]*`/gu, (code) => code.replaceAll(/[[\]()]/gu, '-'));
}

/** What a heading is called in a link, as GitHub does it. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose(text).matchAll(/^#+ (.+)$/gmu)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1').toLowerCase();
    const plain = words.replaceAll(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
    let anchor = plain;
    for (let number = 1; anchors.has(anchor); number += 1) anchor = `${plain}-${number}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Links of a page that lead nowhere. */
function deadLinks(page: string, text: string): readonly string[] {
  const links = [...prose(text).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/gu)].map(([, link = '']) => link);
  return links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    if (target !== page && !existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target === page ? text : read(target)).has(anchor);
  });
}

test.each(pages)('every link of %s leads somewhere', (page) => {
  expect(deadLinks(page, read(page))).toEqual([]);
});

test('a link to a file or a heading that is not there is found', () => {
  const text =
    '# One `two`\n\n[a](#one-two) [b](#three) [c](README.md) [d](docs/none.md) [e](docs/agent.md#none) `[f](g)`\n';
  expect(deadLinks('page.md', text)).toEqual(['#three', 'docs/none.md', 'docs/agent.md#none']);
});

describe('the index of the documentation', () => {
  const index = read('docs/README.md');

  test('names every page', () => {
    const named = new Set([...index.matchAll(/\]\(([a-z-]+\.md)\)/gu)].map(([, page = '']) => page));
    const all = globSync('*.md', { cwd: join(root, 'docs') }).filter((page) => page !== 'README.md');
    expect([...named].toSorted()).toEqual(all.toSorted());
  });

  test('names every package', () => {
    const published = globSync('packages/*/package.json', { cwd: root }).map((file) => dirname(file));
    expect(published.filter((folder) => !index.includes(`](../${folder})`))).toEqual([]);
  });
});
