import {
  defaultTagOf,
  escapedJson,
  formatVersionRecord,
  isSameContent,
  parseVersionRecord,
  SkillsError,
  splitPackName,
  type PackName,
  type VersionRecord,
} from '@skillpack/core';
import * as z from 'zod/mini';
import type { FolderFiles } from './folder-files.js';

/**
 * One change of what a registry says of a pack. The log of them, `versions/<org>/<name>/log/<n>.json`, and the
 * versions' own files are the truth that a pack's index is a fold of.
 */
export type PackEvent =
  | { readonly kind: 'publish'; readonly version: string; readonly tag: string | null }
  | { readonly kind: 'tag'; readonly version: string; readonly tag: string }
  | { readonly kind: 'yank'; readonly version: string; readonly reason: string | null }
  | { readonly kind: 'deprecate'; readonly reason: string | null };

/** A version's file: its record, and the tag that its publication moves. */
export interface StoredVersion {
  readonly record: VersionRecord;
  /** `null` when the publisher named none: whether it moves `latest` depends on what the log says before it. */
  readonly tag: string | null;
}

/** What the log and the versions' files say, folded. */
export interface PackHistory {
  readonly versions: readonly VersionRecord[];
  readonly tags: Readonly<Record<string, string>>;
  readonly deprecated: string | null;
}

const reason = z.nullable(z.string().check(z.maxLength(1024)));
const eventSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('publish'), version: z.string(), tag: z.nullable(z.string()) }),
    z.object({ kind: z.literal('tag'), version: z.string(), tag: z.string() }),
    z.object({ kind: z.literal('yank'), version: z.string(), reason }),
    z.object({ kind: z.literal('deprecate'), reason }),
  ]),
);
const tagSchema = z.lazy(() => z.object({ tag: z._default(z.nullable(z.string()), null) }));

const eventName = /^(\d{8})\.json$/u;

/** The folder of a pack's versions. */
function versionsFolder(name: PackName): string {
  const { org, base } = splitPackName(name);
  return `versions/${org}/${base}`;
}

/**
 * Writes a version's file, which is what publishes it.
 *
 * @returns `undefined` when it was written, else the version that is there already.
 */
export async function createVersion(
  name: PackName,
  version: StoredVersion,
  files: FolderFiles,
): Promise<StoredVersion | undefined> {
  const path = versionPath(name, version.record.version);
  const line = { ...version.record, tag: version.tag };
  if (await files.create(path, formatVersionRecord(line))) return undefined;
  const present = await readVersion(name, version.record.version, files);
  if (present !== undefined) return present;
  throw new SkillsError('IO_ERROR', `“${path}” was there and is gone.`, { hint: 'Try again.' });
}

/** Reads one version's file. @throws `INVALID_INDEX`. */
export async function readVersion(
  name: PackName,
  version: string,
  files: FolderFiles,
): Promise<StoredVersion | undefined> {
  const path = versionPath(name, version);
  const bytes = await files.read(path);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  const record = parseVersionRecord(text, path);
  return { record, tag: tagSchema.parse(JSON.parse(text)).tag };
}

/** Every version's file of a pack. @throws `INVALID_INDEX` when one is not of the version it is named after. */
export async function readVersions(name: PackName, files: FolderFiles): Promise<ReadonlyMap<string, StoredVersion>> {
  const versions = new Map<string, StoredVersion>();
  for (const entry of await files.list(versionsFolder(name))) {
    if (entry.kind !== 'file' || !entry.name.endsWith('.json')) continue;
    const version = entry.name.slice(0, -'.json'.length);
    const stored = await readVersion(name, version, files);
    if (stored === undefined) continue;
    if (stored.record.version !== version) {
      const path = versionPath(name, version);
      throw new SkillsError('INVALID_INDEX', `“${path}” is about version ${stored.record.version}, not ${version}.`);
    }
    versions.set(version, stored);
  }
  return versions;
}

/** A pack's log, in order. @throws `INVALID_INDEX`. */
export async function readLog(name: PackName, files: FolderFiles): Promise<readonly PackEvent[]> {
  const events: PackEvent[] = [];
  for (const number of await logNumbers(name, files)) {
    const path = eventPath(name, number);
    const bytes = await files.read(path);
    const read = eventSchema.safeParse(parseJson(bytes));
    if (!read.success) {
      throw new SkillsError('INVALID_INDEX', `“${path}” is not an entry of a pack's log.`, { cause: read.error });
    }
    events.push(read.data);
  }
  return events;
}

/**
 * Appends to a pack's log. Entries are numbered, and a number is taken by creating its file: whatever several
 * processes append at once, all of it is there, in one order.
 */
export async function appendToLog(name: PackName, event: PackEvent, files: FolderFiles): Promise<void> {
  const text = `${escapedJson(event)}\n`;
  for (;;) {
    const next = ((await logNumbers(name, files)).at(-1) ?? 0) + 1;
    if (await files.create(eventPath(name, next), text)) return;
  }
}

/** How long a pack's log is: it only grows, so an equal length is an equal log. */
export async function logLength(name: PackName, files: FolderFiles): Promise<number> {
  return (await logNumbers(name, files)).length;
}

/** Folds a log. Entries about versions that are not there count for nothing; of two publications the first counts. */
export function foldLog(versions: ReadonlyMap<string, StoredVersion>, log: readonly PackEvent[]): PackHistory {
  const order = new Set<string>();
  const tags: Record<string, string> = {};
  const yanked = new Map<string, string | null>();
  let deprecated: string | null = null;
  for (const event of log) {
    if (event.kind === 'deprecate') {
      deprecated = event.reason;
      continue;
    }
    if (!versions.has(event.version)) continue;
    if (event.kind === 'yank') yanked.set(event.version, event.reason);
    else if (event.kind === 'tag') tags[event.tag] = event.version;
    else if (!order.has(event.version)) {
      order.add(event.version);
      const tag = event.tag ?? defaultTagOf(event.version, tags['latest']);
      if (tag !== null) tags[tag] = event.version;
    }
  }
  const records = [...order].flatMap((version) => versions.get(version)?.record ?? []);
  return {
    versions: records.map((record) => ({ ...record, yanked: yanked.get(record.version) ?? null })),
    tags,
    deprecated,
  };
}

/** Versions whose publisher was stopped before the log said so, oldest first. */
export function unloggedVersions(
  versions: ReadonlyMap<string, StoredVersion>,
  log: readonly PackEvent[],
): readonly StoredVersion[] {
  const logged = new Set(log.flatMap((event) => (event.kind === 'publish' ? event.version : [])));
  return [...versions.values()]
    .filter(({ record }) => !logged.has(record.version))
    .toSorted((left, right) => Date.parse(left.record.published) - Date.parse(right.record.published));
}

/** Whether what is published already is what is being published. */
export function isRepublication(present: StoredVersion, offered: StoredVersion): boolean {
  return present.record.version === offered.record.version && isSameContent(present.record, offered.record);
}

async function logNumbers(name: PackName, files: FolderFiles): Promise<readonly number[]> {
  const entries = await files.list(`${versionsFolder(name)}/log`);
  return entries
    .flatMap(({ name: entry }) => eventName.exec(entry)?.[1] ?? [])
    .map(Number)
    .toSorted((left, right) => left - right);
}

function versionPath(name: PackName, version: string): string {
  return `${versionsFolder(name)}/${version}.json`;
}

function eventPath(name: PackName, number: number): string {
  return `${versionsFolder(name)}/log/${String(number).padStart(8, '0')}.json`;
}

function parseJson(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
