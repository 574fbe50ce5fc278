import type { Sha256 } from '../digest/digest.js';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import type { ParseSkillOptions } from '../skill/parse-skill-options.js';
import { readSkillLazily } from '../skill/read-skill-lazily.js';
import { defaultSkillLimits } from '../skill/skill-limits.js';
import { assembleRegistry, type SkillContent } from './assemble-registry.js';
import { boundWatch } from './bound-watch.js';
import { checkBytes } from './check-bytes.js';
import { checkFiles } from './check-files.js';
import { checkListing } from './check-listing.js';
import { KeptIndex } from './kept-index.js';
import { makeExcerpt } from './make-excerpt.js';
import { makeSkillIndex } from './make-skill-index.js';
import type { ReadBytesOptions, RegistryOptions, SkillBackend, SkillFile, SkillListing } from './skill-backend.js';
import type { IndexProblem, SkillEntry } from './skill-entry.js';
import { defaultExcerptLimits, type ExcerptLimits } from './skill-excerpt.js';
import { isSkillPath } from './skill-path.js';
import type { SkillReadOptions, SkillRegistry, SkillText } from './skill-registry.js';
import { suggestNames } from '../errors/suggest-names.js';
import { keepTextHeads } from './text-heads.js';
import { listVariable, usableTemplate } from './usable-template.js';

/** What a registry takes from its surroundings. */
export interface SkillRegistryPorts {
  readonly sha256: Sha256;
}

/** How a registry behaves. */
export interface SkillRegistryOptions {
  /** Whether the skills are read when they are first asked for; where not, nothing is offered before `reload`. @default true */
  readonly autoLoad?: boolean | undefined;
  /** Those that differ from {@link defaultExcerptLimits}. */
  readonly limits?: Partial<ExcerptLimits> | undefined;
  /**
   * Whether a search looks into the texts of skills, too: the first 2,000 characters of the first 2,000 skills, read at
   * the first search of each index. They are in no answer, so a model sees nothing of them. Off by default, since each
   * text is a file that is read, or even fetched, and descriptions are written to be found by. @default false
   */
  readonly searchBodies?: boolean | undefined;
  /** How the SKILL.md of `body` is read. @default lenient */
  readonly parse?: Pick<ParseSkillOptions, 'profile' | 'rules' | 'limits'> | undefined;
}

/**
 * Makes a registry of a place that skills are kept in. It keeps the index, finds and searches in it, judges every path
 * before the backend is asked for it, holds every file to its limit, and takes sections and pages out of files.
 *
 * @example
 * ```ts
 * const registry = createSkillRegistry(memorySkills(files), { sha256 });
 * const skill = await registry.get('pdf');
 * if (skill !== undefined) console.log((await registry.body(skill)).skill.body);
 * ```
 */
export function createSkillRegistry(
  backend: SkillBackend,
  ports: SkillRegistryPorts,
  options: SkillRegistryOptions = {},
): SkillRegistry {
  const limits = { ...defaultExcerptLimits, ...options.limits };
  const { sha256 } = ports;
  const list = async (reading: RegistryOptions): Promise<SkillListing> =>
    checkListing(await backend.list(reading), backend.kind);
  const kept = new KeptIndex({
    kind: backend.kind,
    watch: boundWatch(backend),
    read: async (reading) => makeSkillIndex(withProblems(await list(reading), backend), sha256),
    before: (options.autoLoad ?? true) ? undefined : makeSkillIndex({ skills: [] }, sha256),
  });
  const body: SkillContent['body'] = async (skill, reading = {}) =>
    readBody({ backend, sha256 }, skill, { ...options, ...reading });
  return assembleRegistry({
    kind: backend.kind,
    loadInstructions: backend.loadInstructions,
    promptTemplate: usableTemplate(backend.promptTemplate),
    list: async (reading = {}) => list(reading),
    watch: boundWatch(backend),
    index: async (reading) => kept.index(reading),
    reload: async (reading) => kept.reload(reading),
    subscribe: async (listener) => kept.subscribe(listener),
    files: async (skill, reading = {}) => filesOf(backend, skill, reading),
    bytes: async (skill, path, { signal, maxBytes = limits.fileBytes } = {}) =>
      (await readFile(backend, { skill, path }, { signal, maxBytes })).bytes,
    body,
    searchText:
      options.searchBodies === true
        ? keepTextHeads({ index: async (reading) => kept.index(reading), body })
        : undefined,
    read: async (skill, path, { signal, selection, excerptLength = Infinity }: SkillReadOptions = {}) => {
      if (!(excerptLength >= 1)) {
        throw new SkillsError('USAGE', `excerptLength is ${excerptLength}; it has to be a number from 1 on.`);
      }
      const file = await readFile(backend, { skill, path }, { signal, maxBytes: limits.fileBytes });
      const shorter = { ...limits, excerptLength: Math.min(limits.excerptLength, excerptLength) };
      return makeExcerpt(file, ports, { selection: selection ?? { kind: 'all' }, limits: shorter });
    },
  });
}

