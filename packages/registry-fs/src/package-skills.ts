import { realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IndexProblem, IndexProblemCode, SkillBackend, SkillScope } from '@skillpack/core';
import { quoted, SkillsError } from '@skillpack/core/listing';
import { confinedNames } from './confined/confined-names.js';
import { readConfinedFile } from './confined/read-confined-file.js';
import { errnoOf } from './errno.js';
import { findPackage } from './find-package.js';
import { FolderBackend, type CurrentRoots } from './folder-backend.js';
import type { FolderSkillsOptions } from './folder-skills-options.js';
import type { ScanPorts } from './scan-skill-roots.js';

/** Which skills of a package are offered, and how. */
export interface PackageSkillsOptions extends Omit<FolderSkillsOptions, 'watch'> {
  /** From where the package is looked for: `import.meta.url`, or the absolute path of a file. Needed with a name. */
  readonly from?: string | URL | undefined;
  /** The folder of skills in the package. @default what its package.json names in `skills`, else `skills` */
  readonly folder?: string | undefined;
  /** @default 'builtin' */
  readonly scope?: SkillScope | undefined;
}

const largestManifest = 1024 * 1024;
const mostFolders = 32;

/**
 * The skills that an npm package ships, for `createSkillRegistry`. Nothing of the package is run, and nothing outside
 * of it is read, whatever links it holds. A package that is not installed has no skills, which is a problem of the
 * index.
 *
 * @param subject the name of a package, or the URL of a package.json.
 * @throws `USAGE` for what is neither, or a name without `from`.
 * @example
 * ```ts
 * const backend = packageSkills('@acme/pdf-skills', performance, { from: import.meta.url });
 * ```
 */
export function packageSkills(
  subject: string | URL,
  ports: ScanPorts,
  options: PackageSkillsOptions = {},
): SkillBackend {
  const find = finderOf(subject, options.from);
  return new FolderBackend({ kind: 'package', roots: () => rootsOf(find(), String(subject), options) }, ports, options);
}

function finderOf(subject: string | URL, from: string | URL | undefined): () => string | undefined {
  if (subject instanceof URL || subject.startsWith('file:')) {
    const folder = dirname(fileURLToPath(subject));
    return () => folder;
  }
  if (from === undefined) {
    throw new SkillsError('USAGE', `It is not said from where the package ${quoted(subject)} is looked for.`, {
      hint: 'Say { from: import.meta.url }.',
    });
  }
  // A wrong name is a mistake of whoever calls, now and not at the first list.
  findPackage(subject, from);
  return () => findPackage(subject, from);
}

async function rootsOf(
  folder: string | undefined,
  subject: string,
  { folder: wanted, scope = 'builtin' }: PackageSkillsOptions,
): Promise<CurrentRoots> {
  const within = folder === undefined ? undefined : realFolderOf(folder);
  if (folder === undefined || within === undefined) {
    return without(subject, 'missing', `The package ${quoted(subject)} is not installed.`);
  }
  const roots: CurrentRoots['roots'][number][] = [];
  const problems: IndexProblem[] = [];
  try {
    for (const name of wanted === undefined ? await foldersNamedIn(within) : [wanted]) {
      const path = name === '.' ? folder : join(folder, ...confinedNames(name.replace(/^\.\/|\/$/gu, '')));
      const real = realFolderOf(path);
      if (real === undefined || real === within || real.startsWith(within + sep)) {
        roots.push({ path, scope, named: true });
      } else {
        problems.push({ code: 'ignored', location: path, message: 'It is a link that leads out of its package.' });
      }
    }
    return { roots, within, problems };
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return without(folder, error.code === 'IO_ERROR' ? 'unreadable' : 'ignored', error.message);
  }
}

function without(location: string, code: IndexProblemCode, message: string): CurrentRoots {
  return { roots: [], problems: [{ code, location, message }] };
}

async function foldersNamedIn(realPath: string): Promise<readonly string[]> {
  const bytes = await readConfinedFile(realPath, 'package.json', { maxBytes: largestManifest });
  const { readPackageSkills } = await import('./read-package-skills.js');
  try {
    return (readPackageSkills(bytes) ?? ['skills']).slice(0, mostFolders);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new SkillsError('INVALID_CONFIG', `The package.json of ${realPath} is no JSON.`, { cause });
  }
}

function realFolderOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    errnoOf(error);
    return undefined;
  }
}
