import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** How a command ended. */
export interface CommandResult {
  readonly passed: boolean;
  /** What it wrote to either stream, in the order it came. */
  readonly output: string;
  readonly milliseconds: number;
}

/** Where and with what a command runs. */
export interface RunCommandOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs one command of the workspace without input, its own tools first on the PATH, and keeps what it writes. */
export async function runCommand(command: readonly string[], options: RunCommandOptions): Promise<CommandResult> {
  const [program, ...args] = command;
  if (program === undefined) throw new Error('A command needs a program.');
  const started = performance.now();
  const tools = join(options.cwd, 'node_modules', '.bin');
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: '1', ...options.env, PATH: `${tools}${delimiter}${process.env['PATH'] ?? ''}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    // On Windows the tools are .cmd files, which only a shell starts.
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const { promise: code, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  const passed = (await code) === 0;
  return { passed, output, milliseconds: performance.now() - started };
}
