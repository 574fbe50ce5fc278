import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether a change of a folder of skills was decided and is not carried out whole: by a process that is at it, or one
 * that died. Only looks for its journal: what reads one is not loaded to list skills.
 */
export function isUnsettled(root: string): boolean {
  return existsSync(join(root, '.skillpack', '.transaction.json'));
}
