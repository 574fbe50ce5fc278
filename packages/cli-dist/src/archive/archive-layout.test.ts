import { describe, expect, test } from 'vitest';
import { detectLayout, isLitter, type ArchiveLayout } from './archive-layout.js';

interface Case {
  readonly what: string;
  readonly paths: readonly string[];
  /** Name in the front matter of every SKILL.md. */
  readonly name?: string;
  readonly ours?: readonly string[];
  readonly layout: ArchiveLayout | undefined;
}

const cases: readonly Case[] = [
  { what: 'a pack', paths: ['manifest.json', 'pdf/SKILL.md'], layout: { base: '', kind: 'manifest' } },
  {
    what: 'a pack with a broken SKILL.md at its root',
    paths: ['manifest.json', 'SKILL.md', 'pdf/SKILL.md'],
    ours: ['manifest.json'],
    layout: { base: '', kind: 'manifest' },
  },
  {
    what: 'a skill with a manifest of its own',
    paths: ['SKILL.md', 'manifest.json'],
    layout: { base: '', kind: 'skill' },
  },
  { what: 'the well-known layout', paths: ['SKILL.md', 'scripts/a.py'], layout: { base: '', kind: 'skill' } },
  { what: 'one skill folder', paths: ['pdf/SKILL.md', 'pdf/a'], name: 'pdf', layout: { base: '', kind: 'pack' } },
  { what: 'one skill folder without a name inside', paths: ['pdf/SKILL.md'], layout: { base: '', kind: 'pack' } },
  {
    what: 'one skill folder holding templates of skills',
    paths: ['author/SKILL.md', 'author/templates/SKILL.md'],
    name: 'author',
    layout: { base: '', kind: 'pack' },
  },
  { what: 'two skill folders', paths: ['pdf/SKILL.md', 'csv/SKILL.md'], name: 'x', layout: { base: '', kind: 'pack' } },
  {
    what: 'two skill folders and other files',
    paths: ['README.md', 'docs/a', 'pdf/SKILL.md', 'csv/SKILL.md'],
    layout: { base: '', kind: 'pack' },
  },
  {
    what: 'a pack in an enclosing folder',
    paths: ['package/manifest.json', 'package/pdf/SKILL.md'],
    ours: ['package/manifest.json'],
    layout: { base: 'package/', kind: 'manifest' },
  },
  {
    what: 'a skill in an npm package',
    paths: ['package/SKILL.md', 'package/package.json'],
    name: 'pdf',
    layout: { base: 'package/', kind: 'skill' },
  },
  {
    what: 'a repository that is a skill',
    paths: ['pdf-main/SKILL.md', 'pdf-main/README.md'],
    name: 'pdf',
    layout: { base: 'pdf-main/', kind: 'skill' },
  },
  {
    what: 'a repository of skills',
    paths: ['repo-main/README.md', 'repo-main/pdf/SKILL.md'],
    layout: { base: 'repo-main/', kind: 'pack' },
  },
  {
    what: 'a repository with a folder skills',
    paths: ['repo-1.0/README.md', 'repo-1.0/skills/pdf/SKILL.md'],
    layout: { base: 'repo-1.0/skills/', kind: 'pack' },
  },
  {
    what: 'a folder skills',
    paths: ['skills/pdf/SKILL.md', 'skills/csv/SKILL.md'],
    layout: { base: 'skills/', kind: 'pack' },
  },
  {
    what: 'a folder skills beside others',
    paths: ['README.md', 'skills/pdf/SKILL.md'],
    layout: { base: 'skills/', kind: 'pack' },
  },
  { what: 'two enclosing folders', paths: ['a/b/pdf/SKILL.md'], layout: undefined },
  {
    what: 'a folder that begins with a dot',
    paths: ['.skillpack/SKILL.md', '.skillpack/a'],
    name: 'pdf',
    layout: { base: '.skillpack/', kind: 'skill' },
  },
  { what: 'folders that begin with a dot', paths: ['.skillpack/SKILL.md', '.claude/SKILL.md'], layout: undefined },
  { what: 'no skill', paths: ['README.md', 'pdf/README.md'], layout: undefined },
];

describe('PSA-32: the layout of an archive', () => {
  test.for(cases.map((one) => [one.what, one] as const))('%s', async ([, { paths, name, ours, layout }]) => {
    const clues = { isManifest: (path: string) => ours?.includes(path) ?? false, skillNameIn: async () => name };
    expect(await detectLayout(paths, clues)).toEqual(layout);
    expect(await detectLayout(paths.toReversed(), clues)).toEqual(layout);
  });

  test('litter is what macOS leaves', () => {
    const paths = ['__MACOSX/a', 'a/._b', '._a', '.DS_Store', 'a/.DS_Store', 'a/_b', '__MACOSX.md', 'a.DS_Store'];
    expect(paths.filter(isLitter)).toEqual(['__MACOSX/a', 'a/._b', '._a', '.DS_Store', 'a/.DS_Store']);
  });
});
