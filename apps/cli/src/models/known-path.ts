import { isAbsolute, relative } from 'node:path';

/** What a record calls a file that a model is made of: one of the project is named from there, wherever the project lies. */
export function knownPath(path: string, projectDir: string): string {
  const below = relative(projectDir, path);
  return below.startsWith('..') || isAbsolute(below) ? path : below;
}
