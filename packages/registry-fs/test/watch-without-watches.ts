// Where the system watches five folders at most: shows that it does, then waits for one change of the root that is named.
import { watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchRoots } from '../src/watch/watch-roots.js';

const [, , path = ''] = process.argv;
try {
  for (let index = 0; index < 10; index += 1) watch(join(path, `s${index}`), { persistent: false });
} catch (error) {
  if (error instanceof Error && 'code' in error) process.stdout.write(`${String(error.code)}\n`);
}
const alive = setInterval(() => undefined, 1000);
const watching = await watchRoots(
  {
    roots: [{ path, scope: 'project' }],
    changed: () => {
      process.stdout.write('changed\n');
      clearInterval(alive);
      void watching[Symbol.asyncDispose]();
    },
  },
  performance,
  { watch: { pollInterval: 20 } },
);
writeFileSync(join(path, 's7', 'SKILL.md'), '---\nname: s7\ndescription: Other words.\n---\n');
