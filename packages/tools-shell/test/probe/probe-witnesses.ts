import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SandboxAbilityId } from '../../src/sandbox/sandbox-abilities.js';
import { places, type ProbeGround, type ProbeSurroundings } from './probe-ground.js';
import type { ProbeServices } from './probe-services.js';
import { processesWith, type TreePeak } from './tree-watch.js';

/** What a witness looks at, once a script has ended. */
export interface ProbeScene {
  readonly ground: ProbeGround;
  readonly surroundings: ProbeSurroundings;
  readonly services: ProbeServices;
  /** What was there before. */
  readonly before: ProbeBefore;
  /** All that the script wrote. */
  readonly output: string;
  readonly peak: Readonly<TreePeak>;
  /** Seconds of processor time of all its processes, and what they left on the disk; where it was run several times, the most. */
  readonly cpuSeconds: number;
  readonly diskMiB: number;
  readonly limits: ProbeLimits;
  /** The secret of the environment. */
  readonly secret: string;
}

/** How much a script takes where nothing stops it. */
export interface ProbeLimits {
  readonly processes: number;
  readonly memoryMiB: number;
  readonly diskMiB: number;
  readonly cpuSeconds: number;
}

export interface ProbeBefore {
  readonly skill: string;
  readonly record: string;
  readonly victim: string;
  readonly workspace: number;
}

type Witness = (scene: ProbeScene) => string | undefined;

export function lookBefore({ skill, record, workspace }: ProbeGround, { received }: ProbeServices): ProbeBefore {
  const folders = { skill: digestOf(skill), record: digestOf(dirname(dirname(record))) };
  return { ...folders, victim: received.victim, workspace: lstatSync(workspace).ino };
}

/** Says what is to be seen from outside of what a script was able to; of some nothing is, and the script is believed. */
export const witnesses: Readonly<Record<SandboxAbilityId, Witness>> = {
  'write-outside': ({ ground }) => {
    const found = places.map((place) => place + ground.token).filter((path) => existsSync(path));
    for (const path of found) rmSync(path);
    return changedOutside(ground) ?? (found.length > 0 ? found.join(', ') : undefined);
  },
  'read-home': (scene) => shown(scene, scene.surroundings.homeSecret),
  'read-environment': (scene) => shown(scene, scene.secret),
  tcp: (scene) => came(scene, 'tcp'),
  udp: (scene) => came(scene, 'udp'),
  dns: (scene) => came(scene, 'dns'),
  'host-sockets': (scene) => came(scene, 'unix') ?? came(scene, 'abstract'),
  'other-processes': (scene) => {
    const { services, before } = scene;
    if (!services.victimLives()) return 'a stranger’s process was ended';
    if (services.received.victim !== before.victim) return 'a stranger’s process got a signal';
    return shown(scene, services.victimName);
  },
  'nested-namespaces': () => undefined,
  'fork-bomb': ({ peak, limits }) => (peak.tasks >= limits.processes ? `${peak.tasks} at a time` : undefined),
  memory: ({ peak, limits }) =>
    peak.memoryMiB >= limits.memoryMiB ? `${Math.round(peak.memoryMiB)} MiB at a time` : undefined,
  cpu: ({ cpuSeconds, limits }) =>
    // Of who was killed in the end, not all is counted.
    cpuSeconds >= limits.cpuSeconds * 0.75 ? `${cpuSeconds.toFixed(1)} seconds of processor time` : undefined,
  disk: ({ diskMiB, limits }) => (diskMiB >= limits.diskMiB ? `${diskMiB} MiB` : undefined),
  setuid: ({ ground }) => {
    const marked = filesOf(ground.workspace).filter((path) => (lstatSync(path).mode & 0o6000) !== 0);
    const made = marked.filter((path) => path !== ground.setuidProgram);
    return made.length > 0 ? made.join(', ') : undefined;
  },
  'kernel-interfaces': () => undefined,
  'links-out': (scene) => changedOutside(scene.ground) ?? shown(scene, scene.surroundings.homeSecret),
  'racing-links': (scene) => {
    const { ground, surroundings, before } = scene;
    const folder = lstatSync(ground.workspace);
    if (folder.ino !== before.workspace) return 'the workspace is another folder';
    if (!lstatSync(ground.skill).isDirectory()) return 'the folder of the skill is a link';
    return changedOutside(ground) ?? shown(scene, surroundings.homeSecret);
  },
  'terminal-injection': (scene) => came(scene, 'terminal'),
  'survive-timeout': ({ ground }) => {
    const alive = processesWith(ground.token);
    const names = alive.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').at(-2));
    for (const pid of alive) process.kill(pid, 'SIGKILL');
    return alive.length > 0 ? `lived on: ${names.join(', ')}` : undefined;
  },
  'write-skill': ({ ground, before }) =>
    digestOf(ground.skill) === before.skill ? undefined : 'the folder of the skill is another one',
  'write-record': ({ ground, before }) =>
    digestOf(dirname(dirname(ground.record))) === before.record ? undefined : 'the record is another one',
};

function changedOutside({ outsideFile }: ProbeGround): string | undefined {
  const names = readdirSync(dirname(outsideFile));
  if (names.length !== 1) return `files beside ${outsideFile}: ${names.join(', ')}`;
  if (lstatSync(outsideFile).nlink !== 1) return `${outsideFile} has a second name`;
  return readFileSync(outsideFile, 'utf8') === 'harmless\n' ? undefined : `${outsideFile} was written to`;
}

function shown({ output, ground }: ProbeScene, secret: string): string | undefined {
  if (output.includes(secret)) return 'the script printed it';
  // Where the workspace is a link, it is none of ours any more.
  const files = lstatSync(ground.workspace).isDirectory() ? filesOf(ground.workspace) : [];
  const copy = files.find((path) => lstatSync(path).size < 1_000_000 && readFileSync(path, 'latin1').includes(secret));
  return copy === undefined ? undefined : `it stands in ${copy}`;
}

function came({ services, ground }: ProbeScene, listener: keyof ProbeServices['received']): string | undefined {
  return services.received[listener].includes(ground.token) ? `it came to ${listener}` : undefined;
}

/** All that is below a folder, as it is: no link is followed. */
function entriesOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? [path, ...entriesOf(path)] : [path];
    });
}

function filesOf(folder: string): readonly string[] {
  return entriesOf(folder).filter((path) => lstatSync(path).isFile());
}

/** How much of the disk a script has filled, in MiB; it is freed again. */
export function takeAway({ workspace }: ProbeGround): number {
  // Where the workspace is a link, it is none of ours any more.
  if (!lstatSync(workspace).isDirectory()) return 0;
  const filled = filesOf(workspace).filter((path) => basename(path).startsWith('filled-'));
  const bytes = filled.reduce((total, path) => total + lstatSync(path).blocks * 512, 0);
  for (const path of filled) rmSync(path);
  return Math.round(bytes / 2 ** 20);
}

/** Of all that is below a folder: its names, kinds, modes and contents. */
function digestOf(folder: string): string {
  const hash = createHash('sha256');
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return 'none';
  for (const path of [folder, ...entriesOf(folder)]) {
    const stats = lstatSync(path);
    hash.update(`${path}\0${stats.mode}\0`);
    if (stats.isFile()) hash.update(readFileSync(path));
    if (stats.isSymbolicLink()) hash.update(readlinkSync(path));
  }
  return hash.digest('hex');
}
