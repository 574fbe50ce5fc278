import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomId } from './random-id.js';
import { statEntry } from './stat-entry.js';

/** What {@link temporaryPath} calls a file. */
export const temporaryName = /^\.skillpack-tmp-[0-9a-f]{16}$/u;

/** A path for a temporary file of ours in a folder: nobody calls a file of their own like that. */
export function temporaryPath(folder: string): string {
  return join(folder, `.skillpack-tmp-${randomId()}`);
}

/** The temporary files of ours in a folder, which dead processes left. Nothing else is ever taken for one. */
export function temporaryFiles(folder: string): readonly string[] {
  if (statEntry(folder)?.isDirectory() !== true) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && temporaryName.test(entry.name))
    .map(({ name }) => join(folder, name));
}
