// Exchanges a folder for a link to another one and back, as fast as it can, until it is ended.
import { renameSync, rmSync, symlinkSync } from 'node:fs';

const [, , path = '', target = ''] = process.argv;
const aside = `${path}.aside`;
process.stdout.write('ready\n');
for (;;) {
  renameSync(path, aside);
  putInPlace(() => symlinkSync(target, path));
  putInPlace(() => renameSync(aside, path));
}

/** Where nothing was for a moment, somebody else may have made a folder, and may be writing to it. */
function putInPlace(put: () => void): void {
  for (;;) {
    try {
      rmSync(path, { recursive: true, force: true });
      put();
      return;
    } catch {
      // Again.
    }
  }
}
