import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Confinement } from '@skillpack/core';
import { checkHides, homeFolders } from './hidden-places.js';
import { limitArguments } from './limit-arguments.js';
import { limitProcessCount } from './process-count.js';
import { codeFolders } from './own-code.js';
import { presentPlaces } from './protected-places.js';
import type { ConfinedProgram, ConfinedStart, Sandbox } from './sandbox.js';
import type { FilledSandboxLimits } from './sandbox-limits.js';
import { showProgram } from './shown-program.js';

/** Programs that it is made of. All absolute, and none from the workspace. */
export interface SandboxRuntimePrograms {
  /** The command of `@anthropic-ai/sandbox-runtime`, a file for Node.js in a folder of its package. */
  readonly command: string;
  readonly sh: string;
  /** Where it looks for others, which it starts unconfined: a PATH. */
  readonly path: string;
  /** Sets limits. @default elsewhere than on Linux there is none */
  readonly prlimit?: string | undefined;
}

/** How it confines. */
export interface SandboxRuntimeOptions {
  readonly limits: FilledSandboxLimits;
  /** Whether processes have to be counted in a group of their own, since the limit of a user does not hold. */
  readonly counted: boolean;
  readonly leaves: Confinement['leaves'];
}

/** What belongs to others, or is listened at. What a program needs of it is allowed again. */
const hidden = ['/home', '/root', '/Users', '/Volumes', '/media', '/mnt', '/run', '/srv', '/tmp', '/var/tmp'];
const keys = ['/etc/shadow', '/etc/gshadow', '/etc/ssh', '/etc/ssl/private', '/etc/sudoers', '/etc/machine-id'];
const joinGroup = 'echo 0 > "$1" && shift && exec "$@"';

/**
 * Linux and macOS: a sandbox by `@anthropic-ai/sandbox-runtime`, started as a program of its own for each run. There is no
 * network; homes and folders of others are not read; nothing is written but in the workspace, apart from what others run
 * or trust in it, and in a temporary folder. A skill is seen where it lies: whoever may write there outside of the sandbox
 * can exchange it in the moment before it is opened.
 */
export function createSandboxRuntime(programs: SandboxRuntimePrograms, options: SandboxRuntimeOptions): Sandbox {
  return {
    confinement: { name: 'sandbox-runtime', leaves: options.leaves },
    replaces: false,
    temporaryFolder: temporaryFolderOf,
    async confine(program): Promise<ConfinedStart> {
      for (const folder of [program.workspace, ...program.shown.map(({ path }) => path)]) checkHides(folder);
      const count = options.counted ? limitProcessCount(options.limits.processes) : undefined;
      const release = async (): Promise<void> => count?.[Symbol.asyncDispose]();
      try {
        const started = join(writableFolderOf(program.own), 'started');
        const words = prepare(program, { programs, options, started });
        const joined = count === undefined ? [] : [programs.sh, '-c', joinGroup, 'sh', count.joinedBy];
        const [file = process.execPath, ...args] = [...joined, process.execPath, ...words];
        return {
          file,
          args,
          // What it looks for there, it starts unconfined.
          environment: { PATH: programs.path, HOME: program.own, TMPDIR: tmpdir() },
          descriptors: [],
          supervised: true,
          usage: process.platform === 'linux' ? options.limits : undefined,
          started: () => existsSync(started),
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
  readonly programs: SandboxRuntimePrograms;
  readonly options: SandboxRuntimeOptions;
  readonly started: string;
}

function writableFolderOf(own: string): string {
  return join(own, 'written');
}

function temporaryFolderOf(own: string): string {
  return join(writableFolderOf(own), 'temporary');
}

/** Writes down what it may and what it is to start, since variables are among that; the words behind Node.js. */
function prepare(program: ConfinedProgram, { programs, options, started }: Preparation): string[] {
  const { own, workspace, shown } = program;
  mkdirSync(temporaryFolderOf(own), { recursive: true, mode: 0o700 });
  const seen = ['/usr', '/bin', '/lib', '/lib64', '/System', '/Library', ...shown.map(({ path }) => path)];
  const surroundings = { seen, hidden: homeFolders(), workspace };
  const interpreter = showProgram(program.file, surroundings);
  const node = showProgram(process.execPath, surroundings);
  const code = codeFolders(workspace, [fileURLToPath(import.meta.url), programs.command, process.execPath]);
  const line = join(own, 'command');
  const places = [...shown, ...interpreter.places, ...node.places].map(({ path }) => path);
  const settings = {
    network: { allowedDomains: [], deniedDomains: [], strictAllowlist: true },
    filesystem: {
      denyRead: [...new Set([...homeFolders(), ...hidden, ...keys, tmpdir()])].map(literal),
      // Inside, it starts programs of its own, and is often installed in a home.
      allowRead: [workspace, ...places, line, writableFolderOf(own), dirname(dirname(programs.command))].map(literal),
      allowWrite: [workspace, writableFolderOf(own)].map(literal),
      denyWrite: [...protectedIn(workspace), ...code, ...shown.map(({ path }) => path)].map(literal),
    },
  };
  const limits = programs.prlimit === undefined ? [] : [programs.prlimit, ...limitArguments(options.limits)];
  const variables = Object.entries(program.environment).map(([name, value]) => `${name}=${value}`);
  const words = ['env', '-i', ...variables, ...limits, interpreter.file, ...program.args];
  const text = `cd ${quote(workspace)} && : > ${quote(started)} && exec ${words.map(quote).join(' ')}\n`;
  writeFileSync(line, text, { mode: 0o600, flag: 'wx' });
  const file = join(own, 'settings.json');
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600, flag: 'wx' });
  return [programs.command, '--settings', file, '-c', `exec ${quote(programs.sh)} ${quote(line)}`];
}

/** Of these it protects by itself what is run, and for that it must be able to put something there. */
const protectedByItself = ['.git', '.claude'];

function protectedIn(workspace: string): readonly string[] {
  const present = presentPlaces(workspace).filter((path) => !protectedByItself.includes(basename(path)));
  return [...new Set([...present, join(workspace, '.agents')])];
}

/** What it reads as a path and nothing else, whatever stands in it. */
function literal(path: string) {
  return { path, literal: true };
}

/** A word of a shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
