import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const origin = join(import.meta.dirname, '..');

/** What a command in the copy said. */
export interface Verdict {
  readonly passed: boolean;
  readonly output: string;
}

/** A throw-away copy of the workspace as git sees it: what is tracked, and what is new and not ignored. */
export class WorkspaceCopy implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'skillpack-canary-'));

  constructor() {
    const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
      cwd: origin,
    });
    for (const path of listed.toString('utf8').split('\0')) {
      if (path === '' || !existsSync(join(origin, path))) continue;
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      cpSync(join(origin, path), join(this.root, path));
    }
    symlinkSync(join(origin, 'node_modules'), join(this.root, 'node_modules'), 'dir');
    // These hold relative links: to siblings, which are then the copies, and to the store behind the link above.
    for (const path of globSync('{packages,apps,tooling}/*/node_modules', { cwd: origin })) {
      cpSync(join(origin, path), join(this.root, path), { recursive: true, verbatimSymlinks: true });
    }
    // The tools read .gitignore only inside a repository.
    execFileSync('git', ['init', '--quiet'], { cwd: this.root });
  }

  /** The text of a file. */
  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  /** Writes a file, its folders too. */
  plant(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  /** Adds to the end of a file that is there. */
  append(path: string, text: string): void {
    appendFileSync(join(this.root, path), text);
  }

  /** Makes a sibling resolvable by name, as a dependency in package.json would. */
  link(from: string, name: string, target: string): void {
    symlinkSync(join(this.root, target), join(this.root, from, 'node_modules', name), 'dir');
  }

  /** Runs a program of the workspace in the copy, or in a folder of it. */
  run(command: readonly string[], folder = '.'): Verdict {
    const [program = '', ...args] = command;
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: join(this.root, folder),
      encoding: 'utf8',
      env: {
        ...process.env,
        NO_COLOR: '1',
        PATH: `${join(this.root, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      },
    });
    return { passed: status === 0, output: `${stdout}${stderr}` };
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
