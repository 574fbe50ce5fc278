import type { Digest } from '../digest/is-digest.js';
import type { RiskClass } from './risk-class.js';

/** How the files of a skill differ from those for which somebody said yes before, by path. Cleaned for a terminal. */
export interface SkillChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** How many others differ that are not named. @default 0 */
  readonly more?: number | undefined;
}

/** What a person, or whoever decides for them, is asked. */
export interface ApprovalRequest {
  /** The run that the action belongs to: a child run has an id of its own. */
  readonly run: string;
  /** Of the action that waits for it; unique in that run. */
  readonly id: string;
  /** Whether a script would be run or a tool called: a tool may have any name, `run_script` too. */
  readonly action: 'run_script' | 'call_tool';
  /** What would be done: `run_script`, or the name of a tool. */
  readonly tool: string;
  readonly risk: RiskClass;
  /** The skill on whose behalf, by name and location. */
  readonly skill: { readonly name: string; readonly location: string } | undefined;
  /**
   * In one line, as it would be done: `scripts/pdf.mjs text report.pdf`. Cleaned for a terminal. Of a long one the
   * beginning and the end, with `[… 1234 characters left out …]` between them: then a yes needs a look at `input`.
   */
  readonly summary: string;
  /** The arguments, as the model gave them: all that would be done. */
  readonly input: unknown;
  /** Of all files of the skill's folder, as they are now; `undefined` where nobody could measure it: then a yes counts once. */
  readonly digest?: Digest | undefined;
  /** What differs, where an earlier yes in this run was for another content of the skill. */
  readonly changes?: SkillChanges | undefined;
  /** What confines it: `bubblewrap`. @default nothing does */
  readonly confinement?: string | undefined;
  /** What a yes covers that is for longer than once. @default 'tool' */
  readonly covers?: ApprovalReach | undefined;
}

/**
 * What a yes covers that is for longer than once, for the same content of the same skill and confined as it is now:
 *
 * - `tool`: every use of the tool, whatever its input; of a script, every script of the skill with any arguments;
 * - `input`: this input alone, of a tool that runs code, as `run_command`: a yes to `ls` is none to `rm`.
 */
export type ApprovalReach = 'tool' | 'input';

/**
 * How long a yes lasts: for this action, for this run, or for all runs of the session. A run knows of no other: it takes
 * the last two for the same, and an approver that is asked in a later run of the session has to remember what it said.
 * What it covers meanwhile, {@link ApprovalRequest.covers} says.
 */
export type ApprovalScope = 'once' | 'run' | 'session';

/** The answer. */
export type ApprovalDecision =
  | { readonly kind: 'approved'; readonly scope: ApprovalScope; readonly by: string }
  | { readonly kind: 'denied'; readonly reason: string; readonly by: string }
  /**
   * Nobody can be asked: the request ends with `APPROVAL_REQUIRED`. `code` is there where nobody waits for the answer any
   * more, since the request was cancelled at the question, or its time was up: then it ends with that. `failed` says that
   * whoever was asked is at fault, as an approver that threw, or gave an answer that is none; `reason` says what it was.
   */
  | {
      readonly kind: 'unavailable';
      readonly reason: string;
      readonly code?: 'INTERRUPTED' | 'TIMEOUT' | undefined;
      /** @default false */
      readonly failed?: boolean | undefined;
    };

/** Says whether something that is not read-only may be done. */
export interface Approver {
  decide(request: ApprovalRequest, options: { readonly signal?: AbortSignal | undefined }): Promise<ApprovalDecision>;
}
