import * as z from 'zod/mini';
import { SkillsError } from '../errors/skills-error.js';
import { digestSchema } from '../digest/digest-schema.js';
import type { Digest } from '../digest/is-digest.js';
import {
  documentLines,
  formatVersion,
  readDocument,
  readDocumentValue,
  readJson,
  writeDocument,
  type DocumentLine,
} from '../json/json-document.js';
import { dependenciesSchema, requirementsSchema, type PackRequirements } from './manifest.js';
import type { ArchiveFormat } from './pack-archive.js';
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
import { skillFoldersSchema } from './skill-folder.js';
import { tagNameSchema } from './tag-name.js';
import { isUtcTime, utcTimeSchema } from './utc-time.js';
import { versionSchema } from './version.js';

/** Line 1 of a pack's index document: what can change. */
export interface PackHead {
  readonly name: PackName;
  readonly description: string;
  readonly license?: string | undefined;
  /** Tag to version; `latest` is one of them. */
  readonly tags: Readonly<Record<string, string>>;
  /** Why the pack should not be used any more, or `null`. */
  readonly deprecated: string | null;
}

/** One archive of a version. */
export interface ArchiveRecord {
  readonly format: ArchiveFormat;
  readonly digest: Digest;
  /** In bytes. */
  readonly size: number;
}

/** What a registry says of one version. */
export interface VersionRecord {
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly published: string;
  readonly archives: readonly ArchiveRecord[];
  readonly treeDigest: Digest;
  /** The blob that is the version's manifest.json. */
  readonly manifest: Digest;
  readonly skills: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly requires: PackRequirements;
  /** Why the version was withdrawn, or `null`. */
  readonly yanked: string | null;
  readonly signatures: readonly unknown[];
}

/** `packs/<org>/<name>.ndjson`: all a registry says of one pack, versions in order of publication. */
export interface PackDocument {
  readonly head: PackHead;
  readonly versions: readonly VersionRecord[];
}

const reason = z.nullable(z.string().check(z.maxLength(1024)));

export const packHeadSchema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(formatVersion),
    name: packNameSchema,
    description: z.string().check(z.maxLength(1024)),
    license: z.optional(z.string().check(z.maxLength(256))),
    tags: z._default(recordSchema(tagNameSchema, versionSchema), emptyRecord),
    deprecated: z._default(reason, null),
  }),
);

export const versionRecordSchema = z.lazy(() =>
  z.object({
    version: versionSchema,
    published: utcTimeSchema,
    archives: z
      .array(
        z.object({
          format: z.enum(['tgz', 'zip']),
          digest: digestSchema,
          size: z.number().check(z.int(), z.positive()),
        }),
      )
      .check(z.minLength(1), z.maxLength(8)),
    treeDigest: digestSchema,
    manifest: digestSchema,
    skills: skillFoldersSchema.check(z.minLength(1)),
    dependencies: z._default(dependenciesSchema, emptyRecord),
    requires: z._default(requirementsSchema, {}),
    yanked: z._default(reason, null),
    signatures: z._default(z.array(z.unknown()).check(z.maxLength(64)), []),
  }),
);

const maxLength = 16 * 1024 * 1024;

/**
 * Reads a pack's index document.
 *
 * @throws `INVALID_INDEX` when a line is malformed, a version stands twice, or the document is of another pack;
 * `UNSUPPORTED_FORMAT`.
 */
export function parsePackDocument(ndjson: string, expected: PackName): PackDocument {
  const what = `The index document of ${expected}`;
  const [first, ...rest] = documentLines(ndjson, { what, code: 'INVALID_INDEX', maxLength, hint: repairHint });
  if (first === undefined) throw invalid(what, 'is empty');
  const { formatVersion: _, ...head } = readLine(first, { plain: plainHead, schema: packHeadSchema });
  if (head.name !== expected) throw invalid(what, `speaks of ${head.name}`);
  const versions = rest.map((line) => readLine(line, { plain: plainVersionRecord, schema: versionRecordSchema }));
  const seen = new Set<string>();
  for (const { version } of versions) {
    if (seen.has(version)) throw invalid(what, `lists version ${version} twice`);
    seen.add(version);
  }
  return { head, versions };
}

