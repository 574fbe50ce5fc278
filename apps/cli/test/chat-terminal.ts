import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { command, type World } from './run-skills.js';

/** Whether there are terminals to test with. */
export const hasTmux = process.platform !== 'win32' && spawnSync('tmux', ['-V']).status === 0;

/** A real terminal, in which a command line runs. */
export interface TestTerminal {
  /** Types a text as it is. */
  type(text: string): void;
  /** Presses keys, by the names that tmux has for them: `Enter`, `Tab`, `C-c`. */
  press(...keys: readonly string[]): void;
  /** Pastes a text, as a terminal does that was told to mark what is pasted. */
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  /** What is on the screen now, without the empty end. */
  screen(): string;
  /** Every byte that was written to the terminal. */
  written(): string;
  /** Waits until the screen matches; throws with the screen when it does not within twenty seconds. */
  seen(pattern: RegExp): Promise<string>;
  close(): void;
}

/** Opens a terminal of its own, 80 by 24, with a shell in the project; `skills` is the built command. */
export function openTestTerminal(world: World, env: Readonly<Record<string, string>> = {}): TestTerminal {
  // In the world, with which it is removed.
  // Each has a server of its own: one that is just ending would take a new session with it.
  const socket = world.path(`tmux-${randomUUID().slice(0, 8)}`);
  const log = world.path('written.log');
  const start = world.path('start.sh');
  const variables = { PATH: process.env['PATH'] ?? '', HOME: world.home, LC_ALL: 'C.UTF-8', TERM: 'screen', ...env };
  writeFileSync(log, '');
  writeFileSync(world.path('bashrc'), `PS1='$ '\nskills() { ${quote(process.execPath)} ${quote(command)} "$@"; }\n`);
  const set = Object.entries(variables).map(([name, value]) => `${name}=${quote(value)}`);
  writeFileSync(start, `exec env -i ${set.join(' ')} bash --noprofile --rcfile ${quote(world.path('bashrc'))} -i\n`);
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...words], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' },
    });
  tmux('new-session', '-d', '-x', '80', '-y', '24', '-c', world.project, `sh ${quote(start)}`);
  tmux('pipe-pane', '-O', `cat >> ${quote(log)}`);
  const screen = (): string => tmux('capture-pane', '-p', '-J').replaceAll(/ +$/gmu, '').trimEnd();
  return {
    type: (text) => void tmux('send-keys', '-l', '--', text),
    press: (...keys) => void tmux('send-keys', ...keys),
    paste: (text) => {
      tmux('set-buffer', '--', text);
      tmux('paste-buffer', '-p', '-r');
    },
    resize: (columns, rows) => void tmux('resize-window', '-x', String(columns), '-y', String(rows)),
    screen,
    written: () => readFileSync(log, 'utf8'),
    seen: async (pattern) => {
      const until = performance.now() + 20_000;
      for (;;) {
        const shown = screen();
        if (pattern.test(shown)) return shown;
        if (performance.now() > until)
          throw new Error(`The screen never showed ${String(pattern)}:\n${JSON.stringify(shown)}`);
        await new Promise((resolve) => {
          setTimeout(resolve, 50);
        });
      }
    },
    // The server of this socket is ours alone.
    close: () => void spawnSync('tmux', ['-S', socket, 'kill-server']),
  };
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
