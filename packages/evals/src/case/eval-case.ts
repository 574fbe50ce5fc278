import type { JsonValue } from '@skillpack/core';
import type { Expectations } from './expectations.js';

/** Cases that belong together: those of a skill, or of a project. */
export interface EvalSuite {
  /** Unique among the suites of a run; `isCaseId` holds of it. */
  readonly name: string;
  /** Names of the skills that it is about: the arm `without_skill` offers everything but them. */
  readonly skills: readonly string[];
  readonly cases: readonly EvalCase[];
}

/**
 * One thing that is asked of an agent, and what is expected of it.
 *
 * - `trigger`: it ends with the first choice of skills. No text of a skill is ever shown to the model.
 * - `task`: it is worked on to its end.
 */
export interface EvalCase {
  /** Unique in its suite, in upper or lower case; `isCaseId` holds of it. */
  readonly id: string;
  readonly kind: 'trigger' | 'task';
  /** What it is about, for a person. */
  readonly title?: string | undefined;
  /** What reports group and filter by, such as `near-miss`. */
  readonly tags: readonly string[];
  /** What the person says, one line after another; at least one. A case of the kind `trigger` has exactly one. */
  readonly conversation: readonly EvalTurn[];
  /** What lies in the workspace at the start. Each trial has a workspace of its own. */
  readonly files: readonly EvalFile[];
  readonly offer: SkillOffer;
  readonly expected: Expectations;
  /** `constraints` in a file of cases. */
  readonly limits: CaseLimits;
  /** How often each arm is run. @default what the run says */
  readonly trials?: number | undefined;
  /** What a scripted model goes by in this case, as `parseScript` of the model adapters reads it. @default nothing */
  readonly script?: JsonValue | undefined;
}

/** One line of a person. */
export interface EvalTurn {
  readonly input: string;
}

/** A file of a workspace. */
export interface EvalFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Which skills a case offers. Skills that are installed on the machine are never among them. */
export interface SkillOffer {
  /** Names. @default every skill of the catalogue */
  readonly skills?: readonly string[] | undefined;
  /** Skills that are offered besides, so that there is something to choose from. @default [] */
  readonly distractors: readonly string[];
  /** Skills whose texts are there from the beginning, as if a person had named them. @default [] */
  readonly preload: readonly string[];
}

/** What a trial may take, and what it must not use. Going beyond one ends the trial, and is a failed check. */
export interface CaseLimits {
  readonly maxTurns?: number | undefined;
  readonly maxToolCalls?: number | undefined;
  readonly maxScripts?: number | undefined;
  /** Tokens in and out of the model. */
  readonly maxTokens?: number | undefined;
  /** US dollars. */
  readonly maxCost?: number | undefined;
  readonly maxSeconds?: number | undefined;
  /** Tools that may be used, `run_script` and those of `call_tool`. @default any */
  readonly allowedTools?: readonly string[] | undefined;
  /** @default [] */
  readonly forbiddenTools?: readonly string[] | undefined;
}
