import {
  formatManifest,
  isDigest,
  parseManifest,
  SkillsError,
  type Digest,
  type PackFile,
  type PackFileContent,
  type PackManifest,
} from '@skillpack/core';
import { sha256 } from '../archive/sha256.js';
import type { OpenedPack } from './opened-pack.js';

/** A pack whose archive was judged before, with the bytes of all its files. */
export interface UnpackedPack {
  readonly manifest: PackManifest;
  /** What {@link formatManifest} makes of it. */
  readonly manifestText: string;
  /** In the order of the manifest. */
  readonly files: readonly PackFileContent[];
}

/** What an unpacked form must be of to be of use. */
export interface ExpectedPack {
  /** The version of skillpack that judged the archive: another one may judge otherwise. */
  readonly judge: string;
  readonly treeDigest: Digest;
}

/** What the manifest and the files of a pack may have together, in bytes, to be kept unpacked. */
export const maxUnpacked = 4 * 1024 * 1024;

const formatVersion = 1;
const maxHeader = 1024;
/** What a form has at most, in bytes. */
export const maxForm = maxHeader + maxUnpacked;

interface Header {
  readonly formatVersion: number;
  readonly judge: string;
  readonly manifestBytes: number;
  readonly manifestDigest: Digest;
}

/**
 * The unpacked form of a pack: a line of JSON, the manifest, the bytes of all files in its order.
 *
 * @returns `undefined` for a pack that is too large to be kept so.
 */
export async function encodeUnpacked({ manifest, contents, judge }: OpenedPack): Promise<Buffer | undefined> {
  const text = Buffer.from(formatManifest(manifest));
  const length = manifest.files.reduce((sum, { size }) => sum + size, text.length);
  if (length > maxUnpacked) return undefined;
  const header: Header = { formatVersion, judge, manifestBytes: text.length, manifestDigest: sha256(text) };
  const places = new Map<string, number>();
  const lead = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), text]);
  let end = lead.length;
  for (const { path, size } of manifest.files) {
    places.set(path, end);
    end += size;
  }
  const bytes = Buffer.alloc(end);
  lead.copy(bytes);
  for await (const { file, chunks } of contents()) {
    let at = places.get(file.path) ?? end;
    for await (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
  }
  return bytes;
}

/**
 * Reads an unpacked form. The manifest is judged as that of an archive is, and has to have the expected tree digest;
 * every file has to have the digest that it lists: other files than those of the expected pack are never returned.
 *
 * @param expected `undefined` asks only whether the form is whole.
 * @returns `undefined` for a form that is damaged, or of something else.
 */
export function decodeUnpacked(bytes: Buffer, expected: ExpectedPack | undefined): UnpackedPack | undefined {
  const end = bytes.subarray(0, maxHeader).indexOf(0x0a) + 1;
  const header = readHeader(bytes.toString('utf8', 0, end));
  if (header === undefined || (expected !== undefined && header.judge !== expected.judge)) return undefined;
  const filesAt = end + header.manifestBytes;
  const text = bytes.subarray(end, filesAt);
  if (sha256(text) !== header.manifestDigest) return undefined;
  const manifestText = text.toString('utf8');
  const manifest = readManifest(manifestText);
  if (manifest === undefined || (expected !== undefined && manifest.treeDigest !== expected.treeDigest)) {
    return undefined;
  }
  const files = filesIn(bytes, filesAt, manifest.files);
  return files === undefined ? undefined : { manifest, manifestText, files };
}

function readHeader(text: string): Header | undefined {
  let header: Partial<Record<keyof Header, unknown>> | null;
  try {
    header = JSON.parse(text) as typeof header; // every field is looked at below
  } catch {
    return undefined;
  }
  const { formatVersion: version, judge, manifestBytes, manifestDigest } = header ?? {};
  if (version !== formatVersion || typeof judge !== 'string') return undefined;
  if (typeof manifestBytes !== 'number' || !Number.isSafeInteger(manifestBytes) || manifestBytes < 0) return undefined;
  if (typeof manifestDigest !== 'string' || !isDigest(manifestDigest)) return undefined;
  return { formatVersion: version, judge, manifestBytes, manifestDigest };
}

function readManifest(text: string): PackManifest | undefined {
  try {
    return parseManifest(text, sha256);
  } catch (error) {
    if (SkillsError.is(error)) return undefined;
    throw error;
  }
}

function filesIn(bytes: Buffer, start: number, listed: readonly PackFile[]): PackFileContent[] | undefined {
  const files: PackFileContent[] = [];
  let at = start;
  for (const file of listed) {
    const content = bytes.subarray(at, at + file.size);
    if (content.length !== file.size || sha256(content) !== file.digest) return undefined;
    files.push({ file, chunks: [content] });
    at += file.size;
  }
  return at === bytes.length ? files : undefined;
}
