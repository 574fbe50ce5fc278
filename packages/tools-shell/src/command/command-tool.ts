import { realpathSync, statSync } from 'node:fs';
import { defineTool, SkillsError, type Clock, type Tool, type ToolOutcome, expectOptions } from '@skillpack/core';
import * as z from 'zod/mini';
import { expectWholeNumber } from '../expect-whole-number.js';
import {
  fillRunnerOptions,
  runnerOptionNames,
  type FilledRunnerOptions,
  type RunnerOptions,
} from '../process/fill-runner-options.js';
import { findProgram, programFolders } from '../process/find-program.js';
import { launchProgram } from '../process/launch-program.js';
import { pathOf } from '../process/path-of.js';
import type { Environment } from '../process/script-environment.js';
import { workspaceFolder } from '../process/workspace-folder.js';
import type { ShownPlace } from '../sandbox/sandbox.js';
import { describeEnd } from './describe-end.js';

/** What `run_command` takes from its surroundings. */
export interface CommandToolPorts {
  readonly clock: Pick<Clock, 'now'>;
  /** The variables of this process: `process.env`. Few of them reach a command. */
  readonly environment: Environment;
  /**
   * Takes secrets out of what is told and kept: `createRedactor`, the same that the agent has. It sees all of a stream
   * that was kept, before the beginning and the end of it are told. @default nothing is taken out
   */
  readonly redact?: ((text: string) => string) | undefined;
}

/** How commands are run. */
export interface CommandToolOptions extends RunnerOptions {
  /** Milliseconds that a command has where the model does not say how long. @default 30000 */
  readonly timeout?: number | undefined;
  /** Milliseconds that a model may ask for. @default 600000 */
  readonly longestTimeout?: number | undefined;
  /**
   * Folders that a command sees in a sandbox besides, and cannot write to, by absolute paths: those of activated skills.
   * One that is not there is left out. Asked for each time. @default none
   */
  readonly folders?: (() => readonly string[]) | undefined;
}

interface CommandInput {
  readonly command: string;
  readonly timeout_seconds?: number | undefined;
}

/** What one call comes to. */
interface CommandSettings {
  readonly ports: CommandToolPorts;
  readonly options: FilledRunnerOptions;
  readonly folders: () => readonly string[];
  readonly timeout: number;
}

const longestCommand = 20_000;

const optionNames: Readonly<Record<keyof CommandToolOptions, true>> = {
  ...runnerOptionNames,
  timeout: true,
  longestTimeout: true,
  folders: true,
};

/**
 * Makes `run_command`: a line for a shell, `bash` or else `sh`, in the workspace, with nothing on its standard input, few
 * variables and a limited time, in the same sandbox as scripts. It is of high risk, and runs code. An exit code, a signal
 * and too long a time are results with `EXIT_NONZERO` and `TIMEOUT`; what it wrote is in `outputs`, `stdout` and `stderr`.
 *
 * @throws `USAGE` for an option that there is not, a workspace that is not absolute, numbers that are none, what is no
 * sandbox, and protected places without one.
 * @example
 * ```ts
 * const { sandbox } = await findSandbox({ environment: process.env }, { workspace });
 * const tool = createCommandTool({ clock: systemClock, environment: process.env }, { workspace, sandbox });
 * ```
 */
export function createCommandTool(ports: CommandToolPorts, options: CommandToolOptions): Tool {
  expectOptions(options, { of: 'createCommandTool', names: optionNames });
  const filled = fillRunnerOptions(options);
  const longest = milliseconds(options.longestTimeout ?? 600_000, 'longestTimeout');
  const timeout = Math.min(milliseconds(options.timeout ?? 30_000, 'timeout'), longest);
  const most = Math.max(1, Math.floor(longest / 1_000));
  const input = z.strictObject({
    command: z
      .string()
      .check(z.minLength(1), z.maxLength(longestCommand))
      .register(z.globalRegistry, { description: 'A line for the shell. It runs in the workspace.' }),
    timeout_seconds: z.optional(
      z
        .int()
        .check(z.minimum(1), z.maximum(most))
        .register(z.globalRegistry, { description: `When it is ended. Without it, after ${timeout / 1_000} s.` }),
    ),
  });
  return defineTool(
    {
      name: 'run_command',
      description: descriptionOf(filled),
      input,
      risk: 'high',
      runsCode: true,
      confined: filled.sandbox !== undefined,
      check: checkCommand,
      run: async (given, { signal }) => {
        const asked = given.timeout_seconds === undefined ? timeout : given.timeout_seconds * 1_000;
        return runCommand(given, { ports, options: filled, folders: options.folders ?? none, timeout: asked }, signal);
      },
    },
    ports,
  );
}

function descriptionOf({ sandbox }: FilledRunnerOptions): string {
  const where = 'Runs a line in a shell (bash, else sh), in the workspace, and tells its exit code and what it wrote.';
  return sandbox === undefined
    ? where
    : `${where} There is no network, and nothing can be written but in the workspace and $TMPDIR.`;
}

function checkCommand({ command }: CommandInput): void {
  if (!command.includes('\0')) return;
  throw new SkillsError('INVALID_INPUT', 'The command holds a NUL character, which no shell can be given.');
}

async function runCommand(
  { command }: CommandInput,
  { ports, options, folders, timeout }: CommandSettings,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { grace, streamBytes, sandbox } = options;
  const file = findShell(ports.environment);
  const args = ['-c', command];
  const shown = sandbox === undefined ? [] : shownFolders(folders());
  const end = await launchProgram(() => ({ file, args, shown }), {
    ...options,
    environment: ports.environment,
    workspace: workspaceFolder(options.workspace),
    limits: { timeout, grace, streamBytes, signal },
  });
  const runner = sandbox?.confinement.name ?? 'process';
  return describeEnd({ ...end, runner, command: [file, ...args] }, { redact: ports.redact, timeout });
}

function shownFolders(folders: readonly string[]): readonly ShownPlace[] {
  return folders.flatMap((folder) => {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    const real = realpathSync(folder);
    return [{ path: real, from: real }];
  });
}

function none(): readonly string[] {
  return [];
}

function findShell(environment: Environment): string {
  const file = findProgram(['bash', 'sh'], programFolders(pathOf(environment)));
  if (file !== undefined) return file;
  throw new SkillsError('TOOL_NOT_ALLOWED', 'There is neither bash nor sh on the PATH, so no command can be run.', {
    hint: 'Do what you can without it, and say what could not be done.',
  });
}

function milliseconds(value: number, name: string): number {
  return expectWholeNumber(value, { name, least: 1, most: 24 * 60 * 60 * 1_000 });
}
