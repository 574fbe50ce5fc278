import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutNginx } from '../test/registry/nginx.ts';
import type { Outcome } from './measure/run-race.ts';
import { allRaces } from './races/all-races.ts';

const programs = ['bash', 'bsdtar', 'curl', 'openssl', 'tar', 'xargs'];
const missing = programs.filter((name) => spawnSync(name, ['--version']).error !== undefined);
const inCi = process.env['CI'] !== undefined && process.platform === 'linux';
/** In continuous integration on Linux nothing is left out: what is missing there makes the tests fail. */
const cannotRun = process.platform !== 'linux' || withoutNginx !== false || (missing.length > 0 && !inCi);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'skillpack-bench-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What one call of the bench came to. */
interface Call {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function bench(...words: readonly string[]): Call {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'bench.ts'), ...words], {
    encoding: 'utf8',
  });
  return { exitCode: status, stdout, stderr };
}

/** A command that ends at once, whatever it is asked for. */
function commandThatDoesNothing(): string {
  const app = join(folder, 'idle');
  mkdirSync(join(app, 'dist'), { recursive: true });
  mkdirSync(join(app, 'node_modules'), { recursive: true });
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(app, 'dist', 'skills.js'), 'process.stdout.write("0.0.0\\n");\n');
  return join(app, 'dist', 'skills.js');
}

describe.skipIf(cannotRun)('the bench', () => {
  test('runs every row, and finds that ours and its references did what they were to do', { timeout: 240_000 }, () => {
    const json = join(folder, 'outcomes.json');
    const { exitCode, stdout, stderr } = bench('--size', '0.004', '--rounds', '1', '--json', json);
    expect(stderr).not.toContain('failed');
    expect(exitCode).toBe(0);
    const { outcomes } = JSON.parse(readFileSync(json, 'utf8')) as { readonly outcomes: readonly Outcome[] };
    expect(outcomes.map(({ id }) => id)).toEqual(allRaces.map(({ id }) => id));
    for (const { id, ours, comparisons } of outcomes) {
      expect(ours.milliseconds, id).toBeGreaterThan(1);
      expect(ours.cpuMilliseconds, id).toBeGreaterThan(1);
      expect(comparisons.length, id).toBeGreaterThan(0);
      for (const { rival, ratio } of comparisons)
        if ('milliseconds' in rival) expect(ratio, id).toBeCloseTo(ours.milliseconds / rival.milliseconds);
        else expect(rival.absent, id).toContain('--with-tools');
      expect(stdout).toContain(`| ${id} `);
    }
  });

  test('finds an install that installs nothing wrong, however fast it is', { timeout: 120_000 }, () => {
    const rows = ['cold-1-tmpfs', 'folder-500-tmpfs', 'list-500', 'version'];
    bench(...rows, '--size', '0.004', '--rounds', '1');
    const { exitCode, stderr, stdout } = bench(
      ...rows,
      '--size',
      '0.004',
      '--rounds',
      '1',
      '--command',
      commandThatDoesNothing(),
    );
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/cold-1-tmpfs failed: .*ENOENT/u);
    expect(stderr).toMatch(/folder-500-tmpfs failed: .*ENOENT/u);
    expect(stderr).toMatch(/list-500 failed/u);
    // It does print a version, faster than ours.
    expect(stderr).not.toContain('version failed');
    expect(stdout).toContain('| version ');
  });

  test('measures at a larger size, too, and prints the exponent', { timeout: 120_000 }, () => {
    const { exitCode, stdout } = bench('scan-cold', '--size', '0.01', '--scale', '2', '--rounds', '1');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\| row +\| program +\| +ms \| +ms at 2 × \| exponent \|/u);
    expect(stdout).toMatch(/\| scan-cold \| `scanSkillRoots` +\| +\d+ \| +\d+ \| +-?\d+\.\d\d \|/u);
  });
});

describe.skipIf(process.platform !== 'linux')('a call of the bench', () => {
  test.each([
    [['no-such-row'], 'There is no row no-such-row. The rows are version, '],
    [['--rounds', '0'], '--rounds wants a number above 0, not 0.'],
    [['--size', 'x'], '--size wants a number above 0, not x.'],
    [['version', '--write-docs'], '--write-docs needs all rows at their size.'],
    [['--command', '/nowhere/skills.js'], '/nowhere/skills.js is not built; run `npx -y pnpm@12 build`.'],
  ])('%j is refused, and says why', (words, message) => {
    const { exitCode, stderr } = bench(...words);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  test('names its rows, all or those whose names begin so', () => {
    expect(bench('--list').stdout.trim().split('\n')).toEqual(allRaces.map(({ id }) => id));
    expect(bench('cold-200', '--list').stdout).toBe('cold-200-disk\ncold-200-tmpfs\n');
  });
});