/** A template in which no skill would be shown counts for nothing, and a person is told. */
function withProblems(listing: SkillListing, { kind, promptTemplate }: SkillBackend): SkillListing {
  if (promptTemplate === undefined || usableTemplate(promptTemplate) !== undefined) return listing;
  const problem: IndexProblem = {
    code: 'ignored',
    location: kind,
    message: `The template that ${quoted(kind)} brings for the catalogue has no ${listVariable}; the usual one is used.`,
  };
  return { ...listing, problems: [...(listing.problems ?? []), problem] };
}

/** Those that can be asked for, by path. */
async function filesOf(
  backend: SkillBackend,
  skill: SkillEntry,
  options: RegistryOptions,
): Promise<readonly SkillFile[]> {
  const files = checkFiles(await backend.files(skill, options), { kind: backend.kind, skill });
  return files.filter(({ path }) => isSkillPath(path)).toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

interface WantedFile {
  readonly skill: SkillEntry;
  readonly path: string;
}

/** The file of this path, or of the same path in another Unicode form. */
async function readFile(
  backend: SkillBackend,
  { skill, path }: WantedFile,
  options: ReadBytesOptions,
): Promise<{ readonly path: string; readonly bytes: Uint8Array }> {
  try {
    return { path, bytes: await readBytes(backend, { skill, path }, options) };
  } catch (cause) {
    if (!SkillsError.is(cause, 'FILE_NOT_FOUND')) throw cause;
    const paths = (await filesOf(backend, skill, options)).map((file) => file.path);
    const same = paths.find((other) => other !== path && other.normalize('NFC') === path.normalize('NFC'));
    if (same !== undefined) return { path: same, bytes: await readBytes(backend, { skill, path: same }, options) };
    const near = suggestNames(path, paths);
    throw new SkillsError('FILE_NOT_FOUND', `The skill ${quoted(skill.name)} has no file ${quoted(path)}.`, {
      hint: near.length === 0 ? undefined : `There is ${near.map((other) => quoted(other)).join(', ')}.`,
      data: { skill: skill.name, path, near },
      cause,
    });
  }
}

async function readBytes(
  backend: SkillBackend,
  { skill, path }: WantedFile,
  options: ReadBytesOptions,
): Promise<Uint8Array> {
  const bytes = checkBytes(await backend.bytes(skill, path, options), { kind: backend.kind, skill, path });
  if (bytes.length <= options.maxBytes) return bytes;
  throw new SkillsError(
    'FILE_TOO_LARGE',
    `${quoted(path)} of the skill ${quoted(skill.name)} has ${bytes.length} bytes; at most ${options.maxBytes} are read.`,
    { data: { size: bytes.length, maxBytes: options.maxBytes } },
  );
}

async function readBody(
  { backend, sha256 }: { readonly backend: SkillBackend; readonly sha256: Sha256 },
  skill: SkillEntry,
  options: Pick<SkillRegistryOptions, 'parse'> & RegistryOptions,
): Promise<SkillText> {
  const { parse, signal } = options;
  const maxBytes = parse?.limits?.fileBytes ?? defaultSkillLimits.fileBytes;
  const bytes = await readSkillFile(backend, skill, { signal, maxBytes });
  const digest = sha256(bytes);
  return { skill: await readSkillLazily(bytes, { ...parse, folder: skill.head.name }), digest, size: bytes.length };
}

async function readSkillFile(backend: SkillBackend, skill: SkillEntry, options: ReadBytesOptions): Promise<Uint8Array> {
  try {
    return await readBytes(backend, { skill, path: 'SKILL.md' }, options);
  } catch (cause) {
    if (!SkillsError.is(cause, 'FILE_NOT_FOUND')) throw cause;
    const files = await filesOf(backend, skill, options).catch((error: unknown) => {
      if (SkillsError.is(error, 'FILE_NOT_FOUND')) return [];
      throw error;
    });
    // Some systems keep the case of a name and do not tell it apart, others do.
    const other = files.find(({ path }) => path.toLowerCase() === 'skill.md');
    if (other !== undefined) return readBytes(backend, { skill, path: other.path }, options);
    throw new SkillsError(
      'SKILL_NOT_FOUND',
      `The skill ${quoted(skill.name)} is not at ${quoted(skill.location)} any more: it has no SKILL.md.`,
      { hint: 'Read the index again.', data: { name: skill.name, location: skill.location }, cause },
    );
  }
}
