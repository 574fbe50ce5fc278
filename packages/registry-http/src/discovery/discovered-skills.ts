import {
  discoveryIndexPath,
  parseDiscoveryIndex,
  quoted,
  SkillsError,
  withoutCredentials,
  type ArchiveLimits,
  type DiscoverySkill,
  type IndexProblem,
  type RegistryOptions,
  type Sha256,
  type SkillBackend,
  type SkillEntry,
  type SkillListing,
  type SkillScope,
} from '@skillpack/core';
import { describedHead } from '../skills/described-head.js';
import { ArtifactContents, type OfferedSkill } from './artifact-contents.js';
import { fetchBytes } from './fetch-bytes.js';
import type { UnpackedFile } from './read-tar.js';

/** What discovered skills are read with. */
export interface DiscoveredSkillsPorts {
  /** That of a page, or one of your own that sends a token or follows redirects: it is handed what `fetch` is. */
  readonly fetch: typeof globalThis.fetch;
  readonly sha256: Sha256;
}

/** Which discovered skills are offered, and how. */
export interface DiscoveredSkillsOptions {
  /** Where artifacts may lie besides the origin of the index: `https://cdn.example.com`. @default [] */
  readonly origins?: readonly string[] | undefined;
  /** @default 'other' */
  readonly scope?: SkillScope | undefined;
  /** Bytes of unpacked skills that stay in memory. @default 32 MiB */
  readonly memoryBytes?: number | undefined;
  /** What archives are held to; a single SKILL.md to `fileBytes`. @default defaultArchiveLimits */
  readonly limits?: ArchiveLimits | undefined;
  /** Milliseconds until an answer has to be there, whole. @default 120,000 */
  readonly timeout?: number | undefined;
}

const MiB = 1024 * 1024;
const maxIndexBytes = 16 * MiB;
/** Skills of earlier listings that can still be read. */
const mostReadable = 2_000;

/**
 * The skills that any host offers by a discovery index (Agent Skills Discovery, draft 0.2.0), read with nothing but
 * `fetch`: in a page, in a worker, in Node. Listing reads the index alone; the first file of a skill that is asked for
 * fetches its artifact, a SKILL.md or an archive, which has to have the digest of the index.
 *
 * No redirect is followed, and an artifact at another origin than that of the index is a problem of the listing, unless
 * the origin is named: what an index says leads nobody who looks at it anywhere else. What only a SKILL.md says (its
 * allowed tools, whether a model may call it) is known once its body is read.
 *
 * `list` throws when the index cannot be had: what a registry made of it showed stays.
 *
 * @param base the URL below which `.well-known/agent-skills/index.json` lies.
 * @throws `ADDRESS_REFUSED` for what is no http or https URL, or holds a user name or a password.
 * @example
 * ```ts
 * const backend = discoveredSkills('https://skills.example.com/', { fetch, sha256 });
 * const registry = createSkillRegistry(backend, { sha256 });
 * ```
 */
export function discoveredSkills(
  base: string | URL,
  ports: DiscoveredSkillsPorts,
  options: DiscoveredSkillsOptions = {},
): SkillBackend {
  const { origins = [], scope = 'other', memoryBytes = 32 * MiB, limits, timeout = 120_000 } = options;
  const index = new URL(discoveryIndexPath, folderOf(parseAddress(String(base))));
  const allowed = new Set([index.origin, ...origins.map((origin) => parseAddress(origin).origin)]);
  const contents = new ArtifactContents(ports, { memoryBytes, limits, timeout });
  let listed: ReadonlyMap<string, OfferedSkill> = new Map();
  const read = async ({ name, location }: SkillEntry, signal: AbortSignal | undefined) => {
    const skill = listed.get(location);
    if (skill !== undefined) return contents.read(skill, signal);
    throw new SkillsError('SKILL_NOT_FOUND', `${index.href} does not offer the skill ${quoted(name)} (any more).`, {
      data: { name, location },
    });
  };
  return {
    kind: 'discovery',
    async list({ signal }: RegistryOptions): Promise<SkillListing> {
      const bytes = await fetchBytes(index, ports.fetch, { maxBytes: maxIndexBytes, timeout, signal });
      const { offered, entries, problems } = judgeIndex(new TextDecoder().decode(bytes), { index, allowed, scope });
      listed = new Map([...[...listed].slice(-mostReadable), ...offered]);
      return { skills: entries, problems };
    },
    async files(entry, { signal }) {
      const files = await read(entry, signal);
      return [...files].map(([path, { bytes, executable }]) => ({ path, size: bytes.length, executable }));
    },
    async bytes(entry, path, { maxBytes, signal }) {
      return takeFile(await read(entry, signal), { name: entry.name, path, maxBytes });
    },
  };
}

