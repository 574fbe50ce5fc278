import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScriptRunner, ScriptStream, SkillEntry } from '@skillpack/core';

/** A program of a suite that says whether a trial went well. */
export interface SuiteProgram {
  /** Relative to the folder of the suite. */
  readonly script: string;
  readonly args: readonly string[];
  /** What the agent answered last. */
  readonly answer: string;
}

/** Where it runs. */
export interface SuiteProgramPlace {
  readonly runner: ScriptRunner;
  /** What `script` is relative to, absolute: nothing outside of it is run. */
  readonly folder: string;
  /** Absolute. */
  readonly workspace: string;
  readonly signal: AbortSignal;
}

const timeout = 60_000;
const mostOutput = 20_000;

/**
 * Runs a program of a suite in the workspace of a trial, as a script of a skill is run, and hands it the answer as the
 * file that its last argument names.
 *
 * @throws what the runner throws.
 */
export async function runSuiteProgram(
  { script, args, answer }: SuiteProgram,
  { runner, folder, workspace, signal }: SuiteProgramPlace,
): Promise<{ readonly exitCode: number | undefined; readonly output: string }> {
  // In the workspace, since a sandbox shows no other folder; and with a name that no case can have chosen.
  const own = join(workspace, `.answer-${randomUUID()}`);
  const file = join(own, 'answer.txt');
  await mkdir(own, { mode: 0o700 });
  try {
    await writeFile(file, answer, { mode: 0o600, flag: 'wx' });
    const outcome = await runner.run(
      { skill: suiteEntry(folder), path: script, args: [...args, file], timeout },
      { signal },
    );
    return { exitCode: outcome.exitCode, output: textOf(outcome.stdout) + textOf(outcome.stderr) };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** The runner runs what lies in the folder of a skill; that of a suite is as good as one. */
function suiteEntry(location: string): SkillEntry {
  return {
    name: 'suite',
    scope: 'other',
    location,
    pack: undefined,
    packVersion: undefined,
    digest: undefined,
    head: {
      name: 'suite',
      description: undefined,
      license: undefined,
      compatibility: undefined,
      metadata: {},
      allowedTools: undefined,
      version: undefined,
      author: undefined,
      modelInvocable: false,
      userInvocable: false,
      runMode: 'inline',
      frontMatter: {},
      bodyLine: 1,
    },
    diagnostics: [],
  };
}

function textOf({ bytes }: ScriptStream): string {
  return new TextDecoder().decode(bytes).slice(0, mostOutput);
}
