import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SandboxAbilityId } from '../../src/sandbox/sandbox-abilities.js';

/** Nobody of an ordinary system, for a program that runs as somebody else than who starts it. */
export const nobody = 65534;

/** What is around all probes of one process. */
export interface ProbeSurroundings {
  /** All of it. */
  readonly base: string;
  readonly home: string;
  /** A file in the home. */
  readonly homeFile: string;
  /** What stands in it. */
  readonly homeSecret: string;
}

/** What one probe has to itself. */
export interface ProbeGround {
  /** Stands in whatever it leaves somewhere. */
  readonly token: string;
  readonly workspace: string;
  readonly skill: string;
  readonly record: string;
  readonly outsideFile: string;
  readonly linkInside: string;
  readonly folderLinkInside: string;
  /** A program in the workspace that is marked to run as somebody else. Empty where only root could make one. */
  readonly setuidProgram: string;
}

/** Folders of the system, each with a slash behind it. */
export const places = ['/var/tmp/', '/usr/local/', '/etc/', '/var/lib/', '/opt/', '/srv/'];

export const random = (): string => randomBytes(12).toString('hex');

/** Not in `/tmp`, of which sandboxes make one of their own; of `/var/tmp`, some do, and that has to work as well. */
const roots = { root: join(import.meta.dirname, '..', '..', '..', '..', 'temp'), user: '/var/tmp' };

export function makeSurroundings(): ProbeSurroundings {
  const parent = process.getuid?.() === 0 ? roots.root : roots.user;
  mkdirSync(parent, { recursive: true });
  const base = mkdtempSync(join(parent, 'skillpack-probe-'));
  const home = join(base, 'home');
  const homeFile = join(home, '.ssh', 'id_probe');
  const homeSecret = `probe-home-${random()}`;
  mkdirSync(join(home, '.ssh'), { recursive: true });
  writeFileSync(homeFile, `${homeSecret}\n`);
  return { base, home, homeFile, homeSecret };
}

/** A project in the home, with the skill and the record of a run in it: where they are hardest to protect. */
export function makeGround({ base, home }: ProbeSurroundings, id: SandboxAbilityId): ProbeGround {
  const workspace = join(home, `project-${id}`);
  const outside = join(base, `outside-${id}`);
  const skill = join(workspace, '.agents', 'skills', 'probe');
  const run = join(workspace, '.agents', 'runs', 'probe');
  const [outsideFile, record] = [join(outside, 'canary.txt'), join(run, 'events.jsonl')];
  const [linkInside, folderLinkInside] = [join(workspace, 'link-inside'), join(workspace, 'folder-link-inside')];
  // Of another look at it.
  for (const folder of [workspace, outside]) rmSync(folder, { recursive: true, force: true });
  for (const folder of [outside, run]) mkdirSync(folder, { recursive: true });
  cpSync(join(import.meta.dirname, 'skill'), skill, { recursive: true });
  writeFileSync(join(skill, 'data.txt'), 'of the skill\n');
  writeFileSync(outsideFile, 'harmless\n');
  writeFileSync(record, '{}\n');
  symlinkSync(outsideFile, linkInside);
  symlinkSync(outside, folderLinkInside);
  const setuidProgram = process.getuid?.() === 0 ? makeSetuidProgram(workspace) : '';
  const token = `probe-${id}-${random()}`;
  return { token, workspace, skill, record, outsideFile, linkInside, folderLinkInside, setuidProgram };
}

/** It says who it runs as. Root's own rights could not be told from those that it gives, and so it is somebody else's. */
function makeSetuidProgram(folder: string): string {
  const program = join(folder, 'who');
  copyFileSync('/usr/bin/id', program);
  chownSync(program, nobody, nobody);
  chmodSync(program, 0o4755);
  return program;
}
