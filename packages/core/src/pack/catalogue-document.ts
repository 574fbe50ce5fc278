import * as z from 'zod/mini';
import { SkillsError } from '../errors/skills-error.js';
import { documentLines, formatVersion, readDocument, writeDocument } from '../json/json-document.js';
import { packNameSchema } from './pack-name.js';
import { comparePaths } from '../digest/compare-paths.js';
import type { PackSummary } from './pack-registry.js';
import { versionSchema } from './version.js';

/** `search/latest.json`: which search catalogue is the present one. */
export interface SearchPointer {
  /** The name of the generation: 1 to 64 of `a-z0-9-`. Content under it never changes. */
  readonly generation: string;
  /** The catalogue, relative to the registry's base URL, or absolute. */
  readonly catalogue: string;
  /** How many packs the catalogue lists. */
  readonly packs: number;
}

/** Up to this many packs, a registry offers one catalogue that clients search themselves. */
export const searchCatalogueLimit = 5_000;

export const searchPointerSchema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(formatVersion),
    generation: z
      .string()
      .check(z.regex(/^[a-z0-9-]{1,64}$/u, { error: 'expected a generation (1 to 64 of a-z0-9-)' })),
    catalogue: z.string().check(z.minLength(1), z.maxLength(2048)),
    packs: z.number().check(z.int(), z.nonnegative()),
  }),
);

export const catalogueHeadSchema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(formatVersion),
    packs: z.number().check(z.int(), z.nonnegative()),
  }),
);

export const packSummarySchema = z.lazy(() =>
  z.object({
    name: packNameSchema,
    version: versionSchema,
    description: z.string().check(z.maxLength(1024)),
    keywords: z._default(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(50)), []),
    skills: z._default(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(1000)), []),
    deprecated: z._default(z.nullable(z.string().check(z.maxLength(1024))), null),
  }),
);

/** Where the catalogue of a generation lies, relative to the registry's base URL. */
export function searchCatalogueLocation(generation: string): string {
  return `search/${generation}/catalogue.ndjson`;
}

/** Reads `search/latest.json`. @throws `INVALID_INDEX`, `UNSUPPORTED_FORMAT`. */
export function parseSearchPointer(json: string, what: string): SearchPointer {
  const { formatVersion: _, ...pointer } = readDocument(json, searchPointerSchema, {
    what,
    code: 'INVALID_INDEX',
    maxLength: 64 * 1024,
  });
  return pointer;
}

/** The text of a `search/latest.json`. */
export function formatSearchPointer(pointer: SearchPointer): string {
  return writeDocument({ formatVersion, ...pointer }, { first: ['formatVersion', 'generation'] });
}

const maxLength = 32 * 1024 * 1024;

/**
 * Reads a search catalogue: line 1 says how many packs follow, then one pack a line.
 *
 * @throws `INVALID_INDEX` when a line is malformed, a pack stands twice, or lines are missing; `UNSUPPORTED_FORMAT`.
 */
export function parseSearchCatalogue(ndjson: string, what: string): readonly PackSummary[] {
  const [first, ...rest] = documentLines(ndjson, { what, code: 'INVALID_INDEX', maxLength });
  if (first === undefined) throw new SkillsError('INVALID_INDEX', `${what} is empty.`);
  const head = readDocument(first.text, catalogueHeadSchema, first);
  const packs = rest.map((line) => readDocument(line.text, packSummarySchema, line));
  if (packs.length !== head.packs) {
    throw new SkillsError('INVALID_INDEX', `${what} promises ${head.packs} packs and lists ${packs.length}.`, {
      data: { promised: head.packs, listed: packs.length },
    });
  }
  const seen = new Set<string>();
  for (const { name } of packs) {
    if (seen.has(name)) throw new SkillsError('INVALID_INDEX', `${what} lists ${name} twice.`, { data: { name } });
    seen.add(name);
  }
  return packs;
}

/** The text of a search catalogue, sorted by name. Same packs, same bytes. */
export function formatSearchCatalogue(packs: readonly PackSummary[]): string {
  const sorted = packs.toSorted((left, right) => comparePaths(left.name, right.name));
  const head = writeDocument({ formatVersion, packs: packs.length }, { compact: true });
  return head + sorted.map((pack) => writeDocument(pack, { first: ['name', 'version'], compact: true })).join('');
}
