import { basename, extname, resolve } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import type { EvalSuite, ImportNote } from '@skillpack/evals';
import { findSuites, readSuite, type ReadSuite } from '@skillpack/evals/node';
import { splitList } from '../agent/split-list.js';
import { findSkillFolders } from '../author/find-skill-folders.js';
import { docPages } from '../frame/doc-pages.js';
import { nearestName } from '../frame/nearest-name.js';
import type { SuiteFolders } from './run-suite-program.js';

/** A file of cases that was read. */
export interface CaseFile {
  /** Absolute. */
  readonly path: string;
  /** Of the suite that it became. */
  readonly suite: string;
  readonly format: string;
  /** What of it could not be taken over, or not as it was. */
  readonly notes: readonly ImportNote[];
}

/** The cases below some paths, and the skills that they are about. */
export interface FoundCases {
  readonly suites: readonly EvalSuite[];
  readonly files: readonly CaseFile[];
  /** Where the programs of a suite start from, by its name. */
  readonly folders: ReadonlyMap<string, SuiteFolders>;
  /** Folders of skills, absolute, each once. */
  readonly skills: readonly string[];
  /** Files that were passed over, each with the reason, in a sentence. */
  readonly skipped: readonly string[];
}

/**
 * Reads all cases that some paths mean: files, skills, folders of skills.
 *
 * @param paths absolute.
 * @throws `FILE_NOT_FOUND` for a path that is not there, and where there are no cases; `INVALID_CASE`; what reading throws.
 */
export async function findCases(paths: readonly string[]): Promise<FoundCases> {
  const found = new Map<string, ReadCases>();
  const skills = new Set<string>();
  const skipped: string[] = [];
  for (const path of paths) {
    const below = await findSuitesAt(path);
    for (const folder of await skillsIn(path)) skills.add(folder);
    for (const { path: file, skillFolder } of below.suites) {
      if (skillFolder !== undefined) skills.add(skillFolder);
      if (!found.has(file)) found.set(file, { ...(await readSuite(file)), skillFolder });
    }
    skipped.push(...below.skipped.map(({ path: file, reason }) => `${file}: ${reason}`));
  }
  if (found.size === 0) throw noCases(paths, skipped);
  const read = named([...found.values()]);
  return {
    suites: read.map(({ suite }) => suite),
    files: read.map(({ path, suite, format, notes }) => ({ path, suite: suite.name, format, notes })),
    folders: new Map(
      read.map(({ suite, folder, skillFolder }) => [suite.name, { folder, root: skillFolder ?? folder }] as const),
    ),
    skills: [...skills],
    skipped,
  };
}

/** Whoever mistypes the name of one of our own commands names a path. */
async function findSuitesAt(path: string): ReturnType<typeof findSuites> {
  try {
    return await findSuites(path);
  } catch (error) {
    const meant = nearestName(basename(path), ['merge', 'import', 'export', 'report', 'compare']);
    if (!SkillsError.is(error, 'FILE_NOT_FOUND') || meant === undefined) throw error;
    const { code, message, data } = error;
    throw new SkillsError(code, message, { hint: `Did you mean \`skills eval ${meant}\`?`, cause: error, data });
  }
}

interface ReadCases extends ReadSuite {
  readonly skillFolder: string | undefined;
}

/** The cases at the paths of a list, for reports of results that are there; none without a list. @throws as {@link findCases}. */
export async function casesAt(
  list: string | undefined,
  cwd: string,
): Promise<{ readonly suites: readonly EvalSuite[]; readonly cases: readonly CaseFile[] }> {
  if (list === undefined) return { suites: [], cases: [] };
  const { suites, files } = await findCases(splitList(list).map((path) => resolve(cwd, path)));
  return { suites, cases: files };
}

/** A file of cases has no skill below it, and a folder may have none. */
async function skillsIn(path: string): Promise<readonly string[]> {
  try {
    return await findSkillFolders(path);
  } catch (error) {
    if (SkillsError.is(error, 'SKILL_NOT_FOUND')) return [];
    throw error;
  }
}

/** Suites of a skill are often called as it is: of several with one name, each is called by its file, too. */
function named(read: readonly ReadCases[]): readonly ReadCases[] {
  const times = new Map<string, number>();
  for (const { suite } of read) times.set(suite.name, (times.get(suite.name) ?? 0) + 1);
  const taken = new Map<string, string>();
  return read.map((one) => {
    const { suite, path } = one;
    const several = (times.get(suite.name) ?? 0) > 1;
    const name = several ? `${suite.name}-${basename(path, extname(path))}` : suite.name;
    const before = taken.get(name);
    if (before !== undefined) {
      throw new SkillsError('INVALID_CASE', `The cases of ${before} and ${path} are both called ${quoted(name)}.`, {
        hint: 'Give one of them another name: it stands in `name` of the file.',
        data: { name, files: [before, path] },
      });
    }
    taken.set(name, path);
    return several ? { ...one, suite: { ...suite, name } } : one;
  });
}

function noCases(paths: readonly string[], skipped: readonly string[]): SkillsError {
  const why = skipped.length === 0 ? '' : ` ${skipped.slice(0, 3).join(' ')}`;
  return new SkillsError('FILE_NOT_FOUND', `There are no cases in ${paths.join(', ')}.${why}`, {
    hint: `Cases of a skill lie in its folder evals, in a .yaml or .json file. ${docPages.evals} begins one.`,
    data: { paths },
  });
}
