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
  /**
   * Runs it to its end. A failing script is an outcome.
   *
   * @throws `FILE_NOT_FOUND`, `PATH_TRAVERSAL_BLOCKED`, `INTERRUPTED`; `TOOL_NOT_ALLOWED` where nothing can run it.
   */
  run(request: ScriptRequest, options: { readonly signal: AbortSignal }): Promise<ScriptOutcome>;
}
