import type { PackName } from '@skillpack/core';
import { asIoError } from '../disk/io-error.js';
import { readInstalled } from '../lock/root-state.js';
import type { InstallRoot } from '../root/install-root.js';
import { rootPaths, type RootPaths } from '../root/root-paths.js';
import { RevocationNotes } from './revocation-notes.js';

/** An installed pack whose very content a registry has revoked. */
export interface RevokedPack {
  readonly name: PackName;
  readonly version: string;
  readonly reason: string;
}

/**
 * The installed packs that are known to be revoked, by name: what registries said when they were last asked, by an
 * install that brought something, an update or `outdatedPacks`. Asks nobody.
 *
 * @throws `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`.
 */
export function revokedPacks(root: InstallRoot): readonly RevokedPack[] {
  try {
    return knownRevoked(rootPaths(root));
  } catch (error) {
    throw asIoError(error);
  }
}

/** As {@link revokedPacks}, where the paths are known. */
export function knownRevoked(paths: RootPaths): readonly RevokedPack[] {
  const notes = new RevocationNotes(paths);
  if (notes.empty) return [];
  return [...readInstalled(paths).receipts.values()]
    .flatMap(({ name, version, treeDigest, integrity }) => {
      const reason = notes.reasonAgainst({ name, treeDigest, integrity });
      return reason === undefined ? [] : [{ name, version, reason }];
    })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
