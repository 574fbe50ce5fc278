import type { Digest } from '../digest/is-digest.js';
import type { AgentAction } from '../model/action.js';
import type { Plan } from '../model/plan.js';
import type { ApprovalDecision } from '../policy/approver.js';
import type { DisabledSkill } from '../registry/skill-view.js';
import type { Activation } from './activation.js';
import type { BudgetLimits, BudgetSpent, RunTotals, StopReason } from './budget.js';
import type { KeptText, RecordedApproval, RecordedError, RecordedJudgement, RecordedRequest } from './run-event.js';

/** Where a run is. */
export type RunPhase = 'init' | 'index_skills' | 'decide' | 'load_skill_body' | 'act' | 'observe' | 'final';

/** One piece of the conversation, by the event it comes from. */
export type ConversationItem =
  | { readonly kind: 'request'; readonly seq: number; readonly request: RecordedRequest }
  | { readonly kind: 'decision'; readonly seq: number; readonly id: string; readonly action: AgentAction }
  /** An answer that was no decision, and what the model was told of it. */
  | { readonly kind: 'rejection'; readonly seq: number; readonly text: string; readonly error: RecordedError }
  | {
      readonly kind: 'observation';
      readonly seq: number;
      readonly id: string;
      readonly ok: boolean;
      readonly content: string;
      /** Skills whose bodies it holds, by location. */
      readonly skills: readonly string[];
    }
  /** A skill of which an observation holds a text that does not hold any more: it is shown again, as it is now. */
  | { readonly kind: 'renewed'; readonly seq: number; readonly location: string }
  | { readonly kind: 'answer'; readonly seq: number; readonly text: string };

/** A file of a skill that was read, and how much of it. */
export interface ReadResource {
  readonly location: string;
  readonly path: string;
  readonly section: string | undefined;
  readonly turn: number;
  /** The event that says so. */
  readonly seq: number;
}

/** An action, for the audit: what was asked, whether it was allowed, and what came of it. */
export interface AuditEntry {
  readonly id: string;
  readonly turn: number;
  readonly action: AgentAction;
  readonly approval: { readonly request: RecordedApproval; readonly decision: ApprovalDecision } | undefined;
  /** What was judged without asking anybody. @default nothing: somebody was asked, or it is no use of a tool */
  readonly judged?: RecordedJudgement | undefined;
  /** `undefined` while it is under way. */
  readonly ok: boolean | undefined;
  readonly error: RecordedError | undefined;
  readonly kept: readonly (KeptText & { readonly name: string })[];
  /** Milliseconds. */
  readonly duration: number | undefined;
}

/** The state of a run: what its events come to. Nothing in it comes from anywhere else. */
export interface RunState {
  readonly id: string;
  readonly phase: RunPhase;
  readonly model: string;
  readonly contextTokens: number;
  readonly index: { readonly hash: Digest; readonly skills: number; readonly kept: KeptText } | undefined;
  /** The newest request. */
  readonly request: RecordedRequest | undefined;
  readonly turn: number;
  readonly plan: Plan | undefined;
  readonly limits: BudgetLimits;
  /** Of the newest request. */
  readonly spent: BudgetSpent;
  /** Of all requests of the run. */
  readonly totals: RunTotals;
  /** Whether a call for the newest request, also of a child run, had no known cost. @default false */
  readonly unpriced?: boolean | undefined;
  /** The ledger, in the order of activation; a skill that was read again stands once. */
  readonly activations: readonly Activation[];
  /**
   * Lines of the ledger that a skill does not have any more, since it declares other tools now: their texts stand in the
   * conversation, and go on to restrict. @default []
   */
  readonly outdated?: readonly Activation[] | undefined;
  readonly resources: readonly ReadResource[];
  readonly disabled: readonly DisabledSkill[];
  /**
   * Locations of the skills that no model may call by what their texts say, though the index did not know it. They are
   * offered no more, until the index is another one. @default []
   */
  readonly forPeople?: readonly string[] | undefined;
  readonly conversation: readonly ConversationItem[];
  /** The event up to which the conversation is shown in a shorter form. */
  readonly compactedThrough: number;
  /** What was approved for longer than one action. */
  readonly grants: readonly {
    /** A tool may be called as an action is. */
    readonly action: 'call_tool' | 'run_script';
    readonly tool: string;
    /** On behalf of which skill, by location. */
    readonly skill: string | undefined;
    /** The content of that skill for which it holds. */
    readonly digest: Digest | undefined;
    /** What confined it: what is confined by nothing, or otherwise, is something else. @default undefined: nothing did */
    readonly confinement?: string | undefined;
    /** Of what runs code, the input for which it holds, as canonical JSON. @default undefined: it holds for any */
    readonly input?: string | undefined;
    readonly scope: 'run' | 'session';
  }[];
  readonly audit: readonly AuditEntry[];
  readonly answer:
    | {
        readonly text: string;
        readonly stop: StopReason;
        readonly degraded: boolean;
        readonly error?: RecordedError | undefined;
      }
    | undefined;
  /** What failed last in the newest request, where nothing has gone well since. */
  readonly failure?: RecordedError | undefined;
  readonly finished: boolean;
  /** What the model answered last, until a decision is made of it. */
  readonly unread?: string | undefined;
  /** When its last event happened, in UTC. */
  readonly at?: string | undefined;
  /** Where the clock went back: the latest time that there was before, in milliseconds since 1970. */
  readonly latest?: number | undefined;
  /** The last event it holds. */
  readonly seq: number;
  readonly hash: Digest;
}
