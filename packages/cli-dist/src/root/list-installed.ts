import { recoverIfFree } from '../apply/recover-root.js';
import { asIoError } from '../disk/io-error.js';
import { readInstalled } from '../lock/root-state.js';
import type { InstallRoot } from './install-root.js';
import type { InstalledPack } from './installed-pack.js';
import { rootPaths } from './root-paths.js';

/** How a root is listed. */
export interface ListInstalledOptions {
  /** Told when what an interrupted change had left was dealt with first. */
  readonly onRecovered?: ((outcome: 'finished' | 'discarded') => void) | undefined;
}

/**
 * The packs of a root, by name, as their receipts state them. A broken receipt is not in the list: `verifyRoot` and
 * `diagnoseRoot` tell of it.
 *
 * @throws `IO_ERROR`, `PATH_TRAVERSAL_BLOCKED`.
 */
export async function listInstalled(
  root: InstallRoot,
  options: ListInstalledOptions = {},
): Promise<readonly InstalledPack[]> {
  try {
    const paths = rootPaths(root);
    const recovery = await recoverIfFree(paths);
    if (recovery !== undefined) options.onRecovered?.(recovery.outcome);
    return [...readInstalled(paths).receipts.values()]
      .map((receipt) => ({ name: receipt.name, version: receipt.version, skills: receipt.skills, receipt }))
      .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  } catch (error) {
    throw asIoError(error);
  }
}
