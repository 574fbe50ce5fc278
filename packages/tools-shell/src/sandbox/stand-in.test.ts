import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { linux, temporaryFolder } from '../../test/script-ground.js';
import { standIn } from './stand-in.js';

const sources = join(import.meta.dirname, '../../../../test/registry/resolve-sources.ts');
const words = (program: string, ...args: readonly string[]): string[] => [
  '--conditions=skillpack-source',
  '--import',
  sources,
  '--input-type=module',
  '-e',
  program,
  join(import.meta.dirname, 'stand-in.ts'),
  ...args,
];
const load = 'const { standIn } = await import(process.argv[1]);';

/** Another process that needs the folder until it is ended. */
async function startOther(path: string): Promise<ChildProcess> {
  const program = `${load} standIn(process.argv[2]); console.log('stands'); process.stdin.resume(); process.stdin.on('end', () => process.exit());`;
  const child = spawn(process.execPath, words(program, path), { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('a folder stays as long as another process needs it, and goes with the last one', async () => {
  const path = join(temporaryFolder(), '.git');
  const own = standIn(path);
  const other = await startOther(path);
  own?.[Symbol.dispose]();
  expect(readdirSync(path)).toHaveLength(1);
  other.stdin?.end();
  await once(other, 'exit');
  expect(readdirSync(join(path, '..'))).toEqual([]);
});

test.skipIf(!linux)('what a process that was killed has left goes with the next one’s', async () => {
  const path = join(temporaryFolder(), '.git');
  const other = await startOther(path);
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(readdirSync(path)).toHaveLength(1);
  standIn(path)?.[Symbol.dispose]();
  expect(readdirSync(join(path, '..'))).toEqual([]);
});

test('an entry of a process that cannot be seen from here stays', () => {
  const path = join(temporaryFolder(), '.git');
  const entry = 'skillpack-1-999999999-00000000-0000-4000-8000-000000000000';
  mkdirSync(join(path, entry), { recursive: true });
  standIn(path)?.[Symbol.dispose]();
  expect(readdirSync(path)).toEqual([entry]);
});

test('an empty folder that was there is held, and stays; what has anything in it, or is none, needs nothing', () => {
  const folder = temporaryFolder();
  const path = join(folder, '.git');
  mkdirSync(path);
  const place = standIn(path);
  expect(readdirSync(path)).toHaveLength(1);
  place?.[Symbol.dispose]();
  expect(readdirSync(path)).toEqual([]);
  writeFileSync(join(path, 'HEAD'), '');
  expect(standIn(path)).toBeUndefined();
  expect(standIn(join(path, 'HEAD'))).toBeUndefined();
  expect(readdirSync(path)).toEqual(['HEAD']);
});

// Only root becomes somebody else, and nothing keeps root from writing.
test.skipIf(process.getuid?.() !== 0 || !linux)(
  'where only its owner can give themselves the right, it is refused',
  () => {
    const outcome = (owner: number, mode: number): string => {
      const folder = temporaryFolder();
      chownSync(folder, owner, owner);
      chmodSync(folder, mode);
      const program = `${load} let code = 'made'; try { code = standIn(process.argv[2]) === undefined ? 'none' : code } catch (error) { code = error.code } console.log(code);`;
      const options = { cwd: '/', encoding: 'utf8', env: {}, uid: 4_123_456, gid: 4_123_456 } as const;
      const { stdout, stderr } = spawnSync(process.execPath, words(program, join(folder, '.git')), options);
      // Where the sources lie in a home, nobody else reads them.
      return stderr.includes('EACCES') || stderr.includes('EPERM') ? 'unread' : stdout.trim();
    };
    const [own, others, writable] = [outcome(4_123_456, 0o555), outcome(0, 0o755), outcome(4_123_456, 0o755)];
    expect(['TOOL_NOT_ALLOWED none made', 'unread unread unread']).toContain(`${own} ${others} ${writable}`);
  },
);
