import { invalidCase } from './case-place.js';

// What a folder can hold on every file system is shorter.
const longestFile = 255;

/**
 * A name for a suite that does not say its own: of `pdf/evals/triggers.yaml`, `triggers`.
 *
 * @throws `INVALID_CASE` where nothing in the name of the file can be one.
 */
export function suiteNameOf(fileName: string): string {
  const start = Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1;
  const dot = fileName.lastIndexOf('.');
  // A name that begins with its only dot has no ending.
  const file = fileName.slice(start, dot > start ? dot : undefined).slice(0, longestFile);
  const name = file
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/gu, '-')
    .replaceAll(/^[._-]+|[._-]+$/gu, '')
    .slice(0, 100);
  if (name !== '') return name;
  throw invalidCase(fileName, [{ path: 'name', message: 'expected a name, as none can be made of that of the file' }]);
}
