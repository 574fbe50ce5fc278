import { deepStrictEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArchiveReader } from '../../packages/cli-dist/src/archive/archive-reader.js';
import { anyTgz, anyZip } from '../../packages/cli-dist/test/archives/any-archive.js';
import { extractors, readWithProgram, type Tree } from '../../packages/cli-dist/test/archives/other-readers.js';
import { readArchive } from '../../packages/cli-dist/test/archives/read-archive.js';
import { enclosingFolder } from './enclosing-folder.js';
import { fuzzTarget, judgeRefusal, type FuzzTarget } from './fuzz-target.js';

const reader = createArchiveReader();

async function ignoredIn(bytes: Buffer): Promise<readonly string[] | undefined> {
  try {
    return (await reader.open(bytes)).ignored;
  } catch (error) {
    judgeRefusal(error, ['ARCHIVE_REFUSED', 'UNSUPPORTED_FORMAT']);
    return undefined;
  }
}

/** What is accepted, the programs that people unpack archives with read to the same tree. */
async function judgeWithPrograms(input: Uint8Array, format: 'tgz' | 'zip'): Promise<boolean> {
  const bytes = Buffer.from(input);
  const ignored = await ignoredIn(bytes);
  if (ignored === undefined) return false;
  const expected = texts(await readArchive(bytes), []);
  // Most of these programs take a name without the UTF-8 flag for one in a code page.
  if (format === 'zip' && /[^ -~]/u.test([...expected.keys(), ...ignored].join(''))) return true;
  for (const [program, extractor] of Object.entries(extractors[format])) {
    const work = mkdtempSync(join(tmpdir(), 'skillpack-fuzz-'));
    try {
      const tree = await readWithProgram(bytes, extractor, work);
      if (tree === undefined) continue;
      const read = texts(tree, ignored);
      const base = enclosingFolder([...expected.keys()], [...read.keys()]);
      const same = new Map([...expected].map(([path, text]) => [base + path, text]));
      deepStrictEqual(read, same, `${program} sees another tree`);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  return true;
}

function texts(tree: Tree, ignored: readonly string[]): Map<string, string> {
  const entries = Object.entries(tree).filter(([path]) => !ignored.includes(path));
  const named = entries.map(([path, { text }]) => [path.normalize('NFC'), text] as const);
  return new Map(named.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

const targets: readonly FuzzTarget[] = [
  fuzzTarget({ name: 'tgz-programs', input: anyTgz, judge: (bytes) => judgeWithPrograms(bytes, 'tgz'), sample: 60 }),
  fuzzTarget({ name: 'zip-programs', input: anyZip, judge: (bytes) => judgeWithPrograms(bytes, 'zip'), sample: 60 }),
];

/** Archives in both formats, against programs outside of Node. Much slower than all other targets. */
export const programTargets: readonly FuzzTarget[] =
  // Elsewhere the same names are those of other programs.
  process.platform === 'linux' ? targets : [];
