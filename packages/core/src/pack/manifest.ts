import * as z from 'zod/mini';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { comparePaths } from '../digest/compare-paths.js';
import type { Sha256 } from '../digest/digest.js';
import { digestSchema } from '../digest/digest-schema.js';
import type { Digest } from '../digest/is-digest.js';
import { treeDigestOf } from '../digest/tree-digest.js';
import { manifestFileName } from './file-names.js';
import {
  formatVersion,
  readDocumentValue,
  readJson,
  writeDocument,
  type ReadDocumentOptions,
} from '../json/json-document.js';
import type { PackFile } from './pack-file.js';
import { packNameSchema, type PackName } from './pack-name.js';
import { judgePath } from './pack-path.js';
import { findPathConflict } from './path-conflict.js';
import {
  fieldsOf,
  isDigestField,
  isEmptyObject,
  isOptionalText,
  isPackNameField,
  isPlainSkillName,
  isPlainVersion,
  isText,
} from './plain-fields.js';
import { emptyRecord, recordSchema } from '../json/record-schema.js';
import { skillFolderSchema } from './skill-folder.js';
import { versionRangeSchema, versionSchema } from './version.js';

/** A skill of a pack, as its manifest lists it. */
export interface ManifestSkill {
  /** The name under which the skill is installed. */
  readonly name: string;
  /** Its folder in the pack. */
  readonly path: string;
  readonly description: string;
}

/** What a pack needs from the machine it runs on. */
export interface PackRequirements {
  /** Programs on the PATH. */
  readonly bins?: readonly string[] | undefined;
  /** Environment variables. */
  readonly env?: readonly string[] | undefined;
  /** Values of Node's `process.platform`. */
  readonly platforms?: readonly string[] | undefined;
}

/** `manifest.json`: what a pack is and every file it consists of. */
export interface PackManifest {
  readonly name: PackName;
  readonly version: string;
  readonly description: string;
  readonly license?: string | undefined;
  readonly keywords: readonly string[];
  readonly homepage?: string | undefined;
  readonly repository?: string | undefined;
  readonly skills: readonly ManifestSkill[];
  /** Pack to version range. */
  readonly dependencies: Readonly<Record<string, string>>;
  readonly requires: PackRequirements;
  readonly files: readonly PackFile[];
  readonly treeDigest: Digest;
}

const text = (max: number) => z.string().check(z.maxLength(max));
const names = z.array(text(256)).check(z.maxLength(64));

export const dependenciesSchema = recordSchema(packNameSchema, versionRangeSchema);
export const requirementsSchema = z.lazy(() =>
  z.object({
    bins: z.optional(names),
    env: z.optional(names),
    platforms: z.optional(names),
  }),
);

const mostFiles = 5000;
const longestPath = 1024;

export const manifestSchema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(formatVersion),
    name: packNameSchema,
    version: versionSchema,
    description: text(1024),
    license: z.optional(text(256)),
    keywords: z._default(z.array(text(64)).check(z.maxLength(50)), []),
    homepage: z.optional(text(2048)),
    repository: z.optional(text(2048)),
    skills: z
      .array(z.object({ name: skillFolderSchema, path: skillFolderSchema, description: text(1024) }))
      .check(z.minLength(1), z.maxLength(1000)),
    dependencies: z._default(dependenciesSchema, emptyRecord),
    requires: z._default(requirementsSchema, {}),
    files: z
      .array(
        z.object({
          path: text(longestPath),
          size: z.number().check(z.int(), z.nonnegative()),
          digest: digestSchema,
          executable: z.boolean(),
        }),
      )
      .check(z.minLength(1), z.maxLength(mostFiles)),
    treeDigest: digestSchema,
  }),
);

/**
 * Reads a manifest and checks that it agrees with itself: paths are fine and unique, every skill has its SKILL.md
 * among the files, every file belongs to a skill, and the tree digest is that of the files.
 *
 * @throws `INVALID_MANIFEST`, `UNSUPPORTED_FORMAT`.
 */
export function parseManifest(json: string, sha256: Sha256): PackManifest {
  const { formatVersion: _, ...manifest } = readFields(json);
  checkPaths(manifest.files);
  checkSkills(manifest);
  const actual = treeDigestOf(manifest.files, sha256);
  if (actual !== manifest.treeDigest) {
    throw invalid(`states the tree digest ${manifest.treeDigest}, but its files have ${actual}`);
  }
  return manifest;
}

const reading: ReadDocumentOptions = {
  what: manifestFileName,
  code: 'INVALID_MANIFEST',
  maxLength: 4 * 1024 * 1024,
  hint: 'The pack has to be built again by its author.',
};

type ManifestFields = z.output<typeof manifestSchema>;

/**
 * Nearly all of a manifest is its files. Read without the schema, which agrees, they take a tenth of the time; the other
 * fields take as long as the files then, where hundreds of packs are installed.
 */
