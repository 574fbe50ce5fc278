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

/** When a process ends itself: at its `at`-th call that changes the disk, before or after the call. */
export interface DeathPlan {
  readonly at: number;
  readonly when: 'before' | 'after';
}

/** Has this process die, as by a power cut, at a call that changes the disk. Returns how many there were so far. */
export function dieAt({ at, when }: DeathPlan): () => number {
  let calls = 0;
  const mortal =
    (original: AnyFunction, counts: (args: readonly unknown[]) => boolean): AnyFunction =>
    (...args) => {
      if (!counts(args)) return original(...args);
      calls += 1;
      const last = calls === at;
      if (last && when === 'before') process.kill(process.pid, 'SIGKILL');
      try {
        return original(...args);
      } finally {
        if (last) process.kill(process.pid, 'SIGKILL');
      }
    };
  const module = fs as unknown as Record<string, AnyFunction>;
  for (const name of mutating) module[name] = mortal(module[name]!, () => true);
  module['openSync'] = mortal(module['openSync']!, ([, flags]) =>
    typeof flags === 'number' ? (flags & fs.constants.O_CREAT) !== 0 : flags !== 'r',
  );
  syncBuiltinESMExports();
  const native = createRequire(import.meta.url)('fs-native-extensions') as Record<string, AnyFunction>;
  native['swapSync'] = mortal(native['swapSync']!, () => true);
  return () => calls;
}
