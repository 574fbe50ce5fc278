import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The built command: that of this package, or of the build that SKILLS_TEST_COMMAND names. */
export const command = process.env['SKILLS_TEST_COMMAND'] ?? join(import.meta.dirname, '..', 'dist', 'skills.js');

/** What a run of the built command came to. */
export interface SkillsRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The one document on stdout. Throws when there is not exactly one. */
  json(): JsonAnswer;
}

/** What `--json` prints. */
export interface JsonAnswer {
  readonly ok: boolean;
  // A test reads the data of many commands; that is what it checks.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data?: any;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly hint: string | null;
    readonly data: unknown;
  };
}

/** How the command is run. */
export interface RunOptions {
  /** @default the project folder */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A person on a machine of their own: home, project, cache, and the built command. */
export interface World {
  readonly home: string;
  readonly project: string;
  /** A path inside the temporary folder. */
  path(...parts: string[]): string;
  run(words: readonly string[], options?: RunOptions): Promise<SkillsRun>;
  /** Runs a line of `sh` in the project, in which "$NODE" "$SKILLS" is the command. Not on Windows. */
  runShell(line: string): Promise<SkillsRun>;
  start(words: readonly string[], options?: RunOptions): ChildProcess;
  /** As `runShell`, without waiting for the end. */
  startShell(line: string): ChildProcess;
  remove(): void;
}

/** Makes a world in a temporary folder. */
export function createWorld(): World {
  if (!existsSync(command)) throw new Error(`${command} is not built; run \`pnpm build\`.`);
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'skills-cli-')));
  const home = join(base, 'home');
  const project = join(base, 'home', 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  const environment = (env: RunOptions['env'] = {}) => ({
    PATH: process.env['PATH'] ?? '',
    SystemRoot: process.env['SystemRoot'] ?? '',
    HOME: home,
    USERPROFILE: home,
    LOCALAPPDATA: join(home, 'local'),
    ...env,
  });
  const start = (words: readonly string[], { cwd = project, env }: RunOptions = {}) =>
    spawn(process.execPath, [command, ...words], { cwd, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] });
  const startShell = (line: string) => {
    const env = environment({ NODE: process.execPath, SKILLS: command });
    return spawn('sh', ['-c', line], { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  };
  return {
    home,
    project,
    path: (...parts) => join(base, ...parts),
    start,
    startShell,
    runShell: (line) => finished(startShell(line)),
    run: (words, options) => finished(start(words, options)),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** Waits for a process and collects what it prints. */
export async function finished(child: ChildProcess): Promise<SkillsRun> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { exitCode, stdout, stderr, json: () => JSON.parse(stdout) as JsonAnswer };
}