function readFields(json: string): ManifestFields {
  const value = readJson(json, reading);
  const document = fieldsOf(value) ?? {};
  const files = plainFiles(document['files']);
  if (files === undefined) return readDocumentValue(value, manifestSchema, reading);
  return (
    plainManifest(document, files) ?? {
      ...readDocumentValue({ ...document, files: files.slice(0, 1) }, manifestSchema, reading),
      files,
    }
  );
}

/** A manifest of which all fields follow the schema at first sight. */
function plainManifest(document: Readonly<Record<string, unknown>>, files: PackFile[]): ManifestFields | undefined {
  const { description, homepage, keywords = [], license, name, repository, treeDigest, version } = document;
  if (document['formatVersion'] !== formatVersion || !isPackNameField(name) || !isPlainVersion(version))
    return undefined;
  if (!isText(description, 1024) || !isOptionalText(license, 256)) return undefined;
  if (!isOptionalText(homepage, 2048) || !isOptionalText(repository, 2048)) return undefined;
  if (!Array.isArray(keywords) || keywords.length > 50 || !keywords.every((keyword) => isText(keyword, 64))) {
    return undefined;
  }
  const { dependencies = {}, requires = {} } = document;
  if (!isEmptyObject(dependencies) || !isEmptyObject(requires) || !isDigestField(treeDigest)) return undefined;
  const skills = plainSkills(document['skills']);
  if (skills === undefined) return undefined;
  const texts = {
    description,
    keywords,
    ...(homepage === undefined ? {} : { homepage }),
    ...(license === undefined ? {} : { license }),
    ...(repository === undefined ? {} : { repository }),
  };
  return {
    formatVersion,
    name,
    version,
    ...texts,
    skills,
    dependencies: emptyRecord(),
    requires: {},
    files,
    treeDigest,
  };
}

function plainSkills(value: unknown): ManifestSkill[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > 1000) return undefined;
  const skills: ManifestSkill[] = [];
  for (const entry of value as readonly unknown[]) {
    const { description, name, path } = fieldsOf(entry) ?? {};
    if (!isPlainSkillName(name) || !isPlainSkillName(path) || !isText(description, 1024)) return undefined;
    skills.push({ name, path, description });
  }
  return skills;
}

/** The files of a manifest where all of them follow the schema; what is wrong with others is for the schema to say. */
function plainFiles(value: unknown): PackFile[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostFiles) return undefined;
  const files: PackFile[] = [];
  for (const entry of value as readonly unknown[]) {
    const { digest, executable, path, size } = fieldsOf(entry) ?? {};
    if (!isDigestField(digest) || typeof executable !== 'boolean' || !isText(path, longestPath)) return undefined;
    if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return undefined;
    files.push({ digest, executable, path, size });
  }
  return files;
}

function checkPaths(files: readonly PackFile[]): void {
  for (const [index, { path }] of files.entries()) {
    const problem = judgePath(path);
    if (problem !== undefined) throw invalid(`lists ${quoted(path)}, which no pack may hold (${problem})`);
    const previous = files[index - 1];
    if (previous !== undefined && comparePaths(previous.path, path) > 0) {
      throw invalid(`does not list its files in byte order (${quoted(path)} after ${quoted(previous.path)})`);
    }
  }
  const conflict = findPathConflict(files.map(({ path }) => path));
  if (conflict === undefined) return;
  const both = `${quoted(conflict.other)} and ${quoted(conflict.path)}`;
  throw invalid(`lists ${both}, which cannot stand side by side everywhere (${conflict.kind})`);
}

function checkSkills(manifest: Pick<PackManifest, 'skills' | 'files'>): void {
  const paths = new Set(manifest.files.map(({ path }) => path));
  const folders = new Set<string>();
  for (const { name, path } of manifest.skills) {
    if (path !== name)
      throw invalid(`has the skill ${quoted(name)} in the folder ${quoted(path)}; both must be the same`);
    if (folders.has(path)) throw invalid(`names the skill ${quoted(name)} twice`);
    if (!paths.has(`${path}/SKILL.md`)) throw invalid(`names the skill ${quoted(name)}, but lists no ${path}/SKILL.md`);
    folders.add(path);
  }
  const stray = manifest.files.find(({ path }) => !folders.has(path.slice(0, Math.max(path.indexOf('/'), 0))));
  if (stray !== undefined) throw invalid(`lists ${quoted(stray.path)}, which belongs to no skill`);
}

function invalid(what: string): SkillsError {
  return new SkillsError('INVALID_MANIFEST', `${manifestFileName} ${what}.`, {
    hint: 'The pack has to be built again by its author.',
  });
}

/** The text of a manifest, its files in byte order of their paths. Same manifest, same bytes. */
export function formatManifest(manifest: PackManifest): string {
  const files = manifest.files.toSorted((left, right) => comparePaths(left.path, right.path));
  return writeDocument(
    { formatVersion, ...manifest, files },
    { first: ['formatVersion', 'name', 'version', 'description'] },
  );
}
