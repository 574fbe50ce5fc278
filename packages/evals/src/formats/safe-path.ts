import { pathProblem } from '../case/path-problem.js';

/** A path below a folder, with `/`, without steps that lead nowhere; `undefined` for one that leads out of it, or is none on every disk. */
export function safePath(path: string): string | undefined {
  if (path.length > 1_000 || path.startsWith('/')) return undefined;
  const plain = path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
  return plain === '' || pathProblem(plain) !== undefined ? undefined : plain;
}
