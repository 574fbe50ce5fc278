import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { errnoOf } from '../errno.js';

/** A file or folder below a folder that nothing leads out of. */
export interface ConfinedEntry {
  /** Absolute, without a link in it. */
  readonly path: string;
  /** Below the folder, with `/`; empty for the folder itself. */
  readonly place: string;
  readonly stats: Stats;
}

const longestPath = 4096;

/**
 * Finds what a path means below a folder: relative to it, or absolute. The folder itself may be reached through links;
 * below it no component may be one, whether it leads out or not, since it could be another the next moment.
 *
 * @throws `PATH_TRAVERSAL_BLOCKED` for a path that leads out or through a link, `FILE_NOT_FOUND`, `IO_ERROR`.
 */
export function findConfined(folder: string, path: string): ConfinedEntry {
  const root = rootOf(folder);
  const components = componentsBelow({ folder, root, path });
  let found: ConfinedEntry = { path: root, place: '', stats: statOf(root, path) };
  for (const component of components) {
    if (!found.stats.isDirectory()) throw notFound(path);
    const next = join(found.path, component);
    const stats = statOf(next, path);
    const place = found.place === '' ? component : `${found.place}/${component}`;
    if (stats.isSymbolicLink()) throw blocked(path, `leads through the link ${quoted(place)}`);
    found = { path: next, place, stats };
  }
  return found;
}

/** Whether an absolute path is the folder, or lies below it by its text. */
export function isBelow(folder: string, path: string): boolean {
  const between = relative(folder, path);
  return between === '' || !(isAbsolute(between) || between === '..' || between.startsWith(`..${sep}`));
}

function rootOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    throw asSkillsError(error, folder);
  }
}

function componentsBelow({
  folder,
  root,
  path,
}: {
  readonly folder: string;
  readonly root: string;
  readonly path: string;
}): readonly string[] {
  if (path.includes('\0')) throw blocked(path, 'holds a NUL character');
  if (path.length > longestPath) throw notFound(path);
  const components = path.split(sep === '/' ? '/' : /[\\/]/u);
  // Judged before anything is resolved: behind a link, `..` is not what it seems.
  if (components.includes('..')) throw blocked(path, 'holds “..”');
  if (isAbsolute(path)) {
    const base = [folder, root].find((candidate) => isBelow(candidate, path));
    if (base === undefined) throw blocked(path, `is not below ${quoted(folder)}`);
    return relative(base, path)
      .split(sep)
      .filter((component) => component !== '');
  }
  const meant = components.filter((component) => component !== '' && component !== '.');
  // A drive or a stream of Windows is no component.
  if (sep === '\\' && meant.some((component) => component.includes(':'))) throw blocked(path, 'holds a colon');
  return meant;
}

function statOf(entry: string, asked: string): Stats {
  try {
    return lstatSync(entry);
  } catch (error) {
    throw asSkillsError(error, asked);
  }
}

function asSkillsError(error: unknown, path: string): SkillsError {
  const code = errnoOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return notFound(path);
  return new SkillsError('IO_ERROR', `The system does not read ${quoted(path)} (${code}).`, { cause: error });
}

function notFound(path: string): SkillsError {
  return new SkillsError('FILE_NOT_FOUND', `There is no ${quoted(path)}.`, { data: { path: path.slice(0, 1024) } });
}

function blocked(path: string, problem: string): SkillsError {
  return new SkillsError('PATH_TRAVERSAL_BLOCKED', `The path ${quoted(path)} ${problem}.`, {
    hint: 'Name a file by its path below the folder, without “..” and without a link in it.',
    data: { path: path.slice(0, 1024) },
  });
}
