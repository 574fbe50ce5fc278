import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';

type AnyFunction = (...args: unknown[]) => unknown;

const mutating = [
  'copyFileSync',
  'fsync',
  'fsyncSync',
  'ftruncateSync',
  'linkSync',
  'mkdirSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'symlinkSync',
  'unlinkSync',
  'utimesSync',
  'writeFileSync',
  'writeSync',
] as const;

// What a full disk still does.
const removing = /^(?:rm|rmdir|unlink|ftruncate)Sync$/u;

/**
 * What happens at a process's `at`-th call that changes the disk: it ends itself before or after the call, or the disk
 * is full from then on.
 */
export interface DeathPlan {
  readonly at: number;
  readonly when: 'before' | 'after' | 'full';
}

/** Has this process die by SIGKILL, or run out of disk, at a call that changes the disk. Returns the calls so far. */
export function dieAt({ at, when }: DeathPlan): () => readonly string[] {
  const calls: string[] = [];
  const mortal =
    (name: string, original: AnyFunction, counts: (args: readonly unknown[]) => boolean): AnyFunction =>
    (...args) => {
      if (!counts(args)) return original(...args);
      calls.push(name);
      if (when === 'full') {
        if (at === 0 || calls.length < at || removing.test(name)) return original(...args);
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: name });
      }
      const last = calls.length === at;
      if (last && when === 'before') process.kill(process.pid, 'SIGKILL');
      try {
        return original(...args);
      } finally {
        if (last) process.kill(process.pid, 'SIGKILL');
      }
    };
  const module = fs as unknown as Record<string, AnyFunction>;
  for (const name of mutating) module[name] = mortal(name, module[name]!, () => true);
  module['openSync'] = mortal('openSync', module['openSync']!, ([, flags]) =>
    typeof flags === 'number' ? (flags & fs.constants.O_CREAT) !== 0 : flags !== 'r',
  );
  syncBuiltinESMExports();
  const native = createRequire(import.meta.url)('fs-native-extensions') as Record<string, AnyFunction>;
  native['swapSync'] = mortal('swapSync', native['swapSync']!, () => true);
  return () => calls;
}
