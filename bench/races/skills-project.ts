import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareTrees } from '../fixtures/compare-trees.ts';
import { runProgram } from '../fixtures/run-program.ts';

/** A person with a project, all on one file system. */
export interface SkillsProject {
  readonly folder: string;
  /** The skills of the project. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  /** The line that runs the command with these words, to be timed. */
  line(words: string): string;
  /** Runs it untimed, and throws unless it ends with this code, 0 by default. */
  run(words: readonly string[], exitCode?: number): Promise<string>;
  /** Makes the project anew, with what it wants and nothing installed. The cache stays. */
  reset(wants: ProjectWants): Promise<void>;
  /** Empties the cache: of archives, and of compiled code. */
  emptyCache(): Promise<void>;
  /** Throws unless these skills of a folder, or all of them, are installed byte for byte. */
  check(skills: string, names?: readonly string[]): Promise<void>;
}

/** The `skillpack.json` of a project. */
export interface ProjectWants {
  readonly registry?: string;
  readonly packs?: Readonly<Record<string, string>>;
}

/** Describes a project in a folder; nothing is made yet. */
export function skillsProject(base: string, command: string): SkillsProject {
  const folder = join(base, 'home', 'project');
  const root = join(folder, '.agents', 'skills');
  // Not SKILLS_CACHE, which few set: what is compiled is kept in the person's own folder only.
  const env = { HOME: join(base, 'home'), XDG_CACHE_HOME: join(base, 'cache'), TMPDIR: join(base, 'tmp'), CI: 'true' };
  return {
    folder,
    root,
    env,
    line: (words) => `$MEASURE "$NODE" '${command}' ${words}`,
    run: (words, exitCode = 0) => runProgram([process.execPath, command, ...words], { cwd: folder, env, exitCode }),
    async reset({ registry, packs }) {
      await Promise.all([env.HOME, env.TMPDIR].map((path) => rm(path, { recursive: true, force: true })));
      await mkdir(join(folder, '.git'), { recursive: true });
      await mkdir(env.TMPDIR);
      if (packs !== undefined)
        await writeFile(
          join(folder, 'skillpack.json'),
          `${JSON.stringify({ packs, ...(registry === undefined ? {} : { registries: { default: registry } }) }, null, 2)}\n`,
        );
    },
    emptyCache: () => rm(env.XDG_CACHE_HOME, { recursive: true, force: true }),
    async check(skills, names) {
      for (const name of names ?? (await readdir(skills))) await compareTrees(join(skills, name), join(root, name));
    },
  };
}