/** Where an index is, and what is made of it. */
interface IndexPlace {
  readonly index: URL;
  /** Origins at which artifacts may lie. */
  readonly allowed: ReadonlySet<string>;
  readonly scope: SkillScope;
}

interface JudgedIndex {
  /** By location. */
  readonly offered: ReadonlyMap<string, OfferedSkill>;
  readonly entries: readonly SkillEntry[];
  readonly problems: readonly IndexProblem[];
}

function judgeIndex(text: string, { index, allowed, scope }: IndexPlace): JudgedIndex {
  const { skills, skipped } = parseDiscoveryIndex(text, index.href);
  const offered = new Map<string, OfferedSkill>();
  const entries: SkillEntry[] = [];
  const problems: IndexProblem[] = [];
  const refuse = (name: string | undefined, reason: string): void => {
    const message = `${name === undefined ? 'A skill without a name' : quoted(name)} is not offered: ${reason}.`;
    problems.push({ code: 'refused', location: index.href, message });
  };
  for (const { name, reason } of skipped) refuse(name, reason);
  for (const { name, type, description, digest, url: address } of skills) {
    const url = locate(address, index);
    const location = url?.href ?? '';
    if (url === undefined) refuse(name, 'its address is not one of http or https without a user name');
    else if (!allowed.has(url.origin)) {
      refuse(name, `it lies at ${url.origin}, and skills are fetched from ${[...allowed].join(', ')} alone`);
    } else if (offered.has(location)) refuse(name, 'another skill has its address');
    else {
      offered.set(location, { name, type, digest, url });
      entries.push(entryOf({ name, description }, location, scope));
    }
  }
  return { offered, entries, problems };
}

function locate(address: DiscoverySkill['url'], index: URL): URL | undefined {
  if (!URL.canParse(address, index.href)) return undefined;
  const url = new URL(address, index);
  url.hash = '';
  return isPlain(url) ? url : undefined;
}

function parseAddress(address: string): URL {
  if (URL.canParse(address) && isPlain(new URL(address))) return new URL(address);
  const shown = quoted(withoutCredentials(address));
  throw new SkillsError('ADDRESS_REFUSED', `${shown} is not an http or https URL without a user name.`, {
    hint: 'It begins with https://. A token is sent by a `fetch` of your own.',
  });
}

/** As a person writes it, a folder may lack its final slash, which relative addresses need. */
function folderOf(url: URL): URL {
  return url.pathname.endsWith('/') ? url : new URL(`${url.pathname}/`, url);
}

function isPlain({ protocol, username, password }: URL): boolean {
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

function entryOf(skill: Pick<DiscoverySkill, 'name' | 'description'>, location: string, scope: SkillScope): SkillEntry {
  return {
    name: skill.name,
    scope,
    location,
    pack: undefined,
    packVersion: undefined,
    digest: undefined,
    head: describedHead(skill),
    diagnostics: [],
  };
}

function takeFile(
  files: ReadonlyMap<string, UnpackedFile>,
  { name, path, maxBytes }: { readonly name: string; readonly path: string; readonly maxBytes: number },
): Uint8Array {
  const file = files.get(path);
  if (file === undefined) {
    throw new SkillsError('FILE_NOT_FOUND', `The skill ${name} has no file ${quoted(path)}.`, {
      data: { skill: name, path: path.slice(0, 1024) },
    });
  }
  const size = file.bytes.length;
  if (size <= maxBytes) return file.bytes.slice();
  throw new SkillsError(
    'FILE_TOO_LARGE',
    `${quoted(path)} of ${name} has ${size} bytes; at most ${maxBytes} are read.`,
    {
      data: { size, maxBytes },
    },
  );
}
