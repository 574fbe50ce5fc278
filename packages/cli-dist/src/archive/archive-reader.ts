import {
  SkillsError,
  comparePaths,
  defaultArchiveLimits,
  manifestFileName,
  parseManifest,
  quoted,
  treeDigestOf,
  type ArchiveFile,
  type ArchiveFormat,
  type ArchiveReader,
  type OpenArchiveOptions,
  type OpenedArchive,
  type PackFile,
  type PackFileContent,
  type PackManifest,
} from '@skillpack/core';
import { detectLayout, isLitter, skillFileName, skillFolders, type ArchiveLayout } from './archive-layout.js';
import { readWhole } from './archive-window.js';
import { startsGzip } from './gzip-header.js';
import { throwIfAborted } from './inflate.js';
import { matchManifest } from './match-manifest.js';
import { matchSkillNames } from './match-skill-names.js';
import { refuse } from './refuse.js';
import { scanTgz, scanTgzFile } from './scan-tgz.js';
import { scanZip } from './scan-zip.js';
import { maxPeek, type ScannedArchive, type ScannedFile } from './scanned-archive.js';
import { sha256 } from './sha256.js';
import { skillNameIn } from './skill-name-in.js';

/** The reader of `.tgz` and `.zip` packs. It believes nothing of what an archive says of itself. */
export function createArchiveReader(): ArchiveReader {
  return { open: openArchive };
}

async function openArchive(
  archive: Uint8Array | ArchiveFile,
  options: OpenArchiveOptions = {},
): Promise<OpenedArchive> {
  const limits = options.limits ?? defaultArchiveLimits;
  const { signal } = options;
  throwIfAborted(signal);
  const size = archive instanceof Uint8Array ? archive.length : archive.size;
  if (size > limits.archiveBytes) {
    throw refuse('archive-too-large', `it has ${size} bytes, more than the ${limits.archiveBytes} allowed`, {
      size,
      limit: limits.archiveBytes,
    });
  }
  if (!(archive instanceof Uint8Array) && isGzip(archive)) {
    return describeArchive(await scanTgzFile(archive, { limits, signal }), 'tgz');
  }
  // A zip is read from its end, then here and there: it is held as a whole.
  const bytes = archive instanceof Uint8Array ? asBuffer(archive) : readWhole(archive);
  const format = formatOf(bytes);
  const scanned = await (format === 'tgz' ? scanTgz : scanZip)(bytes, { limits, signal });
  const opened = await describeArchive(scanned, format);
  if (archive instanceof Uint8Array) return opened;
  const release = (): void => {
    opened.release();
    // It was read here, into memory of its own. Cast: no shared memory.
    if (bytes.length > 0) (bytes.buffer as ArrayBuffer).transfer(0);
  };
  return { ...opened, release };
}

