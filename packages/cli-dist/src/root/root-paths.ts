import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { lockFileName, projectFileName, SkillsError, splitPackName, type PackName } from '@skillpack/core';
import { asIoError, errnoOf } from '../disk/io-error.js';
import { kindOfEntry, statEntry } from '../disk/stat-entry.js';
import { blockedFolder } from './blocked-folder.js';
import type { InstallRoot } from './install-root.js';

/** Every path of a root, links in the way to it resolved. */
export interface RootPaths {
  readonly root: InstallRoot;
  /** The real folder of the skills. */
  readonly skillsDir: string;
  readonly baseDir: string;
  /** `<skillsDir>/.skillpack`. Names of ours in it begin with a dot, which no organisation does. */
  readonly controlDir: string;
  readonly mutex: string;
  readonly journal: string;
  readonly staging: string;
  readonly projectFile: string;
  readonly lockFile: string;
  /** What the folders of other agents (`.claude/skills`) are relative to; `undefined` where no agent looks. */
  readonly linkBase: string | undefined;
  /** Where edited files are moved to: outside of what agents scan. */
  readonly backups: string;
}

/** The folder of ours in a root of skills. */
const controlName = '.skillpack';

/**
 * Resolves a root's paths; nothing is made. A link in the way to the skills is followed, since people keep their
 * settings in another folder; in a project it must not lead out of the project, since projects come from strangers.
 *
 * @throws `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`.
 */
export function rootPaths(root: InstallRoot): RootPaths {
  const skillsDir = realPath(root.skillsDir);
  const baseDir = realPath(root.baseDir);
  const projectFile = realPath(join(baseDir, projectFileName));
  const lockFile = realPath(join(baseDir, lockFileName));
  if (root.scope === 'project') {
    for (const path of [skillsDir, projectFile, lockFile]) confine(path, baseDir);
  }
  const controlDir = join(skillsDir, controlName);
  const stats = statEntry(controlDir);
  if (stats !== undefined && !stats.isDirectory()) throw notAFolder(controlDir, kindOfEntry(stats));
  return {
    root,
    skillsDir,
    baseDir,
    controlDir,
    mutex: join(controlDir, '.lock'),
    journal: join(controlDir, '.transaction.json'),
    staging: join(controlDir, '.staging'),
    projectFile,
    lockFile,
    linkBase: linkBaseOf(root, baseDir),
    backups: root.scope === 'other' ? join(controlDir, '.backups') : join(dirname(skillsDir), '.skillpack-backups'),
  };
}

function linkBaseOf(root: InstallRoot, baseDir: string): string | undefined {
  if (root.scope === 'project') return baseDir;
  // A person's agents look in the home folder, which holds the folder of skillpack.
  return root.scope === 'user' ? dirname(baseDir) : undefined;
}

/**
 * The real path of something that may not exist yet, which must not lie outside of `baseDir`.
 *
 * @throws `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`.
 */
export function confinedPath(path: string, baseDir: string): string {
  const real = realPath(path);
  confine(real, baseDir);
  return real;
}

/** The folder of a pack's receipt and manifest. */
export function recordDir(paths: RootPaths, name: PackName): string {
  const { org, base } = splitPackName(name);
  return join(paths.controlDir, org, base);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const parent = dirname(path);
    if (errnoOf(error) === 'ENOTDIR') throw blockedFolder(parent) ?? asIoError(error, path);
    if (errnoOf(error) !== 'ENOENT' || parent === path) throw asIoError(error, path);
    // A link to nowhere has no real path, but is not missing.
    if (statEntry(path)?.isSymbolicLink() === true) {
      throw new SkillsError('IO_ERROR', `${path} is a link that leads nowhere.`, {
        hint: 'Remove the link, or make what it leads to.',
        data: { path },
      });
    }
    return join(realPath(parent), basename(path));
  }
}

function confine(path: string, baseDir: string): void {
  const inside = relative(baseDir, path);
  if (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) return;
  throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `A link in the project ${baseDir} leads out of it, to ${path}.`, {
    hint: `Remove the link; or, if you made it, name the folder itself: --root ${path}.`,
    data: { project: baseDir, path },
  });
}

function notAFolder(path: string, kind: string): SkillsError {
  return new SkillsError('PATH_TRAVERSAL_BLOCKED', `${path} is a ${kind}, not a folder of skillpack’s own.`, {
    hint: 'Run `skills doctor --repair`: it moves it out of the way.',
    data: { path, kind },
  });
}
