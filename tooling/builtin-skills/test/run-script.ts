import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const skills = join(import.meta.dirname, '../../../skills-builtin');

/** How a script ended. */
export interface Outcome {
  readonly code: number | string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a script finds around it. */
export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Buffer;
}

/** Runs a script of a builtin skill as an agent would, for example `table/scripts/table.mjs`. */
export async function runScript(
  script: string,
  args: readonly string[],
  { cwd, env, input }: Surroundings = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = {
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 ** 2,
      ...(cwd === undefined ? {} : { cwd }),
    };
    const child = execFile(process.execPath, [join(skills, script), ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? undefined), stdout, stderr });
    });
    // A script that refuses early closes its input before all of it is written.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input ?? '');
  });
}

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'builtin-skill-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
