import type { EvalFile } from '../case/eval-case.js';
import type { EvalWorkspace } from './eval-ports.js';

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

/**
 * Makes workspaces on the disk: what a `TrialGround` gives its trials.
 *
 * @throws `USAGE` for options that there are not.
 */
export function temporaryWorkspaces(options: TemporaryWorkspacesOptions = {}): TemporaryWorkspaces {
  void options;
  throw new Error('not yet');
}
