import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ScannedRoot } from '@skillpack/registry-fs';
import type { Reporter } from '../frame/reporter.js';
import { warnOfRevoked } from '../render/warn-of-revoked.js';

/**
 * Tells of folders of skills that somebody named and that are not there, of those in which a change is not carried out whole (by a process that is at it, or one that died),
 * and of packs in them that were revoked. Looks for two files; what reads them is not loaded to list skills.
 */
export async function warnOfRoots(roots: readonly ScannedRoot[], reporter: Reporter): Promise<void> {
  for (const { path, state, named } of roots) {
    if (state === 'missing' && named === true) reporter.warn(`${path}: There is no such folder of skills.`);
    const has = (file: string): boolean => existsSync(join(path, '.skillpack', file));
    if (has('.transaction.json')) {
      reporter.warn(`${path}: A change is being carried out, or was interrupted; \`skills doctor\` tells.`);
    }
    if (!has('.revoked.json')) continue;
    const { folderRoot, revokedPacks } = await import('../adapters/revoked-packs.js');
    warnOfRevoked(revokedPacks(folderRoot(path)), reporter);
  }
}
