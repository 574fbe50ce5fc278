import type { Digest } from '../digest/is-digest.js';
import type { SkillEntry } from '../registry/skill-entry.js';

/** A script of a skill, to be run. */
export interface ScriptRequest {
  readonly skill: SkillEntry;
  /** Relative to the skill, with `/`. */
  readonly path: string;
  /** Given to it one by one; no shell reads them. */
  readonly args: readonly string[];
  /** Milliseconds. */
  readonly timeout: number;
  /**
   * Of all files of the skill's folder, as they were when it was said that the script may run (`treeDigestOf`). A runner
   * that reads the folder itself compares, and refuses another content with `INTEGRITY_MISMATCH`.
   *
   * @default nobody measured it
   */
  readonly digest?: Digest | undefined;
}

/** What keeps a script from harm. */
export interface Confinement {
  /** In a word: `bubblewrap`, `sandbox-runtime`. */
  readonly name: string;
  /** What a script can do nonetheless that it should not, in words for a person: `it reaches the network`. Empty: nothing that is known. */
  readonly leaves: readonly string[];
}

/** One stream of a program. */
export interface ScriptStream {
  /** What was kept of it; the beginning and the end where there was too much. */
  readonly bytes: Uint8Array;
  /** Bytes that the program wrote. */
  readonly size: number;
  /** Where in `bytes` something was left out. @default undefined, all of it is there */
  readonly cut?: number | undefined;
}

/** How a script ended. */
export interface ScriptOutcome {
  /** Which runner it was, and how it confined the script: `process`, `bubblewrap`. */
  readonly runner: string;
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** `undefined` when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly timedOut: boolean;
  readonly stdout: ScriptStream;
  readonly stderr: ScriptStream;
}

/** Runs scripts of skills. */
export interface ScriptRunner {
  /**
   * Milliseconds in which a script has ended once the signal is aborted. A run that is cancelled, or whose time is up,
   * waits so long. @default 3000, which is the least
   */
  readonly timeToStop?: number | undefined;
  /** What keeps scripts from harm here. @default nothing does */
  readonly confinement?: Confinement | undefined;
  /** What scripts can do here that a sandbox would keep from them, in words for a person. @default what `confinement` leaves */
  readonly leaves?: readonly string[] | undefined;
  /**
   * Looks before anybody is asked, as far as that can be told at once, whether a script could be run at all. It throws
   * `TOOL_NOT_ALLOWED` where nothing here can run scripts of this skill, and `INVALID_INPUT` for its arguments.
   *
   * @default whoever is asked learns afterwards that it cannot be run
   */
  readonly check?: ((request: Pick<ScriptRequest, 'skill' | 'path' | 'args'>) => void) | undefined;
  /**
   * Runs it to its end. A failing script is an outcome.
   *
   * @throws `FILE_NOT_FOUND`, `PATH_TRAVERSAL_BLOCKED`, `INTERRUPTED`; `TOOL_NOT_ALLOWED` where nothing can run it;
   * `INTEGRITY_MISMATCH` where the skill is not what was approved.
   */
  run(request: ScriptRequest, options: { readonly signal: AbortSignal }): Promise<ScriptOutcome>;
}
