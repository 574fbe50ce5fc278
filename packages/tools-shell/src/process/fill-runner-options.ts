import { expectWholeNumber } from '../expect-whole-number.js';
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
}

/** The same, filled. */
export interface FilledRunnerOptions extends Required<Omit<RunnerOptions, 'sandbox'>> {
  readonly variables: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  readonly streamBytes: number;
  readonly grace: number;
  readonly sandbox: Sandbox | undefined;
}

const mostStreamBytes = 1024 ** 3;

/** @throws `USAGE` for a workspace that is not absolute, and numbers that are none. */
export function fillRunnerOptions({
  workspace,
  variables = [],
  set = {},
  streamBytes = 8 * 1024 * 1024,
  grace = 2_000,
  sandbox,
}: RunnerOptions): FilledRunnerOptions {
  expectWholeNumber(streamBytes, { name: 'streamBytes', least: 0, most: mostStreamBytes });
  expectWholeNumber(grace, { name: 'grace', least: 0, most: longestTimeout });
  expectWorkspace(workspace);
  return { workspace, variables, set, streamBytes, grace, sandbox };
}
