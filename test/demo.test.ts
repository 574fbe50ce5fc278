import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..');

test(
  'the demo comes to its end, an agent runs a script in it after a yes and answers, and nothing of it is left',
  { timeout: 120_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'skillpack-test-demo-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const run = spawnSync(process.execPath, [join('scripts', 'demo.ts')], {
      cwd: root,
      encoding: 'utf8',
      // As on a terminal, in colours.
      env: { ...process.env, TMPDIR: folder, TEMP: folder, FORCE_COLOR: '1', NO_COLOR: undefined },
    });
    expect(run.stderr).toBe('');
    expect(run.status).toBe(0);
    const stdout = stripVTControlCharacters(run.stdout);
    // What it prints of each command is judged by the demo itself.
    const commands = stdout.split('\n').filter((line) => /^\$ skills (?:run|runs) /u.test(line));
    expect(commands).toEqual([
      expect.stringMatching(/ --trust-project$/u),
      expect.stringMatching(/ resume \S+ --trust-project --approve "run_script\(pdf@[0-9a-f]{64}\)"$/u),
      '$ skills runs show last',
      '$ skills runs replay last',
    ]);
    // Which of them it is depends on the machine.
    expect(stdout).toMatch(
      /^(?:The script ran in a sandbox: \w+\.|No sandbox works here, so the script ran with .*)$/mu,
    );
    expect(stdout).toMatch(/^Published, found, installed, .+ used by an agent, replayed and removed in [\d.]+ s\.$/mu);
    expect(readdirSync(folder)).toEqual([]);
  },
);
