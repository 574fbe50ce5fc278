// Exchanges something for a link to something else and back, as fast as it can, until it is ended.
import { renameSync, rmSync, symlinkSync } from 'node:fs';

const [, , path = '', target = ''] = process.argv;
const aside = `${path}.aside`;
process.stdout.write('ready\n');
for (;;) {
  renameSync(path, aside);
  symlinkSync(target, path);
  rmSync(path);
  renameSync(aside, path);
}
