import type { AgentActionKind, JsonObject } from '@skillpack/core';

/** What a step did it to, as a pattern can ask for it. */
export interface StepPart {
  /** Names of the skill: its own first, then those by which it goes, as `org/pdf`. Empty: it was of no skill. */
  readonly skills: readonly string[];
  readonly tool?: string | undefined;
  /** Of a file of the skill. */
  readonly path?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly input?: JsonObject | undefined;
  /** `undefined`: nobody knows, as it was cut off. */
  readonly ok: boolean | undefined;
  /** By what event it was done: what begins after that, comes after it. `Infinity`: it never was. */
  readonly until: number;
}

/** Something that was done in a run, as rules look at it. */
export interface RuleStep {
  readonly kind: AgentActionKind | 'approval';
  /** Of the event that a report marks. */
  readonly seq: number;
  /** The run or child run. */
  readonly run: string;
  /** When it was decided on: what was done by then, came before it. */
  readonly decided: number;
  /** When it could begin to take effect, which is after a yes to it. */
  readonly effective: number;
  /** Whether it took effect, or may have. */
  readonly effect: boolean;
  readonly whole: StepPart;
  /** Each skill of a selection by itself; empty for anything else. */
  readonly parts: readonly StepPart[];
  /** Nobody did it: it was so from the beginning, or an earlier step stands for it. It can only be what comes first. */
  readonly given: boolean;
  /** Of the event that left it out, as the run had been cut off; `Infinity` where it counts. */
  readonly lostAt: number;
  /** As a report shows it: `run_script pdf scripts/pdf.mjs text`. */
  readonly label: string;
}
