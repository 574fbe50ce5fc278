import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DoctorFinding } from '../../src/doctor/doctor-report.js';
import type { World } from '../world.js';

/** What a person wrote: it must be somewhere afterwards, whatever is mended. */
export const mine = 'a person wrote this';

/** One state that a root or the store can be in and should not be. */
export interface Sickness {
  /** As docs/doctor.md calls it. */
  readonly state: string;
  readonly finds: readonly DoctorFinding['kind'][];
  /** `repair`: `doctor --repair` alone; `command`: the command that the advice names; `person`: first a person. */
  readonly cure: 'repair' | 'command' | 'person';
  readonly harm: (world: World) => void | Promise<void>;
  /** What a person does, as the advice says. */
  readonly byHand?: ((world: World) => void | Promise<void>) | undefined;
}

/** The control folder of a world's root. */
export function controlOf({ skills }: World): string {
  return join(skills, '.skillpack');
}

/** The record of a pack. */
export function recordOf(world: World, name = 'org/pdf'): string {
  return join(controlOf(world), name);
}

/** The lock file. */
export function lockFileOf({ project }: World): string {
  return join(project, 'skillpack-lock.json');
}

/** Makes a FIFO: whoever opens one waits. */
export function makeFifo(path: string): void {
  execFileSync('mkfifo', [path]);
}

/** Puts something else in the place of a file or a folder. */
export function replaceWith(path: string, make: (path: string) => void): void {
  rmSync(path, { recursive: true, force: true });
  make(path);
}

/** The fields of our documents that tests change. */
export interface EditedDocument {
  formatVersion: number;
  name: string;
  treeDigest: string;
  skills: string[];
  links: string[];
  targets: string[];
  files: { digest: string }[];
  packs: Record<string, EditedDocument | string>;
}

/** Changes a document of ours. */
export function editJson(path: string, edit: (document: EditedDocument) => void): void {
  const document = JSON.parse(readFileSync(path, 'utf8')) as EditedDocument; // what we wrote; the test knows which
  edit(document);
  writeFileSync(path, JSON.stringify(document));
}