/** Reads a line: without its schema where it follows that at first sight. @throws as `readDocument`. */
function readLine<Schema extends z.ZodMiniType>(
  line: DocumentLine,
  { plain, schema }: { readonly plain: (value: unknown) => z.output<Schema> | undefined; readonly schema: Schema },
): z.output<Schema> {
  const value = readJson(line.text, line);
  return plain(value) ?? readDocumentValue(value, schema, line);
}

/** The head of a document of which all fields follow the schema at first sight. */
function plainHead(value: unknown): z.output<typeof packHeadSchema> | undefined {
  const { deprecated = null, description, formatVersion: format, license, name, tags } = fieldsOf(value) ?? {};
  if (format !== formatVersion || !isPackNameField(name) || deprecated !== null) return undefined;
  if (!isText(description, 1024) || !isOptionalText(license, 256)) return undefined;
  const entries = Object.entries(fieldsOf(tags) ?? {});
  const [tag, version] = entries[0] ?? [];
  // Nearly every pack has no other tag.
  if (entries.length !== 1 || tag !== 'latest' || !isPlainVersion(version)) return undefined;
  return {
    formatVersion,
    name,
    description,
    ...(license === undefined ? {} : { license }),
    tags: Object.assign(emptyRecord(), { latest: version }),
    deprecated,
  };
}

/** A version of which all fields follow the schema at first sight. */
function plainVersionRecord(value: unknown): z.output<typeof versionRecordSchema> | undefined {
  const fields = fieldsOf(value) ?? {};
  const { manifest, published, signatures = [], skills, treeDigest, version, yanked = null } = fields;
  if (
    fields['formatVersion'] !== undefined ||
    !isPlainVersion(version) ||
    typeof published !== 'string' ||
    !isUtcTime(published)
  )
    return undefined;
  if (!isDigestField(treeDigest) || !isDigestField(manifest) || yanked !== null) return undefined;
  if (!arePlainSkillNames(skills) || skills.length === 0) return undefined;
  const { dependencies = {}, requires = {} } = fields;
  if (!isEmptyObject(dependencies) || !isEmptyObject(requires)) return undefined;
  if (!Array.isArray(signatures) || signatures.length > 0) return undefined;
  const archives = plainArchives(fields['archives']);
  if (archives === undefined) return undefined;
  const digests = { archives, treeDigest, manifest };
  return { version, published, ...digests, skills, dependencies: emptyRecord(), requires: {}, yanked, signatures };
}

function plainArchives(value: unknown): ArchiveRecord[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > 8) return undefined;
  const archives: ArchiveRecord[] = [];
  for (const entry of value as readonly unknown[]) {
    const { digest, format, size } = fieldsOf(entry) ?? {};
    if ((format !== 'tgz' && format !== 'zip') || !isDigestField(digest)) return undefined;
    if (typeof size !== 'number' || !Number.isSafeInteger(size) || size <= 0) return undefined;
    archives.push({ format, digest, size });
  }
  return archives;
}

const repairHint = 'The registry has to be repaired by whoever runs it (`skills registry build`).';

function invalid(what: string, problem: string): SkillsError {
  return new SkillsError('INVALID_INDEX', `${what} ${problem}.`, { hint: repairHint });
}

/** One version as a line of an index document, with its newline. */
export function formatVersionRecord(record: VersionRecord): string {
  return writeDocument(record, { first: ['version', 'published'], compact: true });
}

/** Reads `versions/<org>/<name>/<version>.json`. @throws `INVALID_INDEX`. */
export function parseVersionRecord(json: string, what: string): VersionRecord {
  return readDocument(json, versionRecordSchema, { what, code: 'INVALID_INDEX', maxLength, hint: repairHint });
}

/** The text of a pack's index document. Same document, same bytes. */
export function formatPackDocument(document: PackDocument): string {
  const head = writeDocument({ formatVersion, ...document.head }, { first: ['formatVersion', 'name'], compact: true });
  return head + document.versions.map(formatVersionRecord).join('');
}
