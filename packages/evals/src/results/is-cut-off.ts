import { lineStart } from './format-result.js';

/**
 * Whether a last line without its newline is what a crash left of one of ours. What begins otherwise is somebody else's,
 * and nothing to be left out.
 */
export function isCutOff(line: string): boolean {
  if (!line.startsWith(lineStart) && !lineStart.startsWith(line)) return false;
  try {
    JSON.parse(line);
    return false;
  } catch {
    return true;
  }
}
