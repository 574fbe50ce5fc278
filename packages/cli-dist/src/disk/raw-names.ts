import { readdirSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** A name or a path as the system has it: as bytes where it is not valid Unicode. */
export type RawName = string | Buffer;

/**
 * Whether a name that was read as text may not be the one on the disk: what is not UTF-8 reads as U+FFFD, and nothing is
 * found under that. No pack has such a name.
 */
export function isLossyName(name: string): boolean {
  return name.includes('\uFFFD');
}

/** The names in a folder: text, and bytes where text would not find the entry again. @throws what the disk throws. */
export function rawNames(folder: RawName): readonly RawName[] {
  const names = readdirSync(folder, 'utf8');
  if (!names.some(isLossyName)) return names;
  return readdirSync(folder, 'buffer').map((raw) => (isLossyName(raw.toString()) ? raw : raw.toString()));
}

/** The path of an entry of a folder. */
export function rawPath(folder: RawName, name: RawName): RawName {
  if (typeof folder === 'string' && typeof name === 'string') return join(folder, name);
  return Buffer.concat([Buffer.from(folder), Buffer.from(sep), Buffer.from(name)]);
}

/** The entries beside a path whose last name reads as its last name does: itself, unless that is not valid Unicode. */
export function namesReadAs(path: string): readonly RawName[] {
  const name = basename(path);
  return isLossyName(name) ? rawNames(dirname(path)).filter((raw) => raw.toString() === name) : [name];
}
