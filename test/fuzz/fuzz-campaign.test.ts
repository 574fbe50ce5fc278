import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const workspace = join(import.meta.dirname, '..', '..');
const flags = ['--conditions=skillpack-source', '--import', './test/registry/resolve-sources.ts', 'scripts/fuzz.ts'];

// On a machine with much else to do, loading 26 targets alone takes longer than a test usually may.
const patience = { timeout: 120_000 };

/** Runs `pnpm fuzz` as package.json has it; the numbers of its table by target. */
async function fuzz(...words: readonly string[]) {
  const ran = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [...flags, ...words], { cwd: workspace }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
  const rows = ran.stdout.matchAll(/^(?<target>[a-z][\w-]+) +(?<tried>\d+) +\d+ +\d+$/gmu);
  return { ...ran, tried: Object.fromEntries([...rows].map(({ groups }) => [groups?.['target'], groups?.['tried']])) };
}

test('a campaign that ends before a target had its turn names it, and does not look clean', patience, async () => {
  const { code, stderr, tried } = await fuzz('--minutes', '0', 'version', 'tgz');
  expect({ code, stderr, tried }).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('NOT TRIED, since the time was over: version, tgz.'),
    tried: { version: '0', tgz: '0', all: '0' },
  });
});

test('a slow target takes no more time than a fast one, and every one is tried first', patience, async () => {
  const { code, stdout, tried } = await fuzz('--minutes', '0.05', '--seed', '1', 'tgz', 'version');
  expect(code, stdout).toBe(0);
  expect(Number(tried['tgz'])).toBeGreaterThan(0);
  // Turn by turn, as many inputs of each would have been tried.
  expect(Number(tried['version'])).toBeGreaterThan(2 * Number(tried['tgz']));
});
