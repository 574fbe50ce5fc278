import type { ScanOptions } from './scan-options.js';
import type { WalkLimits } from './walk-root.js';

/** How far a scan goes. */
export function walkLimits({ maxDepth = 6, maxFolders = 2000, within }: ScanOptions): WalkLimits {
  return { depth: maxDepth, folders: maxFolders, within };
}
