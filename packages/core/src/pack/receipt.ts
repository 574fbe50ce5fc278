import * as z from 'zod/mini';
import { withoutCredentials } from '../errors/without-credentials.js';
import { digestSchema } from './digest.js';
import type { Digest } from './is-digest.js';
import { formatVersion, readDocument, writeDocument } from './json-document.js';
import { packNameSchema, type PackName } from './pack-name.js';
import { skillFoldersSchema } from './skill-folder.js';
import { utcTimeSchema } from './utc-time.js';
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

export const receiptSchema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(formatVersion),
    name: packNameSchema,
    version: versionSchema,
    source: z.object({
      kind: z.enum(['registry', 'url', 'file', 'folder']),
      location: z.string().check(z.maxLength(4096)),
    }),
    integrity: z.optional(digestSchema),
    treeDigest: digestSchema,
    skills: skillFoldersSchema,
    installedAt: utcTimeSchema,
    installedBy: z.string().check(z.maxLength(256)),
    links: z._default(z.array(z.string().check(z.minLength(1), z.maxLength(4096))).check(z.maxLength(10_000)), []),
  }),
);

/** Reads a receipt. @throws `INVALID_RECEIPT`, `UNSUPPORTED_FORMAT`. */
export function parseReceipt(json: string, path: string): InstallReceipt {
  const { formatVersion: _, ...receipt } = readDocument(json, receiptSchema, {
    what: path,
    code: 'INVALID_RECEIPT',
    maxLength: 1024 * 1024,
    hint: 'Run `skills install --replace` to install the pack anew.',
  });
  return receipt;
}

/** The text of a receipt, without credentials in its location. */
export function formatReceipt(receipt: InstallReceipt): string {
  const source = { ...receipt.source, location: withoutCredentials(receipt.source.location) };
  return writeDocument({ formatVersion, ...receipt, source }, { first: ['formatVersion', 'name', 'version'] });
}
