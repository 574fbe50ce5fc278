import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { parseSkillHeadLazily } from '../skill/parse-skill-lazily.js';
import type { ParseSkillOptions } from '../skill/parse-skill-options.js';
import type { SkillScope } from './layer-skills.js';
import type { SkillBackend, SkillListing } from './skill-backend.js';
import type { IndexProblem, SkillEntry } from './skill-entry.js';
import { checkSkillPath } from './skill-path.js';

/** Where skills in memory are said to be. */
export interface MemorySkillsOptions {
  /** @default 'builtin' */
  readonly scope?: SkillScope | undefined;
  /** What kind of place it is called. @default 'memory' */
  readonly kind?: string | undefined;
  /** What the locations begin with; two registries that are layered need two. @default 'memory:' */
  readonly location?: string | undefined;
  /** How each SKILL.md is read. @default lenient */
  readonly parse?: Pick<ParseSkillOptions, 'profile' | 'rules' | 'limits'> | undefined;
}

/**
 * Skills that are part of a program: each folder with a SKILL.md is one, and what lies below it belongs to it. The record
 * is read when it is asked, so what is changed in it is seen by the next `reload`. A file that begins with `#!` counts as
 * executable.
 *
 * @param files path to content: `pdf/SKILL.md`, `pdf/references/forms.md`.
 * @throws `PATH_TRAVERSAL_BLOCKED`, `FILE_NOT_FOUND` for a path that no file of a skill can have.
 * @example
 * ```ts
 * const registry = createSkillRegistry(memorySkills({ 'pdf/SKILL.md': text }), { sha256 });
 * ```
 */
export function memorySkills(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: MemorySkillsOptions = {},
): SkillBackend {
  for (const path of Object.keys(files)) checkKey(path);
  const base = options.location ?? 'memory:';
  const folderOf = ({ location }: SkillEntry): string => location.slice(base.length + 1);
  return {
    kind: options.kind ?? 'memory',
    list: async () => listFolders(files, base, options),
    files: async (skill) => {
      const prefix = `${folderOf(skill)}/`;
      return Object.entries(files)
        .filter(([path]) => path.startsWith(prefix))
        .map(([path, content]) => {
          const bytes = bytesOf(content);
          return {
            path: path.slice(prefix.length),
            size: bytes.length,
            executable: bytes[0] === 0x23 && bytes[1] === 0x21,
          };
        });
    },
    bytes: async (skill, path, { maxBytes }) => {
      const content = files[`${folderOf(skill)}/${path}`];
      if (content === undefined) {
        throw new SkillsError('FILE_NOT_FOUND', `The skill ${skill.name} has no file ${quoted(path)}.`);
      }
      const bytes = bytesOf(content);
      if (bytes.length > maxBytes) {
        throw new SkillsError(
          'FILE_TOO_LARGE',
          `${skill.name}/${path} has ${bytes.length} bytes; at most ${maxBytes} are read.`,
          { data: { size: bytes.length, maxBytes } },
        );
      }
      return bytes;
    },
  };
}

function checkKey(path: string): void {
  if (checkSkillPath(path) === path) return;
  throw new SkillsError('FILE_NOT_FOUND', `The path ${quoted(path)} begins with “./”; write it without.`);
}

interface Folder {
  readonly path: string;
  readonly name: string;
  readonly source: string | Uint8Array;
}

async function listFolders(
  files: Readonly<Record<string, string | Uint8Array>>,
  base: string,
  options: MemorySkillsOptions,
): Promise<SkillListing> {
  // All of the record is read before anything is waited for.
  const read = await Promise.all(
    skillFolders(files).map(async (folder) => ({
      ...folder,
      parse: await parseSkillHeadLazily(folder.source, { ...options.parse, folder: folder.name }),
    })),
  );
  const skills: SkillEntry[] = [];
  const problems: IndexProblem[] = [];
  for (const { path, parse } of read) {
    const location = `${base}/${path}`;
    if (parse.kind === 'skill') {
      skills.push({
        name: parse.skill.name,
        scope: options.scope ?? 'builtin',
        location,
        pack: undefined,
        packVersion: undefined,
        digest: undefined,
        head: parse.skill,
        diagnostics: parse.diagnostics,
      });
      continue;
    }
    const first = parse.diagnostics.find(({ severity }) => severity === 'error');
    problems.push({ code: 'refused', location, message: first?.message ?? 'Its SKILL.md cannot be read.' });
  }
  return { skills, problems };
}

function skillFolders(files: Readonly<Record<string, string | Uint8Array>>): readonly Folder[] {
  const paths = Object.keys(files)
    .filter((path) => path.endsWith('/SKILL.md'))
    .map((path) => path.slice(0, -'/SKILL.md'.length))
    .toSorted();
  const known = new Set<string>();
  for (const path of paths) {
    // What lies in a skill is a part of it.
    if (!ancestorsOf(path).some((ancestor) => known.has(ancestor))) known.add(path);
  }
  return [...known].map((path) => {
    return { path, name: path.slice(path.lastIndexOf('/') + 1), source: files[`${path}/SKILL.md`] ?? '' };
  });
}

function ancestorsOf(folder: string): readonly string[] {
  const components = folder.split('/');
  return components.map((_, index) => components.slice(0, index).join('/')).slice(1);
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
}
