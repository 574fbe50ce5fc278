import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { checkAborted, expectOptions, judgePath, pathProblems, quoted, SkillsError } from '@skillpack/core';
import type { EvalFile } from '../case/eval-case.js';
import type { EvalWorkspace } from './eval-ports.js';
import { listFolder } from './folder/list-folder.js';
import { readConfined } from './folder/read-confined.js';
import { removeFolder } from './folder/remove-folder.js';

/** Where workspaces are made. */
export interface TemporaryWorkspacesOptions {
  /** The folder that they are made in; it has to be there. @default that of the system for temporary files */
  readonly folder?: string | undefined;
  /** Whether they are left when they are disposed of, for somebody to look into. @default false */
  readonly keep?: boolean | undefined;
}

/** Makes workspaces. */
export interface TemporaryWorkspaces {
  /**
   * A new folder for its owner alone, with these files. Disposing of it removes it, whatever became of it.
   *
   * @throws `INVALID_CASE` for a path that leads out of it or is there twice; `IO_ERROR`.
   */
  open(
    files: readonly EvalFile[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<TemporaryWorkspace>;
}

/** A workspace that goes when it is disposed of. */
export interface TemporaryWorkspace extends EvalWorkspace, AsyncDisposable {}

const optionNames: Readonly<Record<keyof TemporaryWorkspacesOptions, true>> = { folder: true, keep: true };

/**
 * Makes workspaces on the disk: what a `TrialGround` gives its trials.
 *
 * @throws `USAGE` for options that there are not.
 */
export function temporaryWorkspaces(options: TemporaryWorkspacesOptions = {}): TemporaryWorkspaces {
  expectOptions(options, { of: 'temporaryWorkspaces', names: optionNames });
  const { folder = tmpdir(), keep = false } = options;
  return {
    open: async (files, { signal } = {}) => {
      checkFiles(files);
      const root = await makeFolder(folder);
      try {
        for (const file of files) {
          checkAborted(signal, 'Making a workspace');
          await put(root, file);
        }
      } catch (error) {
        await removeFolder(root);
        throw error;
      }
      return {
        path: root,
        files: async () => listFolder(root),
        read: async (path, { maxBytes }) => readConfined({ root, path }, maxBytes),
        [Symbol.asyncDispose]: async () => {
          if (!keep) await removeFolder(root);
        },
      };
    },
  };
}

/** Each for itself, and all together: where case does not count, two of them may be one. */
function checkFiles(files: readonly EvalFile[]): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    const folded = path.normalize('NFC').toLowerCase();
    const odd = judgePath(path);
    const problem = odd === undefined ? (seen.has(folded) ? 'it is there twice' : undefined) : pathProblems[odd];
    seen.add(folded);
    if (problem === undefined) continue;
    throw new SkillsError('INVALID_CASE', `A workspace cannot have the file ${quoted(path)}: ${problem}.`, {
      data: { path },
    });
  }
}

async function makeFolder(folder: string): Promise<string> {
  try {
    // What tools tell of paths are real ones.
    return await realpath(await mkdtemp(join(folder, 'skills-eval-')));
  } catch (cause) {
    throw unwritable(folder, cause);
  }
}

async function put(root: string, { path, bytes }: EvalFile): Promise<void> {
  const place = join(root, ...path.split('/'));
  try {
    if (!place.startsWith(root + sep)) throw new Error('It leads out of the workspace');
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await writeFile(place, bytes, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    throw unwritable(place, cause);
  }
}

function unwritable(path: string, cause: unknown): SkillsError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new SkillsError('IO_ERROR', `A workspace cannot be made: ${why}.`, { cause, data: { path } });
}
