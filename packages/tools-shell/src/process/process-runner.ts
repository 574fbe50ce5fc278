import {
  checkAborted,
  SkillsError,
  type ScriptOutcome,
  type ScriptRequest,
  type ScriptRunner,
  type ScriptStream,
  expectOptions,
} from '@skillpack/core';
import { abilityWords, sandboxAbilities } from '../sandbox/sandbox-abilities.js';
import { fillRunnerOptions, runnerOptionNames, type RunnerOptions } from './fill-runner-options.js';
import { launchProgram } from './launch-program.js';
import { prepareScript, readScript, skillFolder, type ScriptLaunch } from './prepare-script.js';
import type { Environment } from './script-environment.js';
import { workspaceFolder } from './workspace-folder.js';

/** What a process runner takes from its surroundings. */
export interface ProcessRunnerPorts {
  /** The variables of this process: `process.env`. Few of them reach a script. */
  readonly environment: Environment;
}

/** How scripts are run. */
export type ProcessRunnerOptions = RunnerOptions;

/** Milliseconds that it takes at most to see that a script is gone, and to read what it wrote last. */
const timeToEnd = 1_000;
/** Bytes of all arguments together. */
const maxArgumentBytes = 128 * 1024;

/**
 * Runs scripts as processes of this machine: in a sandbox, else with all rights of whoever runs this, for scripts that
 * somebody has said yes to. No shell reads anything; what the script is given and how it ends is the same everywhere.
 *
 * Where a request says which content of the skill is meant, all files of the skill are read before the start, and compared.
 * In a sandbox that puts another folder in the place of one, exactly what was compared is what the script sees; else the
 * script is run where it lies, and whoever may write there can exchange it in the moment before it is opened.
 *
 * A path may also be absolute, within the skill's folder. On Linux everything that a script starts is found and ended
 * with it, unless it sets out to escape; on other systems that is its process group.
 *
 * @throws `USAGE` for an option that there is not, a workspace that is not absolute, numbers that are none, what is no
 * sandbox, and protected places without one.
 * @example
 * ```ts
 * const runner = createProcessRunner({ environment: process.env }, { workspace: process.cwd() });
 * const request = { skill, path: 'scripts/count.py', args: ['report.txt'], timeout: 30_000 };
 * const { exitCode, stdout } = await runner.run(request, { signal });
 * ```
 */
export function createProcessRunner(ports: ProcessRunnerPorts, options: ProcessRunnerOptions): ScriptRunner {
  const { environment } = ports;
  expectOptions(options, { of: 'createProcessRunner', names: runnerOptionNames });
  const { workspace, variables, set, streamBytes, grace, sandbox } = fillRunnerOptions(options);
  return {
    timeToStop: grace + timeToEnd,
    confinement: sandbox?.confinement,
    leaves: sandbox?.confinement.leaves ?? abilityWords(sandboxAbilities.map(({ id }) => id)),
    check({ skill, args }) {
      checkArguments({ args });
      skillFolder(skill);
    },
    async run(request: ScriptRequest, { signal }): Promise<ScriptOutcome> {
      checkAborted(signal, 'The script');
      checkTime(request);
      checkArguments(request);
      // Before anything is made for it: what cannot be run is said at once.
      const found = readScript(request, skillFolder(request.skill));
      const settings = { workspace: workspaceFolder(workspace), environment, variables, set, sandbox };
      const limits = { timeout: request.timeout, grace, streamBytes, signal };
      let launched: ScriptLaunch | undefined;
      const prepare = (own: string): ScriptLaunch => {
        launched = prepareScript({ request, found, own }, { sandbox, environment, signal });
        return launched;
      };
      const end = await launchProgram(prepare, { ...settings, limits });
      if (launched === undefined) throw new Error('what has ended was prepared');
      const { file, args, note } = launched;
      const stderr = note === undefined ? end.stderr : withNote(end.stderr, note);
      return { runner: sandbox?.confinement.name ?? 'process', command: [file, ...args], ...end, stderr };
    },
  };
}

/** What cannot be told otherwise stands before what a script writes of its own troubles. */
function withNote({ bytes, size, cut }: ScriptStream, note: string): ScriptStream {
  const line = new TextEncoder().encode(`${note}\n`);
  const whole = new Uint8Array(line.length + bytes.length);
  whole.set(line);
  whole.set(bytes, line.length);
  return { bytes: whole, size: size + line.length, ...(cut === undefined ? {} : { cut: cut + line.length }) };
}

function checkTime({ timeout }: ScriptRequest): void {
  if (timeout > 0) return;
  throw new SkillsError('USAGE', `The timeout is ${String(timeout)} ms; it has to be above 0.`);
}

function checkArguments({ args }: Pick<ScriptRequest, 'args'>): void {
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
