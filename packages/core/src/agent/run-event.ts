import type { Digest } from '../digest/is-digest.js';
import type { ErrorCode } from '../errors/codes.js';
import type { JsonObject } from '../json/json-value.js';
import type { AgentAction } from '../model/action.js';
import type { ModelUsage } from '../model/model-adapter.js';
import type { Plan } from '../model/plan.js';
import type { JudgingSkill } from '../policy/judge-tool-use.js';
import type { ApprovalDecision, ApprovalRequest } from '../policy/approver.js';
import type { SkillScope } from '../registry/layer-skills.js';
import type { SkillReference } from '../registry/skill-entry.js';
import type { SwitchedBy } from '../registry/skill-view.js';
import type { Activation } from './activation.js';
import type { BudgetLimits, BudgetSpent, StopReason } from './budget.js';

/** Something of the record that is kept beside the events, as a file named by its digest. */
export interface KeptText {
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}

/** An error, as the record holds it. */
export interface RecordedError {
  readonly code: ErrorCode;
  readonly message: string;
  /** The next thing to do. */
  readonly hint?: string | undefined;
  /** Of a model that could not be asked: the milliseconds after which it may be, where its provider says so. */
  readonly retryAfter?: number | undefined;
}

/** What somebody was asked, as the record holds it: of which run, the event says, and by which action, the one that it began with. */
export type RecordedApproval = Omit<ApprovalRequest, 'run' | 'action'>;

/** What was judged without asking anybody. */
export interface RecordedJudgement {
  readonly verdict: 'allow' | 'refuse';
  /**
   * What decided it: the configuration, what holds for the run, what a skill declares, or an earlier yes. A run allows
   * nothing by itself, and a yes refuses nothing.
   */
  readonly by: 'configuration' | 'run' | 'skill' | 'grant';
  /** The rule that denies it, cleaned for a terminal. @default none does: it is allowed, or no rule allows it */
  readonly rule?: string | undefined;
  /** Where a skill decided it, that one. */
  readonly skill?: JudgingSkill | undefined;
}

/** What a part of a run is worked on with: from its start, or from where it was resumed, to its end or the next resume. */
export interface RunTerms {
  readonly model: string;
  readonly contextTokens: number;
  /** Tools that are there from the beginning, and those that a skill brings. */
  readonly tools: readonly string[];
  readonly limits: BudgetLimits;
  /** Of the system text before the catalogue. */
  readonly system: KeptText;
  readonly options: RecordedOptions;
}

/** What else a run depends on, so that a replay has it. */
export interface RecordedOptions {
  /** Settings, and what ports are, as kept canonical JSON. Without it a run can be read, and not done again. */
  readonly setup?: KeptText | undefined;
  /** Whether secrets were taken out; `by-shape`: only those that are told by what they look like. @default false */
  readonly redacted?: boolean | 'by-shape' | undefined;
  /** The project that the run is about, as whoever started it calls it: nothing in the run depends on it. */
  readonly project?: string | undefined;
}

/** What a request had taken when it was cut off, besides what the state holds. */
export type LostSpending = Pick<BudgetSpent, 'turns' | 'toolCalls' | 'scripts' | 'tokens' | 'cost'>;

/** What a person asked, and how. */
export interface UserRequest {
  readonly text: string;
  /** A skill that the person named, whose body goes before the text; of a source, where one of another could be meant. */
  readonly skill?: string | SkillReference | undefined;
}

/** What was asked, as the record holds it. */
export interface RecordedRequest {
  readonly text: string;
  /** The name of the skill that the person named. */
  readonly skill?: string | undefined;
  /** The source of that skill, where the person named one. */
  readonly source?: SkillScope | undefined;
}

