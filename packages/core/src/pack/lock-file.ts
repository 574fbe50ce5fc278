import * as z from 'zod/mini';
import { withoutCredentials } from '../errors/without-credentials.js';
import { digestSchema } from '../digest/digest-schema.js';
import type { Digest } from '../digest/is-digest.js';
import { lockFileName } from './file-names.js';
import {
  formatVersion,
  readDocumentValue,
  readJson,
  writeDocument,
  type ReadDocumentOptions,
} from '../json/json-document.js';
import { dependenciesSchema } from './manifest.js';
import { packNameSchema, type PackName } from './pack-name.js';
import {
  arePlainSkillNames,
  fieldsOf,
  isDigestField,
  isEmptyObject,
  isOptionalText,
  isPackNameField,
  isPlainVersion,
  isText,
} from './plain-fields.js';
import { emptyRecord, recordSchema } from '../json/record-schema.js';
import { refuseConflictMarkers } from './refuse-conflict-markers.js';
import { skillFoldersSchema } from './skill-folder.js';
import { versionSchema } from './version.js';

/** What is locked of every pack, wherever it came from. */
export interface LockedContent {
  readonly version: string;
  /** What the person asked for (`^1`, `beta`, `./pdf.tgz`); absent for a pack that only others depend on. */
  readonly range?: string | undefined;
  readonly treeDigest: Digest;
  readonly skills: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
}

/** What `install --frozen` installs for one pack, by where it came from. */
export type LockEntry =
  | (LockedContent & { readonly source: 'registry'; readonly registry: string; readonly integrity: Digest })
  | (LockedContent & { readonly source: 'url'; readonly url: string; readonly integrity: Digest })
  /** `path` is relative to the lock file, slash-separated, unless it lies on another drive. */
  | (LockedContent & { readonly source: 'file'; readonly path: string; readonly integrity: Digest })
  | (LockedContent & { readonly source: 'folder'; readonly path: string });

/** `skillpack-lock.json`: exactly what is installed. */
export interface LockFile {
  readonly packs: Readonly<Record<PackName, LockEntry>>;
}

const content = {
  version: versionSchema,
  range: z.optional(z.string().check(z.maxLength(2048))),
  treeDigest: digestSchema,
  skills: skillFoldersSchema,
  dependencies: z._default(dependenciesSchema, emptyRecord),
};

export const lockFileSchema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(formatVersion),
    packs: recordSchema(
      packNameSchema,
      z.discriminatedUnion('source', [
        z.object({
          ...content,
          source: z.literal('registry'),
          registry: z.string().check(z.maxLength(2048)),
          integrity: digestSchema,
        }),
        z.object({
          ...content,
          source: z.literal('url'),
          url: z.string().check(z.maxLength(2048)),
          integrity: digestSchema,
        }),
        z.object({
          ...content,
          source: z.literal('file'),
          path: z.string().check(z.maxLength(4096)),
          integrity: digestSchema,
        }),
        z.object({ ...content, source: z.literal('folder'), path: z.string().check(z.maxLength(4096)) }),
      ]),
    ),
  }),
);

/** A lock file with nothing in it. */
export const emptyLockFile: LockFile = { packs: {} };

/**
 * Reads a lock file.
 *
 * @throws `LOCK_CONFLICT` when it holds merge-conflict markers, `INVALID_LOCK`, `UNSUPPORTED_FORMAT`.
 */
export function parseLockFile(json: string, path: string = lockFileName): LockFile {
  refuseConflictMarkers(json, {
    path,
    code: 'LOCK_CONFLICT',
    hint: 'Run `skills doctor --repair`: it merges the packs of both sides, keeps a copy, and names what is left to decide.',
  });
  const reading: ReadDocumentOptions = {
    what: path,
    code: 'INVALID_LOCK',
    maxLength: 16 * 1024 * 1024,
    hint: 'Restore it from version control; or run `skills doctor --repair`, which puts it aside and locks what is installed.',
  };
  const value = readJson(json, reading);
  return plainLockFile(value) ?? { packs: readDocumentValue(value, lockFileSchema, reading).packs };
}

/** A lock file of which all fields follow the schema at first sight. */
function plainLockFile(value: unknown): LockFile | undefined {
  const document = fieldsOf(value) ?? {};
  const entries = fieldsOf(document['packs']);
  if (document['formatVersion'] !== formatVersion || entries === undefined) return undefined;
  const packs: Record<PackName, LockEntry> = emptyRecord();
  for (const [name, fields] of Object.entries(entries)) {
    const entry = plainEntry(fieldsOf(fields) ?? {});
    if (!isPackNameField(name) || entry === undefined) return undefined;
    packs[name] = entry;
  }
  return { packs };
}

/** A version that a registry has: where hundreds are locked, nearly all are. */
function plainEntry(fields: Readonly<Record<string, unknown>>): LockEntry | undefined {
  const { dependencies = {}, integrity, range, registry, skills, source, treeDigest, version } = fields;
  if (source !== 'registry' || !isText(registry, 2048) || !isPlainVersion(version)) return undefined;
  if (!isDigestField(integrity) || !isDigestField(treeDigest) || !isOptionalText(range, 2048)) return undefined;
  if (!arePlainSkillNames(skills) || !isEmptyObject(dependencies)) return undefined;
  const optional = range === undefined ? {} : { range };
  return { version, ...optional, treeDigest, skills, dependencies: emptyRecord(), source, registry, integrity };
}

/**
 * The text of a lock file. Same packs, same bytes, in stable order and without times, so that two branches merge.
 * Credentials in URLs are left out: a lock file is committed.
 */
export function formatLockFile(lock: LockFile): string {
  const packs = Object.fromEntries(Object.entries(lock.packs).map(([name, entry]) => [name, presentable(entry)]));
  return writeDocument({ formatVersion, packs }, { first: ['formatVersion'] });
}

function presentable(entry: LockEntry): LockEntry {
  // The range is what a person typed, which may be a URL.
  const range = entry.range === undefined ? undefined : withoutCredentials(entry.range);
  if (entry.source === 'registry') return { ...entry, range, registry: withoutCredentials(entry.registry) };
  if (entry.source === 'url') return { ...entry, range, url: withoutCredentials(entry.url) };
  return { ...entry, range };
}
