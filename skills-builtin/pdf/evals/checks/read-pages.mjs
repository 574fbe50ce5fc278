// What the script of the skill says of each page of a file.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../scripts/pdf.mjs', import.meta.url));

export async function readPages(command, file) {
  return JSON.parse(execFileSync(process.execPath, [script, command, file, '--json'], { encoding: 'utf8' })).pages;
}