/** One thing that happened in a run. */
export type RunEventBody =
  | ({
      readonly type: 'run_started';
      readonly formatVersion: 1;
      /** The index of skills that holds for the whole run, unless an `index_changed` says otherwise. */
      readonly index: { readonly hash: Digest; readonly skills: number; readonly kept: KeptText };
      /** Of a child run: the run and the action that started it. */
      readonly parent?: { readonly run: string; readonly action: string } | undefined;
    } & RunTerms)
  /** What lies between the event `after` and this one is left out of the state: the run had been cut off there. */
  | {
      readonly type: 'run_resumed';
      readonly after: number;
      /** An action that was under way, of which nobody knows whether it took effect. */
      readonly uncertain: { readonly id: string; readonly action: AgentAction } | undefined;
      /** What was taken of the limits by what is left out. @default nothing */
      readonly lost?: LostSpending | undefined;
      /** What it goes on with. @default what it had */
      readonly with?: RunTerms | undefined;
    }
  /** Not beside the other fields, as `hash` is the event's own. */
  | {
      readonly type: 'index_changed';
      readonly index: { readonly hash: Digest; readonly skills: number; readonly kept: KeptText };
    }
  | { readonly type: 'request_received'; readonly request: RecordedRequest }
  | { readonly type: 'turn_started'; readonly turn: number }
  | {
      readonly type: 'model_requested';
      /** Of the request as canonical JSON: a replay has to come to the same. */
      readonly digest: Digest;
      /** As counted before the call. */
      readonly tokens: number;
      readonly tools: readonly string[];
      /** How many skills the catalogue shows in full, shortened, by name alone, and not at all. */
      readonly catalogue: {
        readonly full: number;
        readonly short: number;
        readonly named: number;
        readonly hidden: number;
      };
    }
  | {
      readonly type: 'model_answered';
      readonly text: string;
      /**
       * What the model thought on the way, at most 65,536 UTF-16 code units of it. No model is told it again. @default
       * nothing
       */
      readonly reasoning?: string | undefined;
      readonly usage: ModelUsage;
      readonly finish: 'stop' | 'length' | 'refused' | 'other';
    }
  | { readonly type: 'model_failed'; readonly error: RecordedError }
  /** The answer was no decision; the model is told why, and asked again, unless it refused (`MODEL_REFUSED`). */
  | { readonly type: 'decision_rejected'; readonly error: RecordedError }
  | { readonly type: 'plan_updated'; readonly plan: Plan; readonly how: 'replace' | 'patch' }
  | { readonly type: 'action_started'; readonly id: string; readonly action: AgentAction }
  /** Nobody is asked about the tool, or the script, of the action. An `approval_requested` says that somebody is. */
  | ({ readonly type: 'tool_judged'; readonly id: string } & RecordedJudgement)
  | { readonly type: 'approval_requested'; readonly request: RecordedApproval }
  | { readonly type: 'approval_decided'; readonly id: string; readonly decision: ApprovalDecision }
  /**
   * A file of a skill was read from the registry; with the path `''`, the list of its files as canonical JSON. It has
   * either what was kept, or the error that the registry gave.
   */
  | {
      readonly type: 'skill_read';
      readonly location: string;
      readonly path: string;
      readonly kept?: KeptText | undefined;
      readonly error?: RecordedError | undefined;
    }
  /**
   * All files of a skill were looked at, before something was done on its behalf. It has either the digest of them and the
   * list of files as canonical JSON, or what kept it from being measured.
   */
  | {
      readonly type: 'skill_measured';
      readonly location: string;
      readonly digest?: Digest | undefined;
      readonly kept?: KeptText | undefined;
      readonly error?: RecordedError | undefined;
    }
  | { readonly type: 'skill_activated'; readonly activation: Activation }
  | {
      readonly type: 'skill_disabled';
      readonly name: string;
      readonly reason: string | undefined;
      /** @default 'model' */
      readonly by?: SwitchedBy | undefined;
    }
  | {
      readonly type: 'skill_enabled';
      readonly name: string;
      /** @default 'model' */
      readonly by?: SwitchedBy | undefined;
    }
  /** Not `run`, which is the event's own: that of the parent. */
  | { readonly type: 'subagent_started'; readonly action: string; readonly child: string; readonly skill: string }
  | {
      readonly type: 'subagent_finished';
      readonly action: string;
      readonly child: string;
      readonly stop: StopReason;
      readonly spent: BudgetSpent;
    }
  /** What the model is told of an action. */
  | {
      readonly type: 'observation_recorded';
      readonly id: string;
      readonly ok: boolean;
      readonly content: string;
      readonly contentForUser: string | undefined;
      readonly output: JsonObject;
      readonly error: RecordedError | undefined;
      /** Full outputs, of which `content` shows a part. */
      readonly kept: readonly (KeptText & { readonly name: string })[];
      /** Milliseconds that the action took. */
      readonly duration: number;
    }
  /** Messages up to the event `through` are shown to the model in a shorter form from now on. */
  | {
      readonly type: 'context_compacted';
      readonly through: number;
      readonly before: number;
      readonly after: number;
    }
  | { readonly type: 'turn_finished'; readonly turn: number; readonly spent: BudgetSpent }
  | {
      readonly type: 'request_answered';
      readonly stop: StopReason;
      /** Whether the agent came to its own end; else the answer says what is missing. */
      readonly degraded: boolean;
      readonly answer: string;
    }
  | { readonly type: 'run_finished' };

/** An event of the record: what happened, where in the run, when, and chained to the one before. */
export type RunEvent = RunEventBody & {
  /** From 1, without a gap. */
  readonly seq: number;
  /** The run it belongs to; a child run has the id of its parent, a slash and a number. */
  readonly run: string;
  /** When, in UTC: `2026-11-22T08:00:00.000Z`. */
  readonly at: string;
  /** The `hash` of the event before; of the first one, of the run's id. */
  readonly prev: Digest;
  /** SHA-256 of this event without `hash`, as canonical JSON. */
  readonly hash: Digest;
};

/** What kind of event it is. */
export type RunEventType = RunEventBody['type'];
