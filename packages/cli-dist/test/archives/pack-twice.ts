import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packSkills } from '../../src/index.js';

/** In what one process differs from another. */
export interface Surroundings {
  readonly umask: number;
  /** Of every file, in seconds. */
  readonly time: number;
  /** Whether the files are made in the reverse order. */
  readonly reversed: boolean;
  /** Whether the folder is given relative to the working directory. */
  readonly relative: boolean;
}

const executable = 'skills/pdf/scripts/run.sh';

const files = {
  'skillpack.json': '{"name":"acme/docs","version":"1.0.0"}',
  '.skillpackignore': '*.draft\n',
  'skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDF files. Use when there is one.\n---\n\nRead it.\n',
  'skills/pdf/Zebra.md': 'z',
  'skills/pdf/apple.md': 'word '.repeat(30_000),
  'skills/pdf/\u00E4.md': 'a',
  'skills/pdf/\u{1F600}.md': 'b',
  'skills/pdf/\uFB01.md': 'c',
  'skills/pdf/a.draft': 'd',
  [executable]: '#!/bin/sh\n',
  'skills/table/SKILL.md': '---\nname: table\ndescription: Profiles tables. Use when there is one.\n---\n\nRead it.\n',
};

/** Makes a tree anew, packs it, and returns the digests of both archives. */
export async function packTwice({ umask, time, reversed, relative }: Surroundings): Promise<string[]> {
  process.umask(umask);
  const root = mkdtempSync(join(tmpdir(), 'skillpack-'));
  try {
    const entries = Object.entries(files);
    for (const [path, text] of reversed ? entries.toReversed() : entries) {
      const place = join(root, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, text);
      if (path === executable) chmodSync(place, 0o777 & ~umask);
      utimesSync(place, time, time);
    }
    if (relative) process.chdir(root);
    const digests: string[] = [];
    for (const format of ['tgz', 'zip'] as const) {
      const { digest, treeDigest } = await packSkills(relative ? '.' : root, { format });
      digests.push(digest, treeDigest);
    }
    return digests;
  } finally {
    process.chdir('/');
    rmSync(root, { recursive: true });
  }
}
