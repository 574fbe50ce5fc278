import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Digest, PackName } from '@skillpack/core';
import { expect, test } from 'vitest';
import type { Candidate } from '../resolve/candidate.js';
import { candidateOfEntry, lockEntryOf } from './lock-entry.js';

const baseDir = resolve('/work/project');
const digest = `sha256:${'a'.repeat(64)}` as Digest; // 64 hexadecimal digits
const name = 'org/pdf' as PackName; // a pack name

function offeredBy(registry: string): Candidate {
  const source = { kind: 'registry', registry, integrity: digest, size: undefined } as const;
  return { name, version: '1.0.0', treeDigest: digest, skills: ['pdf'], dependencies: {}, source };
}

const folderUrl = (path: string): string => pathToFileURL(`${join(baseDir, path)}/`).href;

test.each([
  ['a folder of the project', folderUrl('registry'), './registry/'],
  ['a folder with a space below it', folderUrl('tools/my registry'), './tools/my registry/'],
  ['the folder of the lock file itself', folderUrl('.'), './'],
  ['a folder elsewhere', folderUrl('../elsewhere'), folderUrl('../elsewhere')],
  ['a folder whose name begins alike', folderUrl('../project-two'), folderUrl('../project-two')],
  ['a server', 'https://skills.example.org/', 'https://skills.example.org/'],
])('the registry of a locked pack is written so that %s is found again', (_, registry, written) => {
  const entry = lockEntryOf(offeredBy(registry), { range: '^1', baseDir });
  expect(entry).toMatchObject({ source: 'registry', registry: written });
  expect(candidateOfEntry(name, entry, baseDir)).toEqual(offeredBy(registry));
});

test('a project that was moved finds its registry where it is now', () => {
  const entry = lockEntryOf(offeredBy(folderUrl('registry')), { range: '^1', baseDir });
  const moved = resolve('/elsewhere');
  expect(candidateOfEntry(name, entry, moved).source).toMatchObject({
    registry: pathToFileURL(`${join(moved, 'registry')}/`).href,
  });
});
