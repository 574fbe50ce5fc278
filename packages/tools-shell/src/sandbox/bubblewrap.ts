import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement } from '@skillpack/core';
import { bubblewrapArguments, confinedUser, temporaryFolder } from './bubblewrap-arguments.js';
import { guardedDevices, type DeviceGuard } from './device-guard.js';
import { checkHides, homeFolders } from './hidden-places.js';
import { codeFolders } from './own-code.js';
import { planMounts, type Mount } from './mount-plan.js';
import { limitProcessCount } from './process-count.js';
import { protectPlaces } from './protected-places.js';
import type { ConfinedProgram, ConfinedStart, Sandbox } from './sandbox.js';
import type { FilledSandboxLimits } from './sandbox-limits.js';
import { seccompFilter } from './seccomp-filter.js';
import { seenPath, showProgram } from './shown-program.js';
import { shownSystem } from './shown-system.js';

/** Programs of the machine that it is made of. All absolute, and none from the workspace. */
export interface BubblewrapPrograms {
  readonly bwrap: string;
  readonly prlimit: string;
  readonly sh: string;
  /** Keeps devices as they are. @default nothing does: they belong to somebody else */
  readonly guard?: DeviceGuard | undefined;
}

/** How bubblewrap confines. */
export interface BubblewrapOptions {
  readonly limits: FilledSandboxLimits;
  /** Whether processes have to be counted in a group of their own, since the limit of a user does not hold. */
  readonly counted: boolean;
  readonly leaves: Confinement['leaves'];
}

/** Joins a group of processes, then becomes what it is told. */
const joinGroup = 'echo 0 > "$1" && shift && exec "$@"';
/** The descriptor of its arguments; those of its filter and its status follow. */
const argumentsAt = 3;

/**
 * Linux: a sandbox by bubblewrap. A program sees the machine's programs, the workspace and what it is shown; nothing
 * else is there, no network, no process but its own. It may write to the workspace, but not to what others run or
 * trust in it, and to a temporary folder of limited size.
 */
export function createBubblewrap(programs: BubblewrapPrograms, options: BubblewrapOptions): Sandbox {
  return {
    confinement: { name: 'bubblewrap', leaves: options.leaves },
    replaces: true,
    temporaryFolder: () => temporaryFolder,
    async confine(program): Promise<ConfinedStart> {
      for (const folder of [program.workspace, ...program.shown.map(({ path }) => path)]) checkHides(folder);
      const places = protectPlaces(program.workspace);
      const count = options.counted ? limitProcessCount(options.limits.processes) : undefined;
      const release = async (): Promise<void> => {
        places[Symbol.dispose]();
        await count?.[Symbol.asyncDispose]();
      };
      try {
        const status = join(program.own, 'status');
        const prepared = prepare(program, { programs, options, protectedPaths: places.paths, status });
        const joined = count === undefined ? [] : [programs.sh, '-c', joinGroup, 'sh', count.joinedBy];
        const guarded = programs.guard === undefined ? [] : guardedDevices(programs.guard);
        const words = [...joined, ...guarded, programs.bwrap, '--args', String(argumentsAt), '--', ...prepared.command];
        const [file = programs.bwrap, ...args] = words;
        return {
          file,
          args,
          environment: {},
          descriptors: prepared.descriptors,
          supervised: true,
          usage: options.limits,
          started: () => readFileSync(status, 'utf8').includes('"exit-code"'),
          [Symbol.asyncDispose]: release,
        };
      } catch (error) {
        await release();
        throw error;
      }
    },
  };
}

interface Preparation {
  readonly programs: BubblewrapPrograms;
  readonly options: BubblewrapOptions;
  readonly protectedPaths: readonly string[];
  readonly status: string;
}

interface Prepared {
  readonly command: readonly string[];
  readonly descriptors: readonly number[];
}

/** Writes down what it is told, and opens what it is given: its options, then its status, then the filter. */
function prepare(program: ConfinedProgram, { programs, options, protectedPaths, status }: Preparation): Prepared {
  const system = shownSystem();
  const seen = [...system, ...program.shown].map(({ path }) => path);
  const surroundings = { seen, hidden: homeFolders(), workspace: program.workspace };
  const [interpreter, limiter, node] = [program.file, programs.prlimit, process.execPath].map((file) =>
    showProgram(file, surroundings),
  );
  if (interpreter === undefined || limiter === undefined || node === undefined) throw new Error('three are shown');
  const code = codeFolders(program.workspace).map((path) => ({ path, from: path }));
  const shown = [...code, ...program.shown, ...interpreter.places, ...limiter.places, ...node.places];
  const filter = seccompFilter(process.arch);
  const environment = {
    ...program.environment,
    PATH: seenPath(program.environment['PATH'], [interpreter.file, node.file], [...seen, program.workspace]),
  };
  const { options: told, command } = bubblewrapArguments({
    program: { ...program, file: interpreter.file, environment },
    system,
    mounts: planMounts({ workspace: program.workspace, protectedPaths, shown }),
    madeUp: makeUpSettings(program.own),
    limits: options.limits,
    limiter: limiter.file,
    status: argumentsAt + 1,
    filter: filter === undefined ? undefined : argumentsAt + 2,
  });
  const given = (name: string, bytes: string | Uint8Array): number => {
    writeFileSync(join(program.own, name), bytes, { mode: 0o600, flag: 'wx' });
    return openSync(join(program.own, name), 'r');
  };
  const opened = [given('options', told.map((word) => `${word}\0`).join('')), openSync(status, 'wx', 0o600)];
  return { command, descriptors: filter === undefined ? opened : [...opened, given('filter', filter)] };
}

/** Who works on this machine is nobody's business. */
function makeUpSettings(own: string): readonly Mount[] {
  const files = {
    passwd: `skill:x:${confinedUser}:${confinedUser}:skill:${temporaryFolder}:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n`,
    group: `skill:x:${confinedUser}:\nnogroup:x:65534:\n`,
    hosts: '127.0.0.1 localhost\n::1 localhost\n',
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  };
  return Object.entries(files).map(([name, text]) => {
    const from = join(own, name);
    writeFileSync(from, text, { mode: 0o644, flag: 'wx' });
    return { path: `/etc/${name}`, from, writable: false };
  });
}
