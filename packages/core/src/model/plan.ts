import type { JsonObject } from '../json/json-value.js';

/** How far a step is. */
export type PlanStatus = 'pending' | 'in_progress' | 'completed';

/** A step of a plan. */
export interface PlanStep {
  /** Chosen by the model, unique in its plan. */
  readonly id: string;
  readonly title: string;
  readonly status: PlanStatus;
}

/** What the agent means to do. */
export interface Plan {
  readonly goal: string;
  readonly steps: readonly PlanStep[];
  readonly assumptions: readonly string[];
  readonly constraints: JsonObject;
}

/** One change of a plan. `after` is the id of a step, or `null` for the beginning; left out, it means the end. */
export type PlanOperation =
  | { readonly op: 'add_step'; readonly step: PlanStep; readonly after?: string | null | undefined }
  | { readonly op: 'remove_step'; readonly id: string }
  | { readonly op: 'move_step'; readonly id: string; readonly after?: string | null | undefined }
  | { readonly op: 'set_status'; readonly id: string; readonly status: PlanStatus }
  | { readonly op: 'set_title'; readonly id: string; readonly title: string }
  | { readonly op: 'set_goal'; readonly goal: string }
  | { readonly op: 'set_assumptions'; readonly assumptions: readonly string[] }
  | { readonly op: 'set_constraints'; readonly constraints: JsonObject };

/** How a decision changes the plan: another one in its place, or some changes, all or none of which are made. */
export type PlanUpdate =
  | { readonly kind: 'replace'; readonly plan: Plan }
  | { readonly kind: 'patch'; readonly operations: readonly PlanOperation[] };
