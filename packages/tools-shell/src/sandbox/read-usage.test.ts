import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freeBytes, readUsage } from './read-usage.js';

const MiB = 1024 * 1024;
const ignored = join(import.meta.dirname, '..', '..', '..', '..', 'temp');

/** Takes 96 MiB, writes 8 MiB to a disk, spins for a while, says so, and has a child that only waits. */
const program = `
const { spawn } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const held = Buffer.alloc(${96 * MiB}, 1);
writeFileSync(process.argv[1], held.subarray(0, ${8 * MiB}));
const end = process.cpuUsage().user + 300_000;
while (process.cpuUsage().user < end);
const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
child.once('spawn', () => console.log(child.pid + ' ' + held.length));
`;

test.skipIf(process.platform !== 'linux')('what a process and its children have taken is read', async () => {
  // Not in /tmp, which may be in memory.
  mkdirSync(ignored, { recursive: true });
  const folder = mkdtempSync(join(ignored, 'usage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const child = spawn(process.execPath, ['-e', program, join(folder, 'file')], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const { pid: leader = 0 } = child;
  const free = freeBytes(folder);
  const [exact, quick] = [0, Infinity].map((memory) => readUsage({ leader, workspace: folder }, { memory, free }));
  for (const usage of [exact, quick]) {
    expect(usage?.memory).toBeGreaterThan(96 * MiB);
    expect(usage?.cpuSeconds).toBeGreaterThan(0.25);
    expect(usage?.writtenBytes).toBeGreaterThanOrEqual(8 * MiB);
  }
  // Two Node.js share their program, which is counted once where it matters.
  expect(exact?.memory).toBeLessThan(quick?.memory ?? 0);
  expect(readUsage({ leader: process.pid, workspace: folder }, { memory: Infinity, free }).memory).toBeGreaterThan(
    quick?.memory ?? Infinity,
  );
});

test.skipIf(process.platform !== 'linux')('of a process that has ended, nothing is read', async () => {
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await once(child, 'exit');
  const usage = readUsage({ leader: child.pid ?? 0, workspace: '/nowhere' }, { memory: 0, free: undefined });
  expect(usage).toMatchObject({ memory: 0, cpuSeconds: 0, writtenBytes: 0, running: 0, filledBytes: 0 });
});
