import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { command, type World } from './run-skills.js';

/** Whether terminals can be driven here. */
export const hasTmux: boolean = process.platform !== 'win32' && spawnSync('tmux', ['-V']).status === 0;

/** How a terminal is opened. */
export interface TerminalOptions {
  /** @default 100 */
  readonly columns?: number;
  /** @default 40 */
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A real terminal in which the command runs, and whoever sits at it. */
export interface TmuxTerminal extends Disposable {
  /** Types characters, as they are. */
  type(text: string): void;
  /** Presses keys by their names: `Enter`, `Tab`, `C-c`, `BSpace`. */
  press(...keys: readonly string[]): void;
  /** What is to be seen, with what has scrolled away. */
  screen(): string;
  /** All bytes that were written to it. */
  raw(): string;
  resize(columns: number, rows: number): void;
  /** Waits until something is to be seen; fails with the screen when it does not come. */
  see(text: string | RegExp): Promise<void>;
  /** Waits until the command has ended. @returns its exit code. */
  ended(): Promise<number>;
}

const patience = { timeout: 20_000, interval: 50 };

/** Starts a command line in a terminal of its own, in the project. */
export function openTmux(world: World, words: readonly string[], options: TerminalOptions = {}): TmuxTerminal {
  const id = `skills-test-${randomUUID()}`;
  const script = world.path(`${id}.sh`);
  const bytes = world.path(`${id}.out`);
  const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const env = { PATH: process.env['PATH'] ?? '', HOME: world.home, LANG: 'C.UTF-8', ...options.env };
  const variables = Object.entries(env).map(([name, value]) => quote(`${name}=${value}`));
  const line = [process.execPath, command, ...words].map(quote).join(' ');
  // The shell has to outlive Ctrl-C, so that the exit code can be seen.
  writeFileSync(
    script,
    `trap : INT\ncd ${quote(world.project)}\nenv -i "TERM=$TERM" ${variables.join(' ')} ${line}\necho "exit code $?."\nexec cat > /dev/null\n`,
  );
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-L', id, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { ...process.env, LANG: 'C.UTF-8', CI: '' },
    });
  const size = ['-x', String(options.columns ?? 100), '-y', String(options.rows ?? 40)];
  // What is written is kept from the first byte on: the command begins when the pipe is there.
  const start = world.path(`${id}.go`);
  tmux(
    '-u',
    'new-session',
    '-d',
    ...size,
    `while [ ! -e ${quote(start)} ]; do sleep 0.02; done; exec sh ${quote(script)}`,
  );
  tmux('pipe-pane', `cat > ${quote(bytes)}`);
  writeFileSync(start, '');
  const screen = (): string => tmux('capture-pane', '-p', '-J', '-S', '-1000');
  const see = async (text: string | RegExp): Promise<void> => {
    const seen = (): boolean => (typeof text === 'string' ? screen().includes(text) : text.test(screen()));
    await expect.poll(() => (seen() ? '' : screen()), { ...patience, message: `waits for ${String(text)}` }).toBe('');
  };
  return {
    type: (text) => void tmux('send-keys', '-l', '--', text),
    press: (...keys) => void tmux('send-keys', ...keys),
    screen,
    raw: () => (existsSync(bytes) ? readFileSync(bytes, 'utf8') : ''),
    resize: (columns, rows) => void tmux('resize-window', '-x', String(columns), '-y', String(rows)),
    see,
    ended: async () => {
      await see(/exit code \d+\./u);
      return Number(/exit code (\d+)\./u.exec(screen())?.[1]);
    },
    [Symbol.dispose]: () => void spawnSync('tmux', ['-L', id, 'kill-server']),
  };
}