function isGzip(archive: ArchiveFile): boolean {
  const start = Buffer.alloc(2);
  archive.read(start, 0);
  return startsGzip(start);
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function formatOf(archive: Buffer): ArchiveFormat {
  if (archive.length === 0) throw refuse('empty-archive', 'it has no bytes');
  if (startsGzip(archive)) return 'tgz';
  const start = archive.toString('latin1', 0, 4);
  if (start === 'PK\u0003\u0004' || start === 'PK\u0005\u0006') return 'zip';
  if (start === 'PK\u0007\u0008' || start === 'PK00') throw refuse('multi-volume', 'it is one part of several');
  if (archive.subarray(-22).toString('latin1', 0, 4) === 'PK\u0005\u0006') {
    throw refuse('hidden-data', 'it is a zip with other data in front');
  }
  throw refuse('unknown-format', 'it is neither gzip nor zip');
}

async function describeArchive(scanned: ScannedArchive, format: ArchiveFormat): Promise<OpenedArchive> {
  const layout = await layoutOf(scanned.files, scanned);
  const manifest = layout.kind === 'manifest' ? readManifest(scanned, layout.base + manifestFileName) : undefined;
  const chosen =
    manifest === undefined ? skillFiles(scanned.files, layout) : manifestFiles(scanned.files, { manifest, layout });
  const listed = new Map(manifest?.files.map((file) => [file.path, file]));
  const byFile = new Map<ScannedFile, PackFile>();
  for (const file of chosen) {
    const path = file.path.slice(layout.base.length);
    byFile.set(file, {
      path,
      size: file.size,
      digest: file.digest,
      executable: file.executable ?? listed.get(path)?.executable ?? false,
    });
  }
  const files = [...byFile.values()].toSorted((left, right) => comparePaths(left.path, right.path));
  if (manifest !== undefined) {
    matchManifest(files, manifest);
    await matchSkillNames(scanned, { skills: manifest.skills, base: layout.base });
  }
  const own = layout.base + manifestFileName;
  return {
    format,
    manifest,
    files,
    ignored: scanned.files
      .filter((file) => !byFile.has(file) && !(manifest !== undefined && file.path === own))
      .map(({ path }) => path),
    treeDigest: manifest?.treeDigest ?? treeDigestOf(files, sha256),
    layout: layout.kind === 'skill' ? 'skill' : 'pack',
    contents: () => packContents(scanned, byFile),
    release: () => scanned.release?.(),
  };
}

async function* packContents(
  scanned: ScannedArchive,
  files: ReadonlyMap<ScannedFile, PackFile>,
): AsyncGenerator<PackFileContent, void> {
  const contents = scanned.contents(new Set(files.keys()));
  // What is at hand is not waited for: of thousands of small files the waiting would be a good part.
  if (Symbol.iterator in contents) {
    for (const { file, chunks } of contents) {
      const packed = files.get(file);
      if (packed !== undefined) yield { file: packed, chunks };
    }
    return;
  }
  for await (const { file, chunks } of contents) {
    const packed = files.get(file);
    if (packed !== undefined) yield { file: packed, chunks };
  }
}

async function layoutOf(files: readonly ScannedFile[], scanned: ScannedArchive): Promise<ArchiveLayout> {
  if (files.length === 0) throw refuse('empty-archive', 'it holds no file');
  const byPath = new Map(files.map((file) => [file.path, file]));
  const peek = (path: string) => {
    const file = byPath.get(path);
    return file === undefined ? undefined : scanned.peek(file);
  };
  const paths = files.map(({ path }) => path).filter((path) => !isLitter(path));
  const layout = await detectLayout(paths, {
    isManifest: (path) => isOurManifest(peek(path)),
    skillNameIn: (path) => skillNameIn(peek(path)),
  });
  if (layout !== undefined) return layout;
  const near = paths.find((path) => /(?:^|\/)skill\.md$/iu.test(path));
  throw refuse(
    'missing-skill-file',
    near === undefined
      ? `it holds no ${skillFileName}`
      : `it holds no ${skillFileName} where a skill has one, only ${quoted(near)}`,
    { files: paths.slice(0, 20) },
  );
}

/** Whether a file beside a SKILL.md is a pack's manifest, not something of the skill's own. A damaged one of ours counts. */
function isOurManifest(bytes: Uint8Array | undefined): boolean {
  if (bytes === undefined) return false;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return text.includes('"treeDigest"') && text.includes('"formatVersion"');
}

function readManifest(scanned: ScannedArchive, path: string): PackManifest {
  const file = scanned.files.find((candidate) => candidate.path === path);
  const bytes = file === undefined ? undefined : scanned.peek(file);
  if (bytes === undefined) throw refuse('invalid-manifest', `its ${manifestFileName} is larger than ${maxPeek} bytes`);
  try {
    return parseManifest(decoder.decode(bytes), sha256);
  } catch (error) {
    if (error instanceof TypeError) throw refuse('invalid-manifest', `its ${manifestFileName} is not UTF-8`);
    if (!SkillsError.is(error, 'INVALID_MANIFEST')) throw error;
    throw new SkillsError('ARCHIVE_REFUSED', error.message, {
      hint: error.hint,
      cause: error,
      data: { ...error.data, reason: 'invalid-manifest' },
    });
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** With a manifest everything counts, except litter that it does not list. */
function manifestFiles(
  files: readonly ScannedFile[],
  { manifest, layout }: { readonly manifest: PackManifest; readonly layout: ArchiveLayout },
): ScannedFile[] {
  const listed = new Set(manifest.files.map(({ path }) => layout.base + path));
  const own = layout.base + manifestFileName;
  return files.filter(({ path }) => path !== own && (listed.has(path) || !isLitter(path)));
}

/** Without one, what lies in the folder of a skill. */
function skillFiles(files: readonly ScannedFile[], { base, kind }: ArchiveLayout): ScannedFile[] {
  const below = files.filter(({ path }) => path.startsWith(base) && !isLitter(path));
  if (kind === 'skill') return below;
  const folders = skillFolders(
    below.map(({ path }) => path),
    base,
  );
  return below.filter(({ path }) => folders.has(path.slice(base.length, path.indexOf('/', base.length) + 1)));
}
