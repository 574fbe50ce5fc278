import type { AgentActionKind, JsonObject } from '@skillpack/core';

/** What is expected of a trial. All of it has to hold. */
export interface Expectations {
  readonly skills?: ExpectedSkills | undefined;
  readonly actions: readonly ActionRule[];
  readonly output: readonly OutputCheck[];
  /** Whether no file of a skill may be read before the skill was. @default true */
  readonly disclosure: boolean;
  /** Whether nothing may be done that was neither allowed nor approved. @default true */
  readonly approvals: boolean;
}

/** Which skills are to be used. All that is named has to hold. */
export interface ExpectedSkills {
  /** At least one of them. */
  readonly anyOf?: readonly string[] | undefined;
  /** Every one of them. */
  readonly allOf?: readonly string[] | undefined;
  /** None of them; `true`: no skill at all. */
  readonly none?: true | readonly string[] | undefined;
  /** Whether skills that nothing above names may be used, too. @default true */
  readonly others?: boolean | undefined;
}

/**
 * What the actions of a run have to be like. Actions that no rule speaks of are always allowed, but for `exact`. An action
 * that was refused, or failed, happened; what a run that went on after a break left out did not, but for a script or a
 * tool that may have run. Runs of their own that skills have are part of the run; only their answers are not.
 *
 * - `occurs`: it happens at least so often;
 * - `forbidden`: it never happens;
 * - `at_most`: it happens no more often than that;
 * - `before`: whenever `then` happens, `first` was done before, with the same values for the same variables; it has to
 *   have succeeded, unless its `ok` says otherwise. A skill that was there from the beginning counts as selected, and an
 *   earlier yes that covers an action as a yes to it. Where `first` is an approval, `then` is only what took effect;
 * - `sequence`: the steps happen `in_order`, with anything between them; in `any_order`; or are all there is (`exact`).
 */
export type ActionRule =
  | { readonly kind: 'occurs'; readonly step: StepPattern; readonly atLeast: number }
  | { readonly kind: 'forbidden'; readonly step: StepPattern }
  | { readonly kind: 'at_most'; readonly step: StepPattern; readonly most: number }
  | { readonly kind: 'before'; readonly first: StepPattern; readonly then: StepPattern }
  | {
      readonly kind: 'sequence';
      readonly mode: 'in_order' | 'any_order' | 'exact';
      readonly steps: readonly StepPattern[];
    };

/**
 * Which steps of a run are meant; all that is named has to fit. A text may hold `*` for any characters, or be `$NAME`, a
 * variable: within one rule it stands for one and the same value, whichever that is.
 */
export interface StepPattern {
  /** What was done; `approval`: somebody said yes to it. @default any action */
  readonly action?: AgentActionKind | 'approval' | undefined;
  readonly skill?: string | undefined;
  /** Of `call_tool`, or the tool that was approved. That of a script is `run_script`. */
  readonly tool?: string | undefined;
  /** Of a file of a skill, relative to it. */
  readonly path?: string | undefined;
  /** Arguments of a script; each has to be among those that were given, in this order. */
  readonly args?: readonly string[] | undefined;
  /** Fields of the input of a tool: those that are named have to be so, others may be there. */
  readonly input?: JsonObject | undefined;
  /** Whether that is all of the input. @default false */
  readonly inputExactly?: boolean | undefined;
  /** Whether it succeeded. @default either */
  readonly ok?: boolean | undefined;
}

/** What is expected of an answer, or of a file that the agent left. `negated`: it must not be so. */
export type OutputCheck = OutputSubject & {
  readonly negated: boolean;
  /** What a report calls it. @default made of the check */
  readonly text?: string | undefined;
};

/** What a check looks at, and what it is to find there. */
export type OutputSubject =
  /** One of the texts, or all of them, are in it. */
  | {
      readonly kind: 'contains';
      readonly of: OutputOf;
      readonly texts: readonly string[];
      readonly mode: 'all' | 'any';
      readonly caseless: boolean;
    }
  | { readonly kind: 'equals'; readonly of: OutputOf; readonly value: string; readonly caseless: boolean }
  | { readonly kind: 'starts_with'; readonly of: OutputOf; readonly value: string; readonly caseless: boolean }
  /** Matched in linear time, by the syntax of RE2. */
  | { readonly kind: 'regex'; readonly of: OutputOf; readonly pattern: string; readonly flags: string }
  /** It is JSON, and follows the schema if there is one (JSON Schema 2020-12). `within`: JSON stands somewhere in it. */
  | { readonly kind: 'json'; readonly of: OutputOf; readonly schema?: JsonObject | undefined; readonly within: boolean }
  | {
      readonly kind: 'words';
      readonly of: OutputOf;
      readonly least?: number | undefined;
      readonly most?: number | undefined;
    }
  /** ROUGE-1 recall of the words of a reference, 0 to 1. */
  | { readonly kind: 'similar'; readonly of: OutputOf; readonly reference: string; readonly least: number }
  /** The file is there. */
  | { readonly kind: 'file'; readonly path: string }
  /** A program of the suite ends with 0. It runs in the workspace, and is handed the answer in `answer.txt` of a folder of its own. */
  | {
      readonly kind: 'script';
      readonly script: string;
      readonly args: readonly string[];
      /** Its bytes, as they were when the suite was read: what another program said before says nothing of this one. */
      readonly program?: Uint8Array | undefined;
    }
  /** A judge says whether it holds. Not judged where there is no judge: then it is no pass. */
  | { readonly kind: 'rubric'; readonly statement: string };

/** What is looked at: the last answer, that of a line of the person (from 1), or a file of the workspace. */
export type OutputOf =
  | { readonly kind: 'answer'; readonly turn?: number | undefined }
  | { readonly kind: 'file'; readonly path: string };
