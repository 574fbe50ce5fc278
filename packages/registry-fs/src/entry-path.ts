import { sep } from 'node:path';

/** The path of an entry of a folder whose own path is absolute and normal. Several times faster than `join`. */
export function entryPath(folder: string, name: string): string {
  // Only the root of a disk ends in a separator.
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}
