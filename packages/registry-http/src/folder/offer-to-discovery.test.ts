import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discoveryIndexPath, parsePackName } from '@skillpack/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256 } from '../sha256.js';
import { systemDisk } from './disk.js';
import type { FolderContext, OfferedPack } from './folder-context.js';
import { filesOnDisk } from './folder-files.js';
import { offerToDiscovery } from './offer-to-discovery.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'offer-to-discovery-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const digest = sha256('one archive for all');

/** A pack of one skill, whose artifacts are there. */
function packOf(organisation: string, skill: string): OfferedPack {
  const description = 'One of many.';
  const shared = { version: '1.0.0', dependencies: {}, requires: {}, treeDigest: digest };
  const named = { name: parsePackName(`${organisation}/${skill}`), description, keywords: [] };
  return {
    mark: '1',
    summary: { ...named, version: '1.0.0', skills: [skill], deprecated: null },
    manifest: { ...named, ...shared, skills: [], files: [] },
    record: {
      ...shared,
      published: '2026-01-01T00:00:00Z',
      archives: [],
      manifest: digest,
      skills: [skill],
      yanked: null,
      signatures: [],
    },
    skills: [{ name: skill, type: 'archive', description, url: `${skill}.tar.gz`, digest }],
  };
}

function context(): FolderContext {
  const unused = (): never => {
    throw new Error('the artifacts are there');
  };
  const files = filesOnDisk(folder, systemDisk);
  return { files, archives: { open: unused }, writer: { write: unused }, now: () => new Date() };
}

test('a thousand packs are offered; of more there is no index, which is told and is no problem', async () => {
  const packs = Array.from({ length: 1001 }, (_, number) => packOf('many', `pack-${number}`));
  const index = join(folder, discoveryIndexPath);
  expect(await offerToDiscovery(packs.slice(1), context())).toEqual({ skills: 1000, problems: [], notes: [] });
  expect(JSON.parse(readFileSync(index, 'utf8'))).toMatchObject({ skills: { length: 1000 } });
  expect(await offerToDiscovery(packs, context())).toEqual({
    skills: 0,
    problems: [],
    notes: [{ subject: discoveryIndexPath, message: expect.stringMatching(/^1001 packs .* 1000 /u) }],
  });
  expect(existsSync(index)).toBe(false);
});

test('a second skill of a name is told of and is no problem', async () => {
  expect(await offerToDiscovery([packOf('one', 'same'), packOf('two', 'same')], context())).toMatchObject({
    skills: 1,
    problems: [],
    notes: [{ subject: 'two/same same', message: expect.stringContaining('another pack') }],
  });
});
