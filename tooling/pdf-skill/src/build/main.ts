import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildScript } from './build-script.ts';

const skill = join(import.meta.dirname, '../../../../skills-builtin/pdf');

const files: Readonly<Record<string, Uint8Array>> = { ...(await buildScript()) };
for (const [path, bytes] of Object.entries(files)) {
  mkdirSync(dirname(join(skill, path)), { recursive: true });
  writeFileSync(join(skill, path), bytes);
}
