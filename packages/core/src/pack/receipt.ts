import * as z from 'zod/mini';
import { withoutCredentials } from '../errors/without-credentials.js';
import { digestSchema } from '../digest/digest-schema.js';
import type { Digest } from '../digest/is-digest.js';
import {
  formatVersion,
  readDocumentValue,
  readJson,
  writeDocument,
  type ReadDocumentOptions,
} from '../json/json-document.js';
import { packNameSchema, type PackName } from './pack-name.js';
import {
  arePlainSkillNames,
  fieldsOf,
  isDigestField,
  isPackNameField,
  isPlainVersion,
  isText,
} from './plain-fields.js';
import { skillFoldersSchema } from './skill-folder.js';
import { isUtcTime, utcTimeSchema } from './utc-time.js';
import { versionSchema } from './version.js';

/** `receipt.json`: what one install left in a root. Who holds a receipt for a skill owns its folder. */
export interface InstallReceipt {
  readonly name: PackName;
  readonly version: string;
  /** Where it came from: `registry`, `url`, `file` or `folder`, and its address without credentials. */
  readonly source: { readonly kind: 'registry' | 'url' | 'file' | 'folder'; readonly location: string };
  /** Of the archive; absent for a pack installed from a folder. */
  readonly integrity?: Digest | undefined;
  readonly treeDigest: Digest;
  readonly skills: readonly string[];
  /** RFC 3339, UTC. */
  readonly installedAt: string;
  /** The version of skillpack that installed it. */
  readonly installedBy: string;
  /** Links to the skills, made for agents that look elsewhere; relative to the root, slash-separated. */
  readonly links: readonly string[];
}

const longestPath = 4096;
const mostLinks = 10_000;

export const receiptSchema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(formatVersion),
    name: packNameSchema,
    version: versionSchema,
    source: z.object({
      kind: z.enum(['registry', 'url', 'file', 'folder']),
      location: z.string().check(z.maxLength(longestPath)),
    }),
    integrity: z.optional(digestSchema),
    treeDigest: digestSchema,
    skills: skillFoldersSchema,
    installedAt: utcTimeSchema,
    installedBy: z.string().check(z.maxLength(256)),
    links: z._default(
      z.array(z.string().check(z.minLength(1), z.maxLength(longestPath))).check(z.maxLength(mostLinks)),
      [],
    ),
  }),
);

/** Reads a receipt. @throws `INVALID_RECEIPT`, `UNSUPPORTED_FORMAT`. */
export function parseReceipt(json: string, path: string): InstallReceipt {
  const reading: ReadDocumentOptions = {
    what: path,
    code: 'INVALID_RECEIPT',
    maxLength: 1024 * 1024,
    hint: 'Run `skills install --replace` to install the pack anew.',
  };
  const value = readJson(json, reading);
  const plain = plainReceipt(fieldsOf(value) ?? {});
  if (plain !== undefined) return plain;
  const { formatVersion: _, ...receipt } = readDocumentValue(value, receiptSchema, reading);
  return receipt;
}

/** A receipt of which all fields follow the schema at first sight, of a pack that came from a registry. */
function plainReceipt(fields: Readonly<Record<string, unknown>>): InstallReceipt | undefined {
  const { installedAt, installedBy, integrity, links = [], name, skills, treeDigest, version } = fields;
  const { kind, location } = fieldsOf(fields['source']) ?? {};
  if (fields['formatVersion'] !== formatVersion || !isPackNameField(name) || !isPlainVersion(version)) return undefined;
  if (kind !== 'registry' || !isText(location, longestPath)) return undefined;
  if (!isDigestField(integrity) || !isDigestField(treeDigest) || !arePlainSkillNames(skills)) return undefined;
  if (!isText(installedAt, 64) || !isUtcTime(installedAt) || !isText(installedBy, 256)) return undefined;
  if (!areLinks(links)) return undefined;
  return {
    name,
    version,
    source: { kind, location },
    integrity,
    treeDigest,
    skills,
    installedAt,
    installedBy,
    links,
  };
}

function areLinks(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.length <= mostLinks && value.every((link) => isText(link, longestPath) && link !== '')
  );
}

/** The text of a receipt, without credentials in its location. */
export function formatReceipt(receipt: InstallReceipt): string {
  const source = { ...receipt.source, location: withoutCredentials(receipt.source.location) };
  return writeDocument({ formatVersion, ...receipt, source }, { first: ['formatVersion', 'name', 'version'] });
}
