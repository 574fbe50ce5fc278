import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Something below a folder that is no folder itself. */
export interface EntryBelow {
  /** Relative to the folder, slash-separated; U+FFFD stands for what is not valid Unicode. */
  readonly path: string;
  /** Where it is, as the system has it: as bytes where its path is not valid Unicode. */
  readonly place: string | Buffer;
  readonly kind: 'file' | 'link' | 'other';
}

/** Everything below a folder but folders, links not followed. @throws what the disk throws. */
export async function entriesBelow(folder: string | Buffer, prefix = ''): Promise<readonly EntryBelow[]> {
  const below: EntryBelow[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const name = entry.name.toString();
    const path = `${prefix}${name}`;
    const place =
      typeof folder === 'string' && !name.includes('\uFFFD')
        ? join(folder, name)
        : Buffer.concat([Buffer.from(folder), Buffer.from(sep), entry.name]);
    if (entry.isDirectory()) below.push(...(await entriesBelow(place, `${path}/`)));
    else below.push({ path, place, kind: entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other' });
  }
  return below;
}
