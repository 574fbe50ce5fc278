import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The blocks of code below a heading of the README, in their order. */
function blocksBelow(heading: string): readonly string[] {
  const page = readFileSync(join(root, 'README.md'), 'utf8');
  const section = page.split(/^## /mu).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```\w*\n(?<code>.*?)^```$/gmsu)].map(({ groups }) => groups?.['code'] ?? '');
}

// What a shell has set once the lines above that section ran: `skills` there is an alias, which no script has.
const before = 'clone=$ROOT; skills() { "$NODE" "$ROOT/apps/cli/dist/skills.js" "$@"; }\n';

test.skipIf(process.platform === 'win32')(
  'the first run of the README prints what the README says',
  { timeout: 120_000 },
  () => {
    const [commands = '', printed = ''] = blocksBelow('Run an agent');
    const folder = mkdtempSync(join(tmpdir(), 'skillpack-test-readme-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { PATH } = process.env;
    // A sandbox hides the home folder: a project lies in it, and is not all of it.
    const project = join(folder, 'project');
    mkdirSync(project);
    const run = spawnSync('sh', ['-ec', `${before}${commands}`], {
      cwd: project,
      encoding: 'utf8',
      env: { PATH, HOME: folder, ROOT: root, NODE: process.execPath },
    });
    expect([run.status, run.stderr]).toEqual([0, expect.not.stringMatching(/warning|error/u)]);
    const timeless = (text: string): string => text.replaceAll(/\d+\.\d s/gu, '_ s');
    const steps = run.stderr.replace(/^recorded in .*/mu, 'recorded in …');
    const [answer = ''] = run.stdout.split(/^\d{4}-/mu);
    expect(timeless(steps + answer)).toBe(timeless(printed));
    expect(run.stdout).toMatch(/^> Which month was the wettest\? See report\.pdf$/mu);
  },
);
