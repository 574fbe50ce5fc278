import type { RevokedPack } from '@skillpack/cli-dist';
import type { Reporter } from '../frame/reporter.js';

/** Tells of installed packs that were revoked. */
export function warnOfRevoked(packs: readonly RevokedPack[], reporter: Reporter): void {
  for (const { name, version, reason } of packs) {
    reporter.warn(`${name}@${version} was revoked (${reason}); uninstall or update it.`);
  }
}
