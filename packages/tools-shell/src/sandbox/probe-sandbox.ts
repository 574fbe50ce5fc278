import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { launchProgram } from '../process/launch-program.js';
import type { ProgramSurroundings } from '../process/find-trusted-program.js';
import type { Sandbox } from './sandbox.js';
import type { FilledSandboxLimits } from './sandbox-limits.js';

/** Where a sandbox is tried. */
export interface ProbeSurroundings extends ProgramSurroundings {
  readonly limits: FilledSandboxLimits;
}

/** What came of trying one: the sandbox, or why there is none. */
export type SandboxProbe = Sandbox | { readonly problem: string };

/** How a program ended that was started to try a sandbox. */
export interface ProbeEnd {
  readonly exitCode: number | undefined;
  /** What it, or the sandbox, wrote on its standard error. */
  readonly said: string;
}

/** Programs that a probe starts, absolute. */
export interface ProbePrograms {
  readonly sh: string;
  /** @default the limits of this system are not known */
  readonly prlimit: string | undefined;
}

const timeout = 20_000;

/** How the program that {@link processProbe} starts ends: nobody else ends so. */
export const probeExits = { limited: 37, unlimited: 38 } as const;

/**
 * A program that says by its end whether the number of its processes is limited: where one is the most, `timeout` cannot
 * start what it is to watch, which is its exit code 125. Whatever else comes of it counts as not limited.
 */
export function processProbe({ sh, prlimit }: ProbePrograms): readonly [string, ...string[]] {
  const { limited, unlimited } = probeExits;
  if (prlimit === undefined) return [sh, '-c', `exit ${unlimited}`];
  const line = `"$1" --nproc=1:1 timeout 5 true; if test $? = 125; then exit ${limited}; fi; exit ${unlimited}`;
  return [sh, '-c', line, sh, prlimit];
}

/** Starts a program in a sandbox, in a folder of its own that is empty. */
export async function tryInSandbox(
  sandbox: Sandbox,
  [file, ...args]: readonly [string, ...string[]],
  { environment, workspace: suspect }: ProbeSurroundings,
): Promise<ProbeEnd> {
  let workspace: string | undefined;
  try {
    workspace = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-probe-')));
    const limits = { timeout, grace: 0, streamBytes: 4_096, signal: new AbortController().signal };
    const settings = { environment, workspace, variables: [], set: {}, sandbox, suspect, limits };
    const { exitCode, stderr } = await launchProgram(() => ({ file, args, shown: [] }), settings);
    return { exitCode, said: new TextDecoder().decode(stderr.bytes) };
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return { exitCode: undefined, said: error.message };
  } finally {
    if (workspace !== undefined) await rm(workspace, { recursive: true, force: true });
  }
}
