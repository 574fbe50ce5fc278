import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import picomatch from 'picomatch';
import {
  SkillsError,
  defaultArchiveLimits,
  parseProjectFile,
  projectFileName,
  quoted,
  type ProjectFile,
} from '@skillpack/core';
import { readText } from '../disk/read-text.js';
import type { PackParts } from './describe-pack.js';
import { diskError } from './disk-error.js';
import { findSkillFolders, skillFileNames } from './find-skill-folders.js';
import { IgnoreRules } from './ignore-rules.js';
import { PackBudget } from './pack-budget.js';
import type { PackOptions } from './packed-pack.js';
import { readSkillFolder, type ReadSkill } from './read-skill-folder.js';

/**
 * Reads everything of a folder that goes into a pack of it.
 *
 * @throws `FILE_NOT_FOUND`, `SKILL_NOT_FOUND`, `INVALID_PROJECT`, `INVALID_SKILL`, `INVALID_PATH`, `FILE_TOO_LARGE`,
 *   `IO_ERROR`, `INTERRUPTED`.
 */
export async function readPackParts(
  dir: string,
  options: Pick<PackOptions, 'executable' | 'limits' | 'signal'>,
): Promise<PackParts> {
  const root = resolve(dir);
  const project = await readProject(root);
  const skills = await readSkills(root, project, options);
  return { project, skills, files: skills.flatMap((skill) => skill.files) };
}

/** What a skillpack.json may have; more is not read into memory. */
const projectBytes = 4 * 1024 * 1024;

async function readProject(root: string): Promise<ProjectFile | undefined> {
  const path = join(root, projectFileName);
  try {
    if (!(await stat(root)).isDirectory()) {
      throw new SkillsError('FILE_NOT_FOUND', `${quoted(root)} is not a folder.`, {
        hint: 'Name the folder that holds skillpack.json or SKILL.md.',
        data: { path: root },
      });
    }
  } catch (error) {
    throw diskError(error, root);
  }
  const text = readText(path, projectBytes);
  return text === undefined ? undefined : parseProjectFile(text, path);
}

async function readSkills(
  root: string,
  project: ProjectFile | undefined,
  options: Pick<PackOptions, 'executable' | 'limits' | 'signal'>,
): Promise<readonly ReadSkill[]> {
  const rules = IgnoreRules.base();
  const folders = await findSkillFolders(root, { globs: project?.skills, rules });
  const collect = {
    rules,
    takes: filesFilter(project?.files),
    executable: options.executable ?? (process.platform === 'win32' ? 'shebang' : 'mode'),
    budget: new PackBudget(options.limits ?? defaultArchiveLimits),
    signal: options.signal,
  } as const;
  const skills: ReadSkill[] = [];
  for (const folder of folders) skills.push(await readSkillFolder(root, folder, collect));
  checkNames(skills);
  return skills;
}

/** `files` of skillpack.json: a path is in if a pattern matches it or a folder above it. A SKILL.md always is. */
function filesFilter(globs: readonly string[] | undefined): (path: string) => boolean {
  if (globs === undefined) return () => true;
  const bare = globs.map((glob) => glob.replace(/^(?<not>!?)\.\//u, '$<not>').replace(/\/$/u, ''));
  const takes = picomatch(
    bare.filter((glob) => !glob.startsWith('!')),
    { dot: true },
  );
  const drops = picomatch(
    bare.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)),
    { dot: true },
  );
  return (path) => {
    const names = path.split('/');
    if (skillFileNames.some((name) => names.at(-1) === name)) return true;
    const ways = names.map((_, index) => names.slice(0, index + 1).join('/'));
    return ways.some((way) => takes(way)) && !ways.some((way) => drops(way));
  };
}

function checkNames(skills: readonly ReadSkill[]): void {
  const folders = new Map<string, string>();
  for (const { name, folder } of skills) {
    const other = folders.get(name);
    if (other !== undefined) {
      throw new SkillsError(
        'INVALID_PROJECT',
        `The folders ${quoted(other)} and ${quoted(folder)} hold skills of one name, ${quoted(name)}.`,
        {
          hint: 'Rename one of them in its SKILL.md.',
          data: { name, folders: [other, folder] },
        },
      );
    }
    folders.set(name, folder);
  }
}
