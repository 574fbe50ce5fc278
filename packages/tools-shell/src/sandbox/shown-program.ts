import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { isBelow } from '../confine/confined-path.js';
import { programFolders } from '../process/find-program.js';
import { hiddenIn } from './hidden-places.js';
import type { ShownPlace } from './sandbox.js';

/** A program that can be started where little of the machine is seen. */
export interface ShownProgram {
  /** Absolute, and seen. */
  readonly file: string;
  /** What has to be seen for it. */
  readonly places: readonly ShownPlace[];
}

/** What is seen anyway, and what is not to be. */
export interface ShownSurroundings {
  /** Folders that are seen, and cannot be written to. */
  readonly seen: readonly string[];
  /** Folders that are never shown as a whole: homes. */
  readonly hidden: readonly string[];
  /** Nothing that lies there is started where it is not confined. */
  readonly workspace: string;
}

/** Interpreters that read much besides their own file, from the folder around their `bin`. */
const needsItsFolder = /^(?:python|ruby|perl|php|R$|Rscript|lua)/u;
/** What a virtual environment of Python is made of. */
const environmentParts = ['bin', 'include', 'lib', 'lib64', 'pyvenv.cfg', 'share'];
/** How an interpreter says where it really is: what stands for one may be a script that looks for it. */
const questions: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^python/u, ['-I', '-c', 'import sys; print(sys.executable)']],
  [/^ruby/u, ['-e', 'puts RbConfig.ruby']],
  [/^perl/u, ['-e', 'print $^X']],
];
const answers = new Map<string, string>();

/**
 * Says how to start a program where only some folders are seen. Most lie in folders of the system. Of others the file
 * itself is shown and, for interpreters that need it, the folder around their `bin`, but never a home.
 */
export function showProgram(file: string, surroundings: ShownSurroundings): ShownProgram {
  const asked = isBelow(surroundings.workspace, realpathSync(file)) ? file : askWhere(file);
  const real = realpathSync(asked);
  // A virtual environment is told by the name under which it is started.
  const environment = dirname(dirname(asked));
  const virtual = asked !== real && existsSync(join(environment, 'pyvenv.cfg'));
  const places = [...(virtual ? environmentPlaces(environment, surroundings) : []), placeOf(real, surroundings)];
  return { file: virtual ? asked : real, places: places.filter((place) => place !== undefined) };
}

/** The folders of a PATH in which something is seen, and before them those of programs that are shown by themselves. */
export function seenPath(path: string | undefined, shown: readonly string[], seen: readonly string[]): string {
  const folders = programFolders(path).filter((folder) => seen.some((place) => isBelow(place, folder)));
  const added = shown.map((file) => dirname(file)).filter((folder) => !folders.includes(folder));
  return [...new Set([...added, ...folders])].join(delimiter);
}

function placeOf(real: string, surroundings: ShownSurroundings): ShownPlace | undefined {
  if (surroundings.seen.some((folder) => isBelow(folder, real))) return undefined;
  const around = basename(dirname(real)) === 'bin' ? dirname(dirname(real)) : undefined;
  const whole =
    around !== undefined && needsItsFolder.test(basename(real)) ? folderPlace(around, surroundings) : undefined;
  return whole ?? { path: real, from: real };
}

/** Some have theirs in the folder of a whole project. */
function environmentPlaces(folder: string, { seen }: ShownSurroundings): readonly ShownPlace[] {
  const paths = environmentParts.map((name) => join(folder, name)).filter((path) => existsSync(path));
  return paths.filter((path) => !seen.some((place) => isBelow(place, path))).map((path) => ({ path, from: path }));
}

function folderPlace(folder: string, { seen, hidden, workspace }: ShownSurroundings): ShownPlace | undefined {
  if (seen.some((place) => isBelow(place, folder))) return undefined;
  // `~/.local` holds much besides programs: keys, histories.
  const within = [...hidden, workspace].some((other) => isBelow(folder, other));
  const wide = within || hiddenIn(folder) !== undefined || basename(folder).startsWith('.local');
  return wide ? undefined : { path: folder, from: folder };
}

function askWhere(file: string): string {
  const question = questions.find(([name]) => name.test(basename(file)))?.[1];
  if (question === undefined || !isScript(file)) return file;
  const known = answers.get(file);
  if (known !== undefined) return known;
  const { stdout, status } = spawnSync(file, question, {
    cwd: '/',
    encoding: 'utf8',
    env: pathOnly(),
    timeout: 10_000,
  });
  if (status !== 0) return file;
  const said = stdout.trim();
  const found = said.startsWith('/') && statSync(said, { throwIfNoEntry: false })?.isFile() === true ? said : file;
  answers.set(file, found);
  return found;
}

function pathOnly(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin' };
}

function isScript(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const beginning = new Uint8Array(2);
    readSync(descriptor, beginning, 0, 2, 0);
    return beginning[0] === 0x23 && beginning[1] === 0x21;
  } finally {
    closeSync(descriptor);
  }
}
