import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WatchOptions } from './watch-options.js';
import type { WatchPorts } from './watch-ports.js';
import { watchRoots } from './watch-roots.js';

let base = '';
const open: AsyncDisposable[] = [];
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-watch-')));
});
afterEach(async () => {
  for (const watch of open.splice(0)) await watch[Symbol.asyncDispose]();
  rmSync(base, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

function putSkill(path: string, words: string = 'd'): void {
  put(`${path}/SKILL.md`, `---\nname: ${path.split('/').at(-1)}\ndescription: ${words}\n---\n`);
}

interface Watching {
  /** How often a change was told of so far. */
  readonly count: () => number;
  /** Resolves with the next change. */
  readonly next: () => Promise<void>;
  readonly watch: AsyncDisposable;
}

// In 1970 nothing was written a moment ago, so that only what looks otherwise is a change.
const long = { now: () => performance.now(), time: () => 0 };

async function watching(
  roots: readonly string[],
  options: WatchOptions = {},
  ports: WatchPorts = long,
  whenTold: () => void = () => undefined,
): Promise<Watching> {
  let count = 0;
  let tell: (() => void) | undefined;
  const watch = await watchRoots(
    {
      roots: roots.map((path) => ({ path: join(base, path), scope: 'project' })),
      changed: () => {
        count += 1;
        tell?.();
        whenTold();
      },
    },
    ports,
    { watch: { debounce: 20, pollInterval: 50, checkInterval: 600_000, ...options } },
  );
  open.push(watch);
  return {
    watch,
    count: () => count,
    next: async () => {
      await new Promise<void>((resolve) => {
        tell = resolve;
      });
      tell = undefined;
    },
  };
}

/** Does something, and waits until that was told of. */
async function expectTold({ next, count }: Watching, change: () => void): Promise<void> {
  // What was done before may have been told of in two parts.
  for (let before = -1; before !== count();) {
    before = count();
    await wait(80);
  }
  const noticed = next();
  change();
  await noticed;
}

describe.each([['events'], ['poll']] as const)('%s', (mode) => {
  test('AGIO-17: a new skill, a change of its front matter and its end are told of', async () => {
    putSkill('root/pdf');
    const watch = await watching(['root'], { mode });
    await expectTold(watch, () => putSkill('root/category/new'));
    await expectTold(watch, () => putSkill('root/category/new', 'other words'));
    await expectTold(watch, () => appendFileSync(join(base, 'root/pdf/SKILL.md'), 'body'));
    await expectTold(watch, () => rmSync(join(base, 'root/category'), { recursive: true }));
  });

  test('a listener that throws is told of the next change all the same', async () => {
    putSkill('root/pdf');
    const watch = await watching(['root'], { mode }, long, () => {
      throw new Error('It is the fault of the listener.');
    });
    await expectTold(watch, () => putSkill('root/new'));
    await expectTold(watch, () => putSkill('root/new', 'other words'));
  });

  test('AGIO-17: whatever way an editor writes a file', async () => {
    putSkill('root/pdf');
    const watch = await watching(['root'], { mode });
    await expectTold(watch, () => {
      put('root/pdf/SKILL.md.tmp', 'written aside');
      renameSync(join(base, 'root/pdf/SKILL.md.tmp'), join(base, 'root/pdf/SKILL.md'));
    });
    await expectTold(watch, () => {
      rmSync(join(base, 'root/pdf/SKILL.md'));
      putSkill('root/pdf', 'deleted and made');
    });
    await expectTold(watch, () => renameSync(join(base, 'root/pdf'), join(base, 'root/documents')));
    await expectTold(watch, () => putSkill('root/documents', 'in the renamed folder'));
  });

  test('AGIO-17: a root that is not there yet is noticed when it appears, and when it goes and comes again', async () => {
    const watch = await watching(['project/.agents/skills'], { mode });
    await expectTold(watch, () => putSkill('project/.agents/skills/pdf'));
    await expectTold(watch, () => putSkill('project/.agents/skills/pdf', 'other words'));
    await expectTold(watch, () => rmSync(join(base, 'project/.agents'), { recursive: true }));
    await expectTold(watch, () => putSkill('project/.agents/skills/pdf', 'again'));
    await expectTold(watch, () => putSkill('project/.agents/skills/table'));
  });

  test('AGIO-17: another branch, with the folder of the skills exchanged as a whole', async () => {
    putSkill('root/pdf', 'of the one branch');
    putSkill('other/pdf', 'of the other branch');
    putSkill('other/table');
    const watch = await watching(['root'], { mode });
    await expectTold(watch, () => {
      renameSync(join(base, 'root'), join(base, 'aside'));
      renameSync(join(base, 'other'), join(base, 'root'));
    });
    await expectTold(watch, () => putSkill('root/table', 'in the exchanged folder'));
  });

  test.skipIf(process.platform === 'win32')('AGIO-17: skills behind links, and a root that is one', async () => {
    putSkill('store/pdf');
    mkdirSync(join(base, 'real'));
    symlinkSync('../store/pdf', join(base, 'real/pdf'));
    symlinkSync('real', join(base, 'root'));
    const watch = await watching(['root'], { mode });
    await expectTold(watch, () => putSkill('store/pdf', 'other words'));
    await expectTold(watch, () => {
      putSkill('store/next', 'exchanged');
      rmSync(join(base, 'store/pdf'), { recursive: true });
      renameSync(join(base, 'store/next'), join(base, 'store/pdf'));
    });
    await expectTold(watch, () => putSkill('real/table'));
    putSkill('elsewhere/csv');
    await expectTold(watch, () => {
      rmSync(join(base, 'root'));
      symlinkSync('elsewhere', join(base, 'root'));
    });
    await expectTold(watch, () => putSkill('elsewhere/csv', 'other words'));
  });

  test('AGIO-17: what a receipt says of a skill', async () => {
    putSkill('root/pdf');
    put('root/.skillpack/acme/documents/receipt.json', '{}');
    const watch = await watching(['root'], { mode });
    await expectTold(watch, () => put('root/.skillpack/acme/documents/receipt.json', '{"name": "acme/documents"}'));
    await expectTold(watch, () => put('root/.skillpack/acme/more/receipt.json', '{}'));
  });

  test('AGIO-17: what no list depends on is not told of, and nothing is after the end', async () => {
    putSkill('root/pdf');
    const watch = await watching(['root'], { mode });
    put('root/pdf/references/forms.md', 'text');
    put('root/pdf/notes.txt', 'text');
    put('root/note.txt', 'text');
    put('beside/note.txt', 'text');
    await wait(200);
    expect(watch.count()).toBe(0);
    await expectTold(watch, () => putSkill('root/table'));
    await watch.watch[Symbol.asyncDispose]();
    const count = watch.count();
    putSkill('root/csv');
    await wait(200);
    expect(watch.count()).toBe(count);
  });

  test('AGIO-17: a process that has nothing else to do ends, whether it disposed or not', async () => {
    putSkill('root/pdf');
    const flags = ['--conditions=skillpack-source', '--import', './test/registry/resolve-sources.ts'];
    const workspace = join(import.meta.dirname, '..', '..', '..', '..');
    const program = join(workspace, 'packages/registry-fs/test/watch-and-end.ts');
    const output = await new Promise<string>((resolve, reject) => {
      execFile(
        process.execPath,
        [...flags, program, join(base, 'root'), mode],
        { cwd: workspace, timeout: 20_000 },
        (error, stdout) => {
          if (error === null) resolve(stdout);
          else reject(new Error('It did not end well.', { cause: error }));
        },
      );
    });
    expect(output).toBe('watching\n');
  });
});

test('AGIO-17: many changes in a short time are told of together', async () => {
  putSkill('root/pdf');
  const watch = await watching(['root'], { debounce: 100 });
  await expectTold(watch, () => {
    for (let index = 0; index < 50; index += 1) putSkill(`root/s${index}`);
  });
  await wait(300);
  // What was made in folders that were not watched yet may be told of once more.
  expect(watch.count()).toBeLessThanOrEqual(3);
});

test('AGIO-17: changes that never end are told of all the same', async () => {
  putSkill('root/pdf');
  const watch = await watching(['root'], { debounce: 100 });
  let written = 0;
  const timer = setInterval(() => putSkill('root/pdf', `words ${(written += 1)}`), 20);
  try {
    await watch.next();
  } finally {
    clearInterval(timer);
  }
  expect(written).toBeGreaterThan(5);
});

test('AGIO-17: a file that was written a moment ago may be another one without looking so', async () => {
  putSkill('root/pdf');
  let told = 0;
  const roots = [{ path: join(base, 'root'), scope: 'project' }] as const;
  const checks: (() => void)[] = [];
  // A look is taken when the test says so.
  const after = (_: number, call: () => void): (() => void) => {
    checks.push(call);
    return () => undefined;
  };
  const ports = { now: () => 0, after };
  const changed = (): void => {
    told += 1;
  };
  open.push(await watchRoots({ roots, changed }, ports, { watch: { mode: 'poll' } }));
  checks.pop()?.();
  await expect.poll(() => told).toBe(1);
  const settled = { ...ports, time: () => Date.now() + 60_000 };
  open.push(await watchRoots({ roots, changed }, settled, { watch: { mode: 'poll' } }));
  const before = checks.length;
  checks.pop()?.();
  await expect.poll(() => checks.length).toBe(before);
  expect(told).toBe(1);
});

test('AGIO-17: more folders than may be watched are looked at again and again', async () => {
  for (let index = 0; index < 20; index += 1) putSkill(`root/s${index}`);
  const watch = await watching(['root'], { maxWatches: 10, pollInterval: 20 });
  await expectTold(watch, () => putSkill('root/s7', 'other words'));
});

test('AGIO-17: what escapes the events of the system is found by a look from time to time', async () => {
  putSkill('root/pdf');
  symlinkSync('../later', join(base, 'root/later'));
  const watch = await watching(['root'], { checkInterval: 50 });
  await expectTold(watch, () => putSkill('later'));
});

test.skipIf(!canLimitWatches())('AGIO-17: where the system watches no more, the roots are looked at', async () => {
  for (let index = 0; index < 20; index += 1) putSkill(`root/s${index}`);
  const workspace = join(import.meta.dirname, '..', '..', '..', '..');
  const program = 'packages/registry-fs/test/watch-without-watches.ts';
  const script = 'echo 5 > /proc/sys/user/max_inotify_watches; exec "$@"';
  const flags = ['--conditions=skillpack-source', '--import', './test/registry/resolve-sources.ts', program];
  const output = await new Promise<string>((resolve, reject) => {
    execFile(
      'unshare',
      ['-Ur', 'sh', '-c', script, 'sh', process.execPath, ...flags, join(base, 'root')],
      { cwd: workspace, timeout: 20_000 },
      (error, stdout) => {
        if (error === null) resolve(stdout);
        else reject(new Error('It did not end well.', { cause: error }));
      },
    );
  });
  expect(output).toBe('ENOSPC\nchanged\n');
});

/** A user namespace of its own has limits of its own. */
function canLimitWatches(): boolean {
  try {
    execFileSync('unshare', ['-Ur', 'sh', '-c', 'echo 5 > /proc/sys/user/max_inotify_watches'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
