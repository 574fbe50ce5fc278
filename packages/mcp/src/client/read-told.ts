import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { parseSkill, quoted, SkillsError, type ReadBytesOptions, type Sha256 } from '@skillpack/core';
import { askServer, type AskedServer } from './ask-server.js';
import type { KeptContents } from './kept-contents.js';
import { isSameFrontMatter } from './same-front-matter.js';
import type { ToldFile, ToldSkill } from './told-skill.js';

/** What a file is read with. */
export interface ReadToldPorts {
  readonly server: AskedServer;
  readonly contents: KeptContents;
  readonly sha256: Sha256;
}

/** A file that is asked for. */
export interface WantedFile {
  readonly skill: ToldSkill;
  readonly path: string;
}

/**
 * Reads a file of a skill from its server, and verifies it.
 *
 * @throws `FILE_NOT_FOUND` for a file that the entry does not list, `FILE_TOO_LARGE`, `INTEGRITY_MISMATCH` for one of
 * another size or digest, or a SKILL.md whose front matter is not that of the entry; what {@link askServer} throws.
 */
export async function readTold(
  { server, contents, sha256 }: ReadToldPorts,
  { skill, path }: WantedFile,
  { maxBytes, signal }: ReadBytesOptions,
): Promise<Uint8Array> {
  const file = skill.files.get(path);
  const name = skill.entry.name;
  if (file === undefined) {
    throw new SkillsError('FILE_NOT_FOUND', `The skill ${quoted(name)} has no file ${quoted(path)}.`);
  }
  if (file.size > maxBytes) {
    throw new SkillsError(
      'FILE_TOO_LARGE',
      `${quoted(path)} of the skill ${quoted(name)} has ${file.size} bytes; at most ${maxBytes} are read.`,
      { data: { size: file.size, maxBytes } },
    );
  }
  const known = contents.get(file.digest);
  const bytes = known ?? (await fetchFile(server, file, signal));
  const actual = bytes?.length === file.size ? sha256(bytes) : undefined;
  if (bytes === undefined || actual !== file.digest) {
    const found = bytes === undefined ? 'has another size' : (actual ?? `has ${bytes.length} bytes`);
    throw mismatch({ skill, path }, `${found}, but ${file.digest} with ${file.size} bytes was told`);
  }
  if (path === 'SKILL.md') checkFrontMatter(skill, bytes);
  contents.keep(file.digest, bytes);
  return bytes.slice();
}

/** What a person was shown of a skill is what a model reads of it. */
function checkFrontMatter(skill: ToldSkill, bytes: Uint8Array): void {
  const parse = parseSkill(bytes, { folder: skill.entry.head.name });
  if (parse.kind === 'skill' && isSameFrontMatter(skill.frontMatter, parse.skill.frontMatter)) return;
  throw mismatch({ skill, path: 'SKILL.md' }, 'has other front matter than was told');
}

function mismatch({ skill, path }: WantedFile, what: string): SkillsError {
  return new SkillsError('INTEGRITY_MISMATCH', `${quoted(path)} of the skill ${quoted(skill.entry.name)} ${what}.`, {
    hint: 'Nothing of it was used. The skill may have changed: read the index again. If that does not help, tell whoever runs the server.',
    data: { skill: skill.entry.name, path },
  });
}

/** `undefined` where what came cannot be of the size that was told. */
async function fetchFile(
  server: AskedServer,
  { address, size }: ToldFile,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const { contents } = await askServer(server, { what: address, signal }, async (options) =>
    server.client.readResource({ uri: address }, { ...options, cacheMode: 'bypass' }),
  );
  const content =
    contents.find(({ uri }) => isSameAddress(uri, address)) ?? (contents.length === 1 ? contents[0] : undefined);
  if (content === undefined) {
    throw new SkillsError('REGISTRY_ERROR', `The server ${server.origin} answered without ${quoted(address)}.`);
  }
  return decode(content, size);
}

function isSameAddress(left: string, right: string): boolean {
  return URL.canParse(left) && URL.canParse(right) && new URL(left).href === new URL(right).href;
}

/** Nothing longer than what was told is decoded. */
function decode(content: ReadResourceResult['contents'][number], size: number): Uint8Array | undefined {
  if ('text' in content) return content.text.length > size ? undefined : new TextEncoder().encode(content.text);
  const longest = 4 * Math.ceil(size / 3);
  if (content.blob.length > longest) return undefined;
  try {
    const binary = atob(content.blob);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return undefined;
  }
}
