import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SkillsError, type ScriptOutcome, type ScriptRequest, type SkillEntry } from '@skillpack/core';
import { expect, onTestFinished } from 'vitest';
import { createProcessRunner, type ProcessRunnerOptions } from '../src/process/process-runner.js';

export const windows = process.platform === 'win32';
export const linux = process.platform === 'linux';
export const never = new AbortController().signal;
export const here = (program: string): boolean =>
  spawnSync(program, ['-c', 'exit'], { stdio: 'ignore' }).error === undefined;

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-shell-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function entryAt(location: string): SkillEntry {
  // Cast: of an entry, a runner reads the name and the location.
  return { name: 'demo', location } as SkillEntry;
}

/** A skill with these files, and a workspace beside it. */
export function makeSkill(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const [skill, workspace] = [join(folder, 'demo'), join(folder, 'workspace')];
  mkdirSync(workspace);
  for (const [path, text] of Object.entries({ 'SKILL.md': '', ...files })) {
    mkdirSync(dirname(join(skill, path)), { recursive: true });
    writeFileSync(join(skill, path), text);
  }
  const run = async (
    path: string,
    request: Partial<ScriptRequest> & { readonly signal?: AbortSignal } = {},
    options: Partial<ProcessRunnerOptions> & { readonly environment?: Record<string, string | undefined> } = {},
  ): Promise<ScriptOutcome> => {
    const { environment = process.env, ...others } = options;
    const { signal = never, ...rest } = request;
    const runner = createProcessRunner({ environment }, { workspace, grace: 200, ...others });
    return runner.run({ skill: entryAt(skill), path, args: [], timeout: 20_000, ...rest }, { signal });
  };
  return { folder, skill, workspace, run };
}

export const textOf = ({ bytes }: ScriptOutcome['stdout']): string => new TextDecoder().decode(bytes);

export const long = { timeout: 180_000 };

/**
 * What comes of a script whose time is up: with more time where it had not come to where it has to be, which a busy
 * machine may need.
 */
export async function runOutOfTime(
  attempt: (timeout: number) => Promise<ScriptOutcome>,
  begun: (outcome: ScriptOutcome) => boolean = ({ stdout }) => stdout.size > 0,
): Promise<ScriptOutcome> {
  for (let timeout = 1_000; ; timeout *= 4) {
    const outcome = await attempt(timeout);
    if (begun(outcome) || timeout > 60_000) return outcome;
  }
}

/** The id that a script wrote. */
export function pidOf(stdout: ScriptOutcome['stdout']): number {
  const pid = Number(textOf(stdout));
  expect(pid).toBeGreaterThan(1);
  return pid;
}

/** What a child of a script does to tell its id, in a string of a shell, and how the script waits for it and writes it. */
export const tellPid = (file: string): string => `echo \\$\\$ > ${file}.new; mv ${file}.new ${file}`;
export const awaitPid = (file: string): string => `until test -e ${file}; do sleep 0.01; done\ncat ${file}\n`;

export async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (SkillsError.is(error) ? error.code : String(error)),
  );
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !linux || !/\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Where the runner finds this interpreter and nothing else, so that it cannot mark processes by a limit. */
export function withoutPrlimit(interpreter: string) {
  const folder = temporaryFolder();
  const PATH = process.env['PATH'] ?? '';
  const found = PATH.split(':').find((place) => existsSync(join(place, interpreter)));
  symlinkSync(join(found ?? '', interpreter), join(folder, interpreter));
  return { environment: { PATH: folder }, set: { PATH } };
}

/** The processes that live and were started with a word. */
export function withWord(word: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word) && isAlive(pid);
      } catch {
        return false;
      }
    });
}
