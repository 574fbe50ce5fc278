// Watches the root that is named, says so, and has nothing else to do: the process ends although nothing was disposed.
import { watchRoots } from '../src/watch/watch-roots.js';

const [, , path = '', mode] = process.argv;
const watch = { mode: mode === 'poll' ? ('poll' as const) : ('events' as const) };
await watchRoots({ roots: [{ path, scope: 'project' }], changed: () => undefined }, performance, { watch });
process.stdout.write('watching\n');
