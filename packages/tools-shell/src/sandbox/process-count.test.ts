import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { limitProcessCount } from './process-count.js';

const count = limitProcessCount(8);
await count?.[Symbol.asyncDispose]();

// Only root may, and only where the groups can be written to.
test.skipIf(count === undefined)(
  'a group of processes holds no more than it may, and goes when they have ended',
  async () => {
    const group = limitProcessCount(8);
    onTestFinished(async () => group?.[Symbol.asyncDispose]());
    const line = 'echo 0 > "$1"; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.2 & done; wait; echo all';
    const { stdout, stderr } = spawnSync('sh', ['-c', line, 'sh', group?.joinedBy ?? ''], { encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(stderr).toMatch(/fork/u);
    const folder = dirname(group?.joinedBy ?? '');
    expect(existsSync(folder)).toBe(true);
    await group?.[Symbol.asyncDispose]();
    expect(existsSync(folder)).toBe(false);
  },
);

test.skipIf(count === undefined)(
  'groups of processes that are gone are removed, and those of others stay',
  async () => {
    const gone = spawnSync('true').pid;
    const around = dirname(dirname(count?.joinedBy ?? ''));
    const [left, ours] = [join(around, `skillpack-${gone}-left`), join(around, `skillpack-${process.pid}-ours`)];
    mkdirSync(left);
    mkdirSync(ours);
    const group = limitProcessCount(8);
    await group?.[Symbol.asyncDispose]();
    expect([existsSync(left), existsSync(ours)]).toEqual([false, true]);
    rmdirSync(ours);
  },
);
