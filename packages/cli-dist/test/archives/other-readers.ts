import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Parser } from 'tar';
import { fromBuffer, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl';
import type { ReadFile } from './read-archive.js';

/** A tree of files, by path. */
export type Tree = Record<string, ReadFile>;

/** What node-tar finds in a .tgz. */
export async function readWithNodeTar(archive: Buffer): Promise<Tree> {
  const tree: Tree = {};
  const pending: Promise<void>[] = [];
  await new Promise<void>((resolve, reject) => {
    const parser = new Parser({ strict: true, onReadEntry });
    parser.on('end', resolve);
    parser.on('error', reject);
    parser.end(archive);
  });
  await Promise.all(pending);
  return tree;

  function onReadEntry(entry: {
    path: string;
    type: string;
    mode?: number;
    concat(): Promise<Buffer>;
    resume(): void;
  }): void {
    if (entry.type === 'Directory') return entry.resume();
    const executable = ((entry.mode ?? 0) & 0o111) !== 0;
    const path = entry.path.replace(/^\.\//u, '');
    pending.push(
      entry.concat().then((bytes) => {
        tree[path] = { text: bytes.toString('latin1'), executable };
      }),
    );
    return undefined;
  }
}

/** What yauzl finds in a zip. */
export async function readWithYauzl(archive: Buffer): Promise<Tree> {
  const zip = await promisify<Buffer, { lazyEntries: boolean; decodeStrings: boolean }, ZipFile>(fromBuffer)(archive, {
    lazyEntries: true,
    decodeStrings: false,
  });
  const open = promisify(zip.openReadStream.bind(zip));
  const tree: Tree = {};
  await new Promise<void>((resolve, reject) => {
    zip.on('end', resolve);
    zip.on('error', reject);
    zip.on('entry', (entry: Entry) => {
      const name = nameOf(entry);
      if (name.endsWith('/')) return zip.readEntry();
      const path = name.replace(/^\.\//u, '');
      open(entry)
        .then(async (stream) => {
          stream.setEncoding('latin1');
          const unix = [3, 19].includes(entry.versionMadeBy >> 8);
          const executable = unix && ((entry.externalFileAttributes >>> 16) & 0o111) !== 0;
          tree[path] = { text: await text(stream), executable };
          zip.readEntry();
        })
        .catch(reject);
      return undefined;
    });
    zip.readEntry();
  });
  return tree;
}

/** Decoded here: yauzl reads names without the UTF-8 flag as CP437, unless an extra field tells them in UTF-8. */
function nameOf({ fileNameRaw, extraFields }: Entry): string {
  if (!extraFields.some(({ id }) => id === 0x7075)) return fileNameRaw.toString('utf8');
  return getFileNameLowLevel(0, fileNameRaw, extraFields, true);
}

const run = promisify(execFile);

/** The command that unpacks an archive into a folder; `undefined` for a format it does not know. */
export type Extractor = (archive: string, folder: string) => readonly [command: string, ...args: string[]];

/** What programs outside of Node unpack archives. */
export const extractors: Readonly<Record<'tgz' | 'zip', Readonly<Record<string, Extractor>>>> = {
  tgz: {
    'GNU tar': (archive, folder) => ['tar', 'xzf', archive, '-C', folder],
    bsdtar: (archive, folder) => ['bsdtar', 'xf', archive, '--no-xattrs', '-C', folder],
    'Python tarfile': (archive, folder) => [
      'python3',
      '-c',
      `import sys, tarfile\ntarfile.open(sys.argv[1], 'r:gz').extractall(sys.argv[2])`,
      archive,
      folder,
    ],
  },
  zip: {
    unzip: (archive, folder) => ['unzip', '-q', '-o', archive, '-d', folder],
    bsdtar: (archive, folder) => ['bsdtar', 'xf', archive, '--no-xattrs', '-C', folder],
    'Python zipfile': (archive, folder) => [
      'python3',
      '-c',
      `import sys, zipfile\nzipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])`,
      archive,
      folder,
    ],
  },
};

/** What a program makes of an archive; `undefined` when it is not on this machine. */
export async function readWithProgram(archive: Buffer, extractor: Extractor, work: string): Promise<Tree | undefined> {
  const folder = join(work, 'out');
  await mkdir(folder, { recursive: true });
  const path = join(work, 'archive');
  await writeFile(path, archive);
  const [command, ...args] = extractor(path, folder);
  try {
    await run(command, args, { env: { ...process.env, LC_ALL: 'C.UTF-8' } });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return readTree(folder);
}

/** The files below a folder. */
export async function readTree(folder: string): Promise<Tree> {
  const tree: Tree = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const { mode } = await stat(path);
    const name = path.slice(folder.length + 1).replaceAll('\\', '/');
    tree[name] = { text: await readFile(path, 'latin1'), executable: (mode & 0o111) !== 0 };
  }
  return tree;
}
