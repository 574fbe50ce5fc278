import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { descriptorAccess, hasDescriptorAccess } from '../src/confined/descriptor-access.js';
import type { FolderAccess } from '../src/confined/folder-access.js';
import { listConfinedFiles } from '../src/confined/list-confined-files.js';
import { pathAccess } from '../src/confined/path-access.js';
import { readConfinedFile } from '../src/confined/read-confined-file.js';
import { scanSkillRoots } from '../src/scan-skill-roots.js';

let base = '';
let skill = '';
let swapper: ChildProcess | undefined;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-race-')));
  skill = join(base, 'pdf');
  mkdirSync(join(skill, 'docs', 'deep'), { recursive: true });
  mkdirSync(join(base, 'outside', 'docs', 'deep'), { recursive: true });
  writeFileSync(join(skill, 'docs', 'deep', 'file'), 'inside');
  writeFileSync(join(base, 'outside', 'docs', 'deep', 'file'), 'the secret');
  writeFileSync(join(base, 'outside', 'docs', 'deep', 'secret-name'), 'the secret');
});
afterEach(async () => {
  const ended = swapper;
  swapper = undefined;
  if (ended !== undefined) {
    const exit = new Promise((resolve) => {
      ended.once('exit', resolve);
    });
    ended.kill('SIGKILL');
    await exit;
  }
  rmSync(base, { recursive: true, force: true });
});

/** What another process exchanges all the time for a link to its counterpart outside. */
async function swap(path: string): Promise<void> {
  const child = spawn(process.execPath, [
    join(import.meta.dirname, 'swap-for-link.ts'),
    path === '' ? skill : join(skill, path),
    join(base, 'outside', path),
  ]);
  swapper = child;
  await new Promise((resolve) => {
    child.stdout.once('data', resolve);
  });
}

// Long enough for thousands of reads, on a machine that has much else to do.
const reads = process.env['SKILLPACK_LONG_TESTS'] === undefined ? 3000 : 30_000;
const patience = { timeout: 600_000 };

/** What comes of many attempts, `usual` and something else among it. */
async function outcomes(usual: string, attempt: () => Promise<string>): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const end = Date.now() + 60_000;
  // Both processes have to run for a race: where there is much else to do, that may take longer.
  const enough = (): boolean =>
    counts.size > 1 && [...counts.keys()].some((outcome) => outcome.split(' ').includes(usual));
  for (let index = 0; index < reads || (!enough() && Date.now() < end); index += 1) {
    const outcome = await attempt().catch((error: unknown) => {
      if (SkillsError.is(error)) return error.code;
      throw error;
    });
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return counts;
}

const expected = new Set(['inside', 'FILE_NOT_FOUND', 'PATH_TRAVERSAL_BLOCKED', 'IO_ERROR']);
const path = 'docs/deep/file';
const accesses: readonly (readonly [string, FolderAccess])[] = [
  ['by descriptors', descriptorAccess],
  ['by paths', pathAccess],
];

// A link takes a right on Windows that few have.
describe.skipIf(process.platform === 'win32')('somebody exchanges a part of a path for a link', () => {
  test('PSA-22: who reads a path as it is gets the secret: the race is one', patience, async () => {
    await swap('docs');
    const counts = await outcomes('secret', async () => {
      try {
        return readFileSync(join(skill, path), 'utf8');
      } catch {
        return 'nothing';
      }
    });
    expect([...counts.keys()]).toContain('the secret');
  });

  test('PSA-22: with a SKILL.md exchanged, no front matter from outside is listed', patience, async () => {
    const head = (description: string): string => `---\nname: pdf\ndescription: ${description}\n---\n`;
    writeFileSync(join(skill, 'SKILL.md'), head('inside'));
    writeFileSync(join(base, 'outside', 'SKILL.md'), head('the secret'));
    await swap('SKILL.md');
    const counts = await outcomes('inside', async () => {
      const { found } = await scanSkillRoots([{ path: skill, scope: 'project' }], performance);
      return found[0]?.head.description ?? 'nothing';
    });
    expect([...counts.keys()].toSorted()).toEqual(['inside', 'nothing']);
  });

  describe.each(accesses.filter(([, access]) => access === pathAccess || hasDescriptorAccess()))('%s', (_, access) => {
    test.each([['docs'], ['docs/deep'], ['docs/deep/file'], ['']])(
      'PSA-22: with %j exchanged, a read has what is inside or an error, and never the secret',
      patience,
      async (part) => {
        await swap(part);
        const counts = await outcomes('inside', async () =>
          Buffer.from(await readConfinedFile(skill, path, { maxBytes: 1000, access })).toString(),
        );
        expect([...counts.keys()].filter((outcome) => !expected.has(outcome))).toEqual([]);
        // Both happen, or nothing was tried.
        expect(counts.get('inside')).toBeGreaterThan(0);
        expect(counts.size).toBeGreaterThan(1);
      },
    );

    test('PSA-22: with a folder exchanged, no name from outside is listed', patience, async () => {
      await swap('docs/deep');
      const counts = await outcomes(path, async () => {
        const files = await listConfinedFiles(skill, { maxFiles: 100, maxDepth: 9, access });
        return files.map((file) => file.path).join(' ');
      });
      // Under its other name the folder is inside as well.
      const names = [...counts.keys()].flatMap((listed) => listed.split(' '));
      expect(names.filter((name) => name.includes('secret'))).toEqual([]);
      expect(names).toContain(path);
    });
  });
});
