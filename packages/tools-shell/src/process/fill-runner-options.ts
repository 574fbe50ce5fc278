import { SkillsError } from '@skillpack/core';
import { expectTexts } from '../expect-texts.js';
import { expectWholeNumber } from '../expect-whole-number.js';
import { guardPlaces } from '../sandbox/guard-places.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { longestTimeout } from './run-program.js';
import { expectWorkspace } from './workspace-folder.js';

/** How programs are run, whoever chooses them. */
export interface RunnerOptions {
  /** The folder in which they run, absolute. */
  readonly workspace: string;
  /** Names of further variables of the environment that they get, `HTTPS_PROXY` or a token. @default [] */
  readonly variables?: readonly string[] | undefined;
  /** Variables that they get besides. @default {} */
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** Bytes of each stream that are kept: half of them from the beginning, half from the end. At most 1 GiB. @default 8 MiB */
  readonly streamBytes?: number | undefined;
  /** Milliseconds between asking a program to end (SIGTERM) and ending it (SIGKILL). @default 2000 */
  readonly grace?: number | undefined;
  /** What keeps programs from harm, as `findSandbox` finds it. @default nothing does: they have all rights of whoever runs this */
  readonly sandbox?: Sandbox | undefined;
  /**
   * Files and folders of the workspace that programs cannot write to, by absolute paths: records of runs, skills. They see
   * them. What is not there at a start is not guarded in it. Asked for at each start; only a sandbox can do it. @default none
   */
  readonly protected?: (() => readonly string[]) | undefined;
}

/** Every option of a runner. */
export const runnerOptionNames: Readonly<Record<keyof RunnerOptions, true>> = {
  workspace: true,
  variables: true,
  set: true,
  streamBytes: true,
  grace: true,
  sandbox: true,
  protected: true,
};

/** The same, filled. */
export interface FilledRunnerOptions extends Required<Omit<RunnerOptions, 'sandbox' | 'protected'>> {
  readonly variables: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  readonly streamBytes: number;
  readonly grace: number;
  /** In which the protected places are guarded. */
  readonly sandbox: Sandbox | undefined;
}

const mostStreamBytes = 1024 ** 3;

/** @throws `USAGE` for a workspace that is not absolute, numbers that are none, what is no sandbox, and protected places without one. */
export function fillRunnerOptions({
  workspace,
  variables = [],
  set = {},
  streamBytes = 8 * 1024 * 1024,
  grace = 2_000,
  sandbox,
  protected: places,
}: RunnerOptions): FilledRunnerOptions {
  expectWholeNumber(streamBytes, { name: 'streamBytes', least: 0, most: mostStreamBytes });
  expectWholeNumber(grace, { name: 'grace', least: 0, most: longestTimeout });
  expectWorkspace(workspace);
  expectTexts(variables, 'variables');
  if (sandbox !== undefined) expectSandbox(sandbox);
  const guarded = places === undefined ? sandbox : guardedBy(sandbox, places);
  return { workspace, variables, set, streamBytes, grace, sandbox: guarded };
}

/** What is none, such as its name, would confine nothing. */
function expectSandbox(sandbox: unknown): void {
  const confines = typeof sandbox === 'object' && sandbox !== null && 'confine' in sandbox;
  if (confines && typeof sandbox.confine === 'function') return;
  throw new SkillsError('USAGE', 'The option sandbox is no sandbox.', {
    hint: 'Hand over what findSandbox found, or leave the option out where programs may do all that you can.',
  });
}

function guardedBy(sandbox: Sandbox | undefined, places: () => readonly string[]): Sandbox {
  if (typeof places !== 'function')
    throw new SkillsError('USAGE', 'The option protected is no function that gives paths.');
  if (sandbox !== undefined) return guardPlaces(sandbox, places);
  throw new SkillsError('USAGE', 'Places are protected, and no sandbox is there that could keep programs from them.', {
    hint: 'Hand over a sandbox, or leave protected out where programs may do all that you can.',
  });
}
