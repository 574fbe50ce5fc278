import * as z from 'zod/mini';
import { digestSchema } from '../digest/digest-schema.js';
import type { Digest } from '../digest/is-digest.js';
import { formatVersion, readDocument, writeDocument } from '../json/json-document.js';

/** `registry.json`: where a registry keeps what. Locations are relative to the registry's base URL, or absolute. */
export interface RegistryInfo {
  readonly id: string;
  readonly name: string;
  /** Folder of the packs' index documents. @default 'packs/' */
  readonly packs: string;
  /** Folder of the blobs. @default 'blobs/' */
  readonly blobs: string;
  /** The document that names the present search catalogue, or `null`. */
  readonly search: string | null;
  /** Where a server answers searches itself (`?q=words&limit=20`), for registries too large for a catalogue. */
  readonly query?: string | undefined;
  readonly revocations: string | null;
  /** Public keys that sign this registry's packs. */
  readonly keys: readonly unknown[];
  /** How reading is authorised: `none` or `bearer`. */
  readonly auth: 'none' | 'bearer';
  /** Where packs are published, or `null` for a read-only registry. */
  readonly publish: string | null;
}

const location = z.string().check(z.maxLength(2048));

export const registryInfoSchema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(formatVersion),
    id: z.string().check(z.minLength(1), z.maxLength(256)),
    name: z.string().check(z.maxLength(256)),
    packs: z._default(location, 'packs/'),
    blobs: z._default(location, 'blobs/'),
    search: z._default(z.nullable(location), null),
    query: z.optional(location),
    revocations: z._default(z.nullable(location), null),
    keys: z._default(z.array(z.unknown()).check(z.maxLength(64)), []),
    auth: z._default(z.enum(['none', 'bearer']), 'none'),
    publish: z._default(z.nullable(location), null),
  }),
);

const options = { code: 'INVALID_INDEX', maxLength: 1024 * 1024 } as const;

/** Reads a registry.json. @throws `INVALID_INDEX`, `UNSUPPORTED_FORMAT`. */
export function parseRegistryInfo(json: string, what: string): RegistryInfo {
  const { formatVersion: _, ...info } = readDocument(json, registryInfoSchema, { ...options, what });
  return info;
}

/** The text of a registry.json. */
export function formatRegistryInfo(info: RegistryInfo): string {
  return writeDocument({ formatVersion, ...info }, { first: ['formatVersion', 'id', 'name'] });
}

/** Content that must not be installed even when it is locked. */
export interface Revocation {
  /** Of a tree or of an archive. */
  readonly digest: Digest;
  readonly reason: string;
}

export const revocationsSchema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(formatVersion),
    revoked: z.array(z.object({ digest: digestSchema, reason: z.string().check(z.maxLength(1024)) })),
  }),
);

/** Reads `revocations/latest.json`. @throws `INVALID_INDEX`, `UNSUPPORTED_FORMAT`. */
export function parseRevocations(json: string, what: string): readonly Revocation[] {
  return readDocument(json, revocationsSchema, { ...options, maxLength: 16 * 1024 * 1024, what }).revoked;
}

/** The text of a `revocations/latest.json`. */
export function formatRevocations(revoked: readonly Revocation[]): string {
  return writeDocument({ formatVersion, revoked }, { first: ['formatVersion'] });
}
