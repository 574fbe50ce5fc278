import { join } from 'node:path';

/** A path in which a leading `~` is the person's home folder. */
export function expandHome(path: string, home: string): string {
  return path === '~' || /^~[\\/]/u.test(path) ? join(home, path.slice(1)) : path;
}
