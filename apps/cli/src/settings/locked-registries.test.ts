import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SkillsError, type PackName } from '@skillpack/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockedRegistries } from './locked-registries.js';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'locked-'));
});
afterEach(() => rmSync(base, { recursive: true }));

const digest = `sha256:${'0'.repeat(64)}`;
const pack = 'acme/tool' as PackName;

function lock(registry: string): void {
  const entry = {
    version: '1.0.0',
    source: 'registry',
    registry,
    integrity: digest,
    treeDigest: digest,
    skills: ['tool'],
  };
  writeFileSync(join(base, 'skillpack-lock.json'), JSON.stringify({ formatVersion: 1, packs: { [pack]: entry } }));
}

test('a locked pack comes from the registry it was locked to, chosen by the project', () => {
  lock('https://host.test/');
  expect(lockedRegistries(base)(pack)).toEqual({ kind: 'http', location: 'https://host.test/', origin: 'project' });
  lock(pathToFileURL(`${base}/`).href);
  expect(lockedRegistries(base)(pack)).toEqual({ kind: 'folder', location: base, origin: 'project' });
  lock('./packs/');
  expect(lockedRegistries(base)(pack)).toEqual({ kind: 'folder', location: join(base, 'packs'), origin: 'project' });
});

test('without a lock file, and for a pack that is not in it, there is none', () => {
  expect(lockedRegistries(base)(pack)).toBeUndefined();
  lock('https://host.test/');
  expect(lockedRegistries(base)('acme/other' as PackName)).toBeUndefined();
});

test.each([
  'file://evil.test/share/',
  'file:///a%2Fb/',
  'file://[',
  '//evil.test/share',
  '\\\\evil.test\\share',
  'ftp://host.test/',
])('a lock file cannot lead to another machine or nowhere: %s', (registry) => {
  lock(registry);
  expect(() => lockedRegistries(base)(pack)).toThrow(
    expect.toSatisfy(
      (error: unknown) => SkillsError.is(error, 'INVALID_LOCK') || SkillsError.is(error, 'INVALID_CONFIG'),
    ),
  );
});
