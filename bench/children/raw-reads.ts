// What the file system alone takes: lists a folder and reads the first 4 KiB of each SKILL.md in it.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

const [folder = ''] = process.argv.slice(2);
const buffer = Buffer.allocUnsafe(4_096);
let found = 0;
for (const name of readdirSync(folder)) {
  const file = openSync(join(folder, name, 'SKILL.md'), 'r');
  if (readSync(file, buffer) > 0) found += 1;
  closeSync(file);
}
process.stdout.write(`${found}\n`);
