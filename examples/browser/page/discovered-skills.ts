import { sha256 as sha256Of } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { discoveryIndexPath, parseDiscoveryIndex, parseSkillHead, SkillsError } from '@skillpack/core';
import type { DiscoverySkill, Sha256, SkillBackend, SkillEntry } from '@skillpack/core';

/** The digests of `crypto.subtle` come later; those that core asks for come at once. */
export const sha256: Sha256 = (data) => {
  const bytes = typeof data === 'string' ? utf8ToBytes(data) : data;
  // Cast: a digest is written so, the algorithm and 64 small hexadecimal digits.
  return `sha256:${bytesToHex(sha256Of(bytes))}` as ReturnType<Sha256>;
};

/**
 * The skills that a registry, or any other host, offers at `.well-known/agent-skills/`, by nothing but `fetch`. Of each
 * the SKILL.md can be read; it is shown only if what was fetched has the digest of the index.
 */
export function discoveredSkills(base: URL): SkillBackend {
  const index = new URL(discoveryIndexPath, base);
  let found: ReadonlyMap<string, DiscoverySkill> = new Map();
  return {
    kind: 'discovery',
    async list({ signal }) {
      const { skills, skipped } = parseDiscoveryIndex(await fetchText(index, signal), index.href);
      found = new Map(skills.map((skill) => [new URL(skill.url, index).href, skill]));
      const problems = skipped.map(({ name = 'an entry', reason }) => {
        return { code: 'refused', location: index.href, message: `${name}: ${reason}` } as const;
      });
      return { skills: [...found].flatMap(([location, skill]) => entryOf(skill, location) ?? []), problems };
    },
    async files() {
      return [{ path: 'SKILL.md', size: 0, executable: false }];
    },
    async bytes({ location, name }, path, { maxBytes, signal }) {
      const skill = found.get(location);
      if (skill === undefined || path !== 'SKILL.md')
        throw new SkillsError('FILE_NOT_FOUND', `${name} has no ${path}.`);
      const artifact = await fetchBytes(new URL(location), signal);
      if (sha256(artifact) !== skill.digest) {
        throw new SkillsError('INTEGRITY_MISMATCH', `${location} is not what the index says.`);
      }
      if (skill.type === 'skill-md') return artifact;
      return skillInArchive(artifact, maxBytes);
    },
  };
}

/** What the index says of a skill, as its front matter would: JSON is YAML, whatever stands in a text. */
function entryOf({ name, description }: DiscoverySkill, location: string): SkillEntry | undefined {
  const text = `---\n${JSON.stringify({ name, description })}\n---\n`;
  const parse = parseSkillHead(utf8ToBytes(text), { folder: name });
  if (parse.kind !== 'skill') return undefined;
  const { skill: head, diagnostics } = parse;
  return {
    name,
    scope: 'other',
    location,
    pack: undefined,
    packVersion: undefined,
    digest: undefined,
    head,
    diagnostics,
  };
}

/** The SKILL.md at the root of a `.tar.gz`: its headers say where it lies, and the digest was checked before. */
async function skillInArchive(archive: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const unpacked = new Blob([Uint8Array.from(archive)]).stream().pipeThrough(new DecompressionStream('gzip'));
  const tar = await readAll(unpacked, 64 * maxBytes);
  const field = (at: number, length: number): string =>
    new TextDecoder().decode(tar.subarray(at, at + length)).replace(/\0.*/su, '');
  for (let at = 0; at + 512 <= tar.length;) {
    const size = Number.parseInt(field(at + 124, 12), 8) || 0;
    const start = at + 512;
    if (field(at, 100) === 'SKILL.md' && size <= maxBytes) return tar.slice(start, start + size);
    at = start + Math.ceil(size / 512) * 512;
  }
  throw new SkillsError('FILE_NOT_FOUND', 'The archive has no SKILL.md at its root, or it is too large.');
}

/** @throws `REGISTRY_ERROR` for an answer that is no success; `NETWORK_ERROR`; `FILE_TOO_LARGE` for more than 16 MiB. */
export async function fetchText(url: URL, signal?: AbortSignal): Promise<string> {
  return new TextDecoder().decode(await fetchBytes(url, signal));
}

async function fetchBytes(url: URL, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const response = await fetch(url, { signal: signal ?? null }).catch((cause: unknown) => {
    throw new SkillsError('NETWORK_ERROR', `${url.href} cannot be fetched.`, { cause });
  });
  if (!response.ok) throw new SkillsError('REGISTRY_ERROR', `${url.href} answers ${response.status}.`);
  return response.body === null ? new Uint8Array() : readAll(response.body, 16 * 1024 * 1024);
}

async function readAll(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > maxBytes) throw new SkillsError('FILE_TOO_LARGE', `There are more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
