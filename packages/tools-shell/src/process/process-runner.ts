import { readSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import {
  checkAborted,
  quoted,
  SkillsError,
  type ScriptOutcome,
  type ScriptRequest,
  type ScriptRunner,
  type SkillEntry,
} from '@skillpack/core';
import { withConfinedFile } from '../confine/open-confined.js';
import { expectWholeNumber } from '../expect-whole-number.js';
import { abilityWords, sandboxAbilities } from '../sandbox/sandbox-abilities.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { beginningBytes, chooseInterpreter, type ScriptFile } from './choose-interpreter.js';
import { programFolders } from './find-program.js';
import { launchProgram } from './launch-program.js';
import { pathOf } from './path-of.js';
import { longestTimeout } from './run-program.js';
import type { Environment } from './script-environment.js';

/** What a process runner takes from its surroundings. */
export interface ProcessRunnerPorts {
  /** The variables of this process: `process.env`. Few of them reach a script. */
  readonly environment: Environment;
}

/** How scripts are run. */
export interface ProcessRunnerOptions {
  /** The folder in which scripts run, absolute. */
  readonly workspace: string;
  /** Names of further variables of the environment that scripts get, `HOME` or a token. @default [] */
  readonly variables?: readonly string[] | undefined;
  /** Variables that scripts get besides. @default {} */
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** Bytes of each stream that are kept: half of them from the beginning, half from the end. At most 1 GiB. @default 1 MiB */
  readonly streamBytes?: number | undefined;
  /** Milliseconds between asking a script to end (SIGTERM) and ending it (SIGKILL). @default 2000 */
  readonly grace?: number | undefined;
  /** What keeps scripts from harm, as `findSandbox` finds it. @default nothing does: a script has all rights of whoever runs this */
  readonly sandbox?: Sandbox | undefined;
}

const mostStreamBytes = 1024 ** 3;
/** Milliseconds that it takes at most to see that a script is gone, and to read what it wrote last. */
const timeToEnd = 1_000;
/** Bytes of all arguments together. */
const maxArgumentBytes = 128 * 1024;

/**
 * Runs scripts as plain processes of this machine, with all rights of whoever runs this: for scripts that somebody has
 * said yes to. No shell reads anything; what the script is given and how it ends is the same everywhere.
 *
 * A path may also be absolute, within the skill's folder. On Linux everything that a script starts is found and ended
 * with it, unless it sets out to escape; on other systems that is its process group.
 *
 * @throws `USAGE` for a workspace that is not absolute, and numbers that are none.
 * @example
 * ```ts
 * const runner = createProcessRunner({ environment: process.env }, { workspace: process.cwd() });
 * const request = { skill, path: 'scripts/count.py', args: ['report.txt'], timeout: 30_000 };
 * const { exitCode, stdout } = await runner.run(request, { signal });
 * ```
 */
export function createProcessRunner(ports: ProcessRunnerPorts, options: ProcessRunnerOptions): ScriptRunner {
  const { environment } = ports;
  const { workspace, variables = [], set = {}, sandbox } = options;
  const streamBytes = expectWholeNumber(options.streamBytes ?? 1024 * 1024, {
    name: 'streamBytes',
    least: 0,
    most: mostStreamBytes,
  });
  const grace = expectWholeNumber(options.grace ?? 2_000, { name: 'grace', least: 0, most: longestTimeout });
  if (!isAbsolute(workspace)) {
    throw new SkillsError('USAGE', `The workspace ${quoted(workspace)} is not an absolute path.`, {
      hint: 'Resolve it against the folder it is relative to.',
    });
  }
  return {
    timeToStop: grace + timeToEnd,
    confinement: sandbox?.confinement,
    leaves: sandbox?.confinement.leaves ?? abilityWords(sandboxAbilities.map(({ id }) => id)),
    async run(request: ScriptRequest, { signal }): Promise<ScriptOutcome> {
      checkAborted(signal, 'The script');
      checkTime(request);
      checkArguments(request);
      const script = readScript(request);
      const folder = workspaceFolder(workspace);
      const { program, flags } = chooseInterpreter(script, programFolders(pathOf(environment)));
      const args = [...flags, script.path, ...request.args];
      const limits = { timeout: request.timeout, grace, streamBytes, signal };
      const settings = { environment, workspace: folder, variables, set, sandbox, limits };
      const shown = [{ path: script.folder, from: script.folder }];
      const end = await launchProgram(() => ({ file: program, args, shown }), settings);
      return { runner: sandbox?.confinement.name ?? 'process', command: [program, ...args], ...end };
    },
  };
}

function checkTime({ timeout }: ScriptRequest): void {
  if (timeout > 0) return;
  throw new SkillsError('USAGE', `The timeout is ${String(timeout)} ms; it has to be above 0.`);
}

function checkArguments({ args }: ScriptRequest): void {
  if (args.some((argument) => argument.includes('\0'))) {
    throw new SkillsError('INVALID_INPUT', 'An argument holds a NUL character, which no program can be given.');
  }
  const size = args.reduce((sum, argument) => sum + Buffer.byteLength(argument) + 1, 0);
  if (size <= maxArgumentBytes) return;
  throw new SkillsError(
    'INVALID_INPUT',
    `The arguments have ${size} bytes together; at most ${maxArgumentBytes} are given.`,
    { hint: 'Put long texts into a file, and name the file.', data: { size, maxBytes: maxArgumentBytes } },
  );
}

/** The folder of the skill is without a link, as the path of the script is. */
function readScript({ skill, path }: ScriptRequest): ScriptFile & { readonly folder: string } {
  const folder = skillFolder(skill);
  return withConfinedFile(folder, path, ({ descriptor, path: file }) => {
    const buffer = new Uint8Array(beginningBytes);
    const beginning = buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, 0));
    return { path: file, beginning, folder: realpathSync(folder) };
  });
}

function skillFolder({ name, location }: SkillEntry): string {
  if (isAbsolute(location)) return location;
  throw new SkillsError(
    'TOOL_NOT_ALLOWED',
    `The skill ${quoted(name)} lies at ${quoted(location)}, in no folder here.`,
    {
      hint: 'Install it: scripts are run from a folder of this machine.',
      data: { name, location },
    },
  );
}

function workspaceFolder(workspace: string): string {
  if (statSync(workspace, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync(workspace);
  throw new SkillsError('FILE_NOT_FOUND', `The workspace ${quoted(workspace)} is no folder.`, {
    data: { path: workspace },
  });
}
