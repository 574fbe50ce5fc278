import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import * as z from 'zod/mini';
import { makeFolder } from '../files/make-folder.js';
import { readRegularFile } from '../files/read-regular-file.js';
import { writeWholeFile } from '../files/write-whole-file.js';

const maxBytes = 1024 * 1024;

const trustSchema = z.lazy(() => {
  const paths = z.array(z.string().check(z.minLength(1), z.maxLength(4096)));
  return z.object({ formatVersion: z.literal(1), projects: paths, declined: z.optional(paths) });
});

/** What a person said of a project; `undefined` where they have not been asked. */
export type Verdict = 'trusted' | 'declined' | undefined;

/**
 * The projects whose skills a person lets an agent read, and those that they do not: real paths, in
 * `trusted-projects.json` of their own folder. A project cannot write itself into it, and nobody else may have written it.
 */
export interface TrustedProjects {
  /** The file. */
  readonly path: string;
  /** What was said of this project, by the real path of its folder. */
  verdictOn(projectDir: string): Verdict;
  /** Remembers what is said of it now. @throws `IO_ERROR`. */
  remember(projectDir: string, verdict: NonNullable<Verdict>): Promise<void>;
}

interface Verdicts {
  readonly trusted: ReadonlySet<string>;
  readonly declined: ReadonlySet<string>;
}

/**
 * Reads whom the person trusts; without a file that is nobody.
 *
 * @param skillsHome the person's folder, `~/.agents`.
 * @throws `INVALID_CONFIG` for a file that is not as it is written here, or that others can change; `IO_ERROR`.
 */
export function readTrustedProjects(skillsHome: string): TrustedProjects {
  const path = join(skillsHome, 'trusted-projects.json');
  let present = readVerdicts(path);
  return {
    path,
    verdictOn: (projectDir) => {
      const real = realpathSync(projectDir);
      return present.trusted.has(real) ? 'trusted' : present.declined.has(real) ? 'declined' : undefined;
    },
    remember: async (projectDir, verdict) => {
      const real = realpathSync(projectDir);
      // Another command may have added one since.
      present = withVerdict(readVerdicts(path), real, verdict);
      makeFolder(dirname(path));
      const projects = [...present.trusted].toSorted();
      const declined = [...present.declined].toSorted();
      const file = { formatVersion: 1, projects, ...(declined.length === 0 ? {} : { declined }) };
      await writeWholeFile(path, Buffer.from(`${JSON.stringify(file, undefined, 2)}\n`), { mode: 0o600 });
    },
  };
}

/**
 * Whether nobody has to be asked, nor an option to say, that the project is trusted. Where that cannot be read, somebody
 * has to.
 */
export function isTrusted({
  atHome,
  projectDir,
  skillsHome,
}: {
  readonly atHome: boolean;
  readonly projectDir: string;
  readonly skillsHome: string;
}): boolean {
  try {
    return atHome || readTrustedProjects(skillsHome).verdictOn(projectDir) === 'trusted';
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return false;
  }
}

function withVerdict({ trusted, declined }: Verdicts, project: string, verdict: NonNullable<Verdict>): Verdicts {
  const without = (projects: ReadonlySet<string>): string[] => [...projects].filter((other) => other !== project);
  return verdict === 'trusted'
    ? { trusted: new Set([...trusted, project]), declined: new Set(without(declined)) }
    : { trusted: new Set(without(trusted)), declined: new Set([...declined, project]) };
}

function readVerdicts(path: string): Verdicts {
  const bytes = readRegularFile(path, {
    maxBytes,
    check: ({ mode }) => {
      // On Windows the mode says nothing of who may change a file.
      if (process.platform === 'win32' || (mode & 0o022) === 0) return;
      throw invalid(path, 'can be changed by others', `Look at what it says, then run: chmod 600 ${path}`);
    },
  });
  if (bytes === undefined) return { trusted: new Set(), declined: new Set() };
  const result = trustSchema.safeParse(parse(bytes.toString('utf8'), path));
  if (result.success) {
    return { trusted: new Set(result.data.projects), declined: new Set(result.data.declined) };
  }
  const at = result.error.issues[0]?.path.join('.') ?? '';
  throw invalid(path, `is not valid${at === '' ? '' : ` at ${at}`}`);
}

function parse(json: string, path: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw invalid(path, `is not JSON: ${(cause as SyntaxError).message}`); // what JSON.parse throws
  }
}

function invalid(path: string, what: string, hint = 'Remove it: you are asked again for each project.'): SkillsError {
  return new SkillsError('INVALID_CONFIG', `${path} ${what}.`, { hint, data: { path } });
}
