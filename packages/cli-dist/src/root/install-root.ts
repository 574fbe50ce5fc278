import { join, resolve } from 'node:path';

/** Where skills are installed, and the files that govern it. All paths are absolute. */
export interface InstallRoot {
  /**
   * `project`: `<project>/.agents/skills`, which must not lead out of the project by a link; `user`: the person's own
   * skills; `other`: any folder.
   */
  readonly scope: 'project' | 'user' | 'other';
  /** The folder that holds one folder a skill. */
  readonly skillsDir: string;
  /** The folder of `skillpack.json` and `skillpack-lock.json`. */
  readonly baseDir: string;
}

/** The root of a project: skills in `.agents/skills`, the two files beside the project's own. */
export function projectRoot(projectDir: string): InstallRoot {
  const baseDir = resolve(projectDir);
  return { scope: 'project', skillsDir: join(baseDir, '.agents', 'skills'), baseDir };
}

/** The root of a person. @param skillsHome usually `~/.agents`. */
export function userRoot(skillsHome: string): InstallRoot {
  const baseDir = resolve(skillsHome);
  return { scope: 'user', skillsDir: join(baseDir, 'skills'), baseDir };
}

/** Any other folder of skills; it holds the two files itself. */
export function folderRoot(dir: string): InstallRoot {
  const skillsDir = resolve(dir);
  return { scope: 'other', skillsDir, baseDir: skillsDir };
}
