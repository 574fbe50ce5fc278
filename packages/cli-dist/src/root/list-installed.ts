import { recoverIfFree } from '../apply/recover-root.js';
import { asIoError } from '../disk/io-error.js';
import { readInstalled } from '../lock/root-state.js';
import type { InstallRoot } from './install-root.js';
import type { InstalledPack } from './installed-pack.js';
import { rootPaths } from './root-paths.js';

/**
 * The packs of a root, by name, as their receipts state them. A broken receipt is not in the list: `verifyRoot` and
 * `diagnoseRoot` tell of it.
 *
 * @throws `IO_ERROR`, `PATH_TRAVERSAL_BLOCKED`.
 */
export async function listInstalled(root: InstallRoot): Promise<readonly InstalledPack[]> {
  try {
    const paths = rootPaths(root);
    await recoverIfFree(paths);
    return [...readInstalled(paths).receipts.values()]
      .map((receipt) => ({ name: receipt.name, version: receipt.version, skills: receipt.skills, receipt }))
      .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  } catch (error) {
    throw asIoError(error);
  }
}
