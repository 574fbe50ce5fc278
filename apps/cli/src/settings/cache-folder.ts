import { isAbsolute, join } from 'node:path';

/** Of which machine the cache folder is asked. */
export interface CacheFolderOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/**
 * Where a machine keeps what can be fetched again: `$XDG_CACHE_HOME` or `~/.cache` (XDG Base Directory Specification),
 * `~/Library/Caches` on macOS, `%LOCALAPPDATA%` on Windows; in it, `skillpack`.
 */
export function cacheFolder({ env, home, platform }: CacheFolderOptions): string {
  switch (platform) {
    case 'win32':
      return join(absolute(env['LOCALAPPDATA']) ?? join(home, 'AppData', 'Local'), 'skillpack', 'cache');
    case 'darwin':
      return join(home, 'Library', 'Caches', 'skillpack');
    default:
      return join(absolute(env['XDG_CACHE_HOME']) ?? join(home, '.cache'), 'skillpack');
  }
}

// The specification wants a relative value ignored.
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
