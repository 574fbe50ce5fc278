import { spawn, type ChildProcess } from 'node:child_process';
import { command, finished, type SkillsRun, type World } from './run-skills.js';

/** A chat that goes on, through pipes. */
export interface ChatProcess {
  readonly child: ChildProcess;
  /** Sends a line. */
  say(line: string): void;
  /** Everything that was printed so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** Waits until something was printed that matches, on either stream. */
  seen(pattern: RegExp): Promise<void>;
  /** Ends the input, and waits for the end. */
  end(): Promise<SkillsRun>;
  /** Settles when it ends by itself. */
  readonly ended: Promise<SkillsRun>;
}

/** Starts `skills chat` with pipes, as a program that talks with it would. */
export function startChatProcess(
  world: World,
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): ChatProcess {
  const child = spawn(process.execPath, [command, 'chat', ...words], {
    cwd: world.project,
    env: { PATH: process.env['PATH'] ?? '', HOME: world.home, USERPROFILE: world.home, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = finished(child);
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (text: string) => {
      printed[name] += text;
    });
  }
  child.stdin.on('error', () => undefined);
  return {
    child,
    say: (line) => void child.stdin.write(`${line}\n`),
    get stdout() {
      return printed.stdout;
    },
    get stderr() {
      return printed.stderr;
    },
    seen: async (pattern) => {
      while (!pattern.test(printed.stdout) && !pattern.test(printed.stderr)) {
        if (child.exitCode !== null) throw new Error(`It ended without ${String(pattern)}: ${printed.stderr}`);
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
      }
    },
    end: async () => {
      child.stdin.end();
      return ended;
    },
    ended,
  };
}

/** Sends all lines at once, and waits for the end. */
export async function chatWith(
  world: World,
  lines: readonly string[],
  words: readonly string[] = [],
): Promise<SkillsRun> {
  const chat = startChatProcess(world, words);
  for (const line of lines) chat.say(line);
  return chat.end();
}
