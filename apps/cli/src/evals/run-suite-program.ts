import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ScriptStream, SkillEntry } from '@skillpack/core';
import { createProcessRunner, type Environment, type Sandbox } from '@skillpack/tools-shell';

/** A program of a suite that says whether a trial went well. */
export interface SuiteProgram {
  /** Relative to the folder of the suite. */
  readonly script: string;
  readonly args: readonly string[];
  /** What the agent answered last. */
  readonly answer: string;
}

/** Where the programs of a suite lie, and what they see. */
export interface SuiteFolders {
  /** What the path of a program is relative to, absolute. */
  readonly folder: string;
  /** What a program may read besides the workspace, absolute: the skill that the suite lies in, or `folder` itself. */
  readonly root: string;
}

/** Where a program runs. */
export interface SuiteProgramPlace extends SuiteFolders {
  readonly environment: Environment;
  readonly sandbox: Sandbox | undefined;
  /** Absolute. */
  readonly workspace: string;
  readonly signal: AbortSignal;
}

const timeout = 60_000;
const mostOutput = 20_000;
/** The variable that names the file with the answer. */
const answerVariable = 'EVAL_ANSWER_FILE';

/**
 * Runs a program of a suite in the workspace of a trial, as a script of a skill is run. The answer is in the file that the
 * variable `EVAL_ANSWER_FILE` names.
 *
 * @throws what the runner throws, such as `PATH_TRAVERSAL_BLOCKED` for a program that lies elsewhere.
 */
export async function runSuiteProgram(
  { script, args, answer }: SuiteProgram,
  { environment, sandbox, folder, root, workspace, signal }: SuiteProgramPlace,
): Promise<{ readonly exitCode: number | undefined; readonly output: string }> {
  // In the workspace, since a sandbox shows no other folder; and with a name that no case can have chosen.
  const own = join(workspace, `.answer-${randomUUID()}`);
  const file = join(own, 'answer.txt');
  await mkdir(own, { mode: 0o700 });
  try {
    await writeFile(file, answer, { mode: 0o600, flag: 'wx' });
    const runner = createProcessRunner({ environment }, { workspace, sandbox, set: { [answerVariable]: file } });
    const path = relative(root, join(folder, script)).replaceAll(sep, '/');
    const outcome = await runner.run({ skill: suiteEntry(root), path, args, timeout }, { signal });
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
