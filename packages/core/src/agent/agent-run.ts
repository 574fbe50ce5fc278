import type { Sha256 } from '../digest/digest.js';
import type { SkillsError } from '../errors/skills-error.js';
import type { ModelAdapter } from '../model/model-adapter.js';
import type { Approver } from '../policy/approver.js';
import type { Permissions } from '../policy/permissions.js';
import type { SkillRegistry } from '../registry/skill-registry.js';
import type { SkillEntry, SkillReference } from '../registry/skill-entry.js';
import type { SkillMeasure } from '../registry/skill-measure.js';
import type { DisabledSkill, DisableOptions } from '../registry/skill-view.js';
import type { ScriptRunner } from '../tool/script-runner.js';
import type { Tool } from '../tool/tool.js';
import type { BudgetLimits, StopReason } from './budget.js';
import type { CatalogueStyle } from './context/catalogue-style.js';
import type { Clock } from './clock.js';
import type { DebugPort } from './developer-notes.js';
import type { RunEvent, UserRequest } from './run-event.js';
import type { RunJournal } from './run-journal.js';
import type { RunState } from './run-state.js';

/** What an agent works with. */
export interface AgentPorts extends DebugPort {
  readonly registry: SkillRegistry;
  readonly model: ModelAdapter;
  readonly journal: RunJournal;
  readonly clock: Clock;
  readonly sha256: Sha256;
  /** Tools that are there from the beginning. @default none */
  readonly tools?: readonly Tool[] | undefined;
  /** Tools that a skill's `allowed-tools` may name; offered only after it was activated. @default none */
  readonly skillTools?: readonly Tool[] | undefined;
  /** Tools that come with a skill, by its name; offered only after it was activated. @default none */
  readonly groupedTools?: Readonly<Record<string, readonly Tool[]>> | undefined;
  /** @default everything that is not read-only is refused with `APPROVAL_REQUIRED` */
  readonly approver?: Approver | undefined;
  /** @default no script can be run */
  readonly runner?: ScriptRunner | undefined;
  /**
   * Says what all files of a skill are now: a yes is for exactly that. Asked before each script, and before anybody is
   * asked on behalf of a skill.
   *
   * @throws `FILE_TOO_LARGE` for more than can be measured: then none of its scripts is run, and a yes to anything else
   * counts once.
   * @default by the registry's `files` and `bytes`, fewer than 5,000 files and up to 64 MiB: what the registry does not
   * list is not measured
   */
  readonly measureSkill?:
    | ((skill: SkillEntry, options: { readonly signal: AbortSignal }) => Promise<SkillMeasure>)
    | undefined;
  /**
   * Tokens of a text. Where it throws, or says what is no count, the estimate counts.
   *
   * @default an estimate from its length and scripts
   */
  readonly countTokens?: ((text: string) => number) | undefined;
}

/** How an agent behaves. */
export interface AgentOptions {
  /** Names the run, and with it the folder of its record: what `isRunId` takes. */
  readonly id: string;
  /** What the model is told before the catalogue. @default how to answer with actions */
  readonly system?: string | undefined;
  /** What the project says of itself (AGENTS.md); stands after `system`. @default nothing */
  readonly instructions?: string | undefined;
  /** Whether skills are offered at all. @default true */
  readonly enableSkills?: boolean | undefined;
  /** Whether the registry, and the text of each active skill, is read anew before each request. @default false */
  readonly autoReload?: boolean | undefined;
  /** Skills that are activated before the first turn. @default [] */
  readonly preload?: readonly (string | SkillReference)[] | undefined;
  /** @default 2 */
  readonly bodiesPerTurn?: number | undefined;
  readonly limits?: Partial<BudgetLimits> | undefined;
  /** The part of the model's window that the catalogue may take. @default 0.02 */
  readonly catalogueShare?: number | undefined;
  /** @default 'markdown' */
  readonly catalogueStyle?: CatalogueStyle | undefined;
  /** A catalogue of your own: text with `{skills_list}` and `{skills_load_instructions}`. @default the registry's, else that of the style */
  readonly catalogueTemplate?: string | undefined;
  /** How a skill is loaded, in a sentence of the catalogue. @default the registry's, else by `select_skills` */
  readonly loadInstructions?: string | undefined;
  /** Skills that keep their full description in the catalogue whatever the budget. @default [] */
  readonly pinned?: readonly string[] | undefined;
  /** The part of the model's window beyond which the conversation is compacted. @default 0.7 */
  readonly contextShare?: number | undefined;
  /** Milliseconds. @default 30000 */
  readonly scriptTimeout?: number | undefined;
  /**
   * What tools and scripts may be used for. A record holds it; a run that goes on asks again for whatever it then takes
   * from there. @default what only reads is done, what is of medium risk needs a yes, and what is of high risk is off
   */
  readonly permissions?: Permissions | undefined;
  /**
   * What comes of an answer that a model, or a filter of its provider, refuses, with no decision in it: `end` ends the
   * request with `model_failed` and `MODEL_REFUSED`; `ask-again` tells the model and asks again, as after any answer that
   * is no decision. @default 'end'
   */
  readonly refusals?: 'end' | 'ask-again' | undefined;
  /**
   * Whether an answer that is `degraded` quotes what the model said last, where that was no decision: at most 1,000
   * UTF-16 code units of it, and nobody acts on it. @default 'tell'
   */
  readonly rejectedAnswer?: 'tell' | 'leave-out' | undefined;
  /**
   * What comes of a limit of `cost` where nobody knows what a call costs: `end` lets no run begin whose model says so
   * itself, and ends a request with `max_cost` after the first answer without a cost; `go-on` counts such a call as if it
   * cost nothing. @default 'end'
   */
  readonly unknownCost?: 'end' | 'go-on' | undefined;
  /** What the record says the run is about, as the folder of a project; no model is told. @default nothing */
  readonly project?: string | undefined;
  /**
   * Takes secrets out of what is recorded, and of what the model is told of it. It counts instead of the default; a run
   * that had it does not go on without. `redactNothing` takes nothing out.
   *
   * @default as of `createRedactor()`: tokens and private keys that are told by their shape, and credentials of URLs
   */
  readonly redact?: ((text: string) => string) | undefined;
  /** Cancels the start, until the run is there; each request has a signal of its own. @default nobody cancels */
  readonly signal?: AbortSignal | undefined;
  /** Told of each event once it is recorded. What it throws ends the run, as what the journal throws does. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

/** How one request is made. A listener that throws is told no more; `ask` throws the same once the answer is recorded. */
export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Pieces of what the model writes, as they arrive, without what `redact` takes out: what may be the beginning of a
   * secret is held back until it is known to be none. Together they are the text that the record holds. Of a `redact`
   * that is not as `createRedactor` made it, nobody knows what it takes out: then there is one piece, at the end.
   */
  readonly onText?: ((delta: string) => void) | undefined;
  /**
   * Pieces of what the model thinks, where its adapter tells that, as they arrive, without what `redact` takes out. Those
   * of one answer together are what the record holds of its reasoning.
   */
  readonly onReasoning?: ((delta: string) => void) | undefined;
  /**
   * Pieces of the answer, or of the question, as they arrive, without what `redact` takes out, and safe for a terminal;
   * and with each the whole of it so far. Where what was told turns out not to be the answer, since the model is asked
   * again, it is taken back: both texts are empty then. At the end of a request that is not `degraded`, all that was
   * told is the text of its answer, also of a model that tells no pieces; of one that is, nothing is left.
   */
  readonly onAnswer?: ((delta: string, answer: string) => void) | undefined;
}

/** What came of a request. */
export interface RunAnswer {
  /** The answer; of a `question`, what the agent wants to know. */
  readonly text: string;
  readonly stop: StopReason;
  /** Whether the agent could not finish, and the text says what is missing. */
  readonly degraded: boolean;
  /**
   * Of an answer that is `degraded`: what failed last, where nothing had gone well since, as the record holds it. Where the
   * provider of a model says when it may be asked again, `data.retryAfter` has it in milliseconds.
   */
  readonly error?: SkillsError | undefined;
}

/**
 * A run: one request after another, one ledger, one record. Disposing of it ends the record, unless a request has no answer
 * yet: then the record stays open, so that the run can go on from it.
 */
export interface AgentRun extends AsyncDisposable {
  readonly id: string;
  readonly state: RunState;
  /**
   * Works on a request to its answer. One at a time. What goes wrong on the way is told to the model, or ends in a
   * degraded answer; it throws only what makes a record impossible.
   *
   * @throws `IO_ERROR` from the journal; `BUSY` while another request is worked on; `FILE_TOO_LARGE` for a request
   * of more than 524,288 characters; `SKILL_NOT_FOUND` for a skill that the request names, and what reading that skill
   * throws, such as `INVALID_SKILL`, or `TIMEOUT` when the registry does not give it; `INTERRUPTED` when it is cancelled
   * before it is received; `USAGE` after `finish`, and for a request that says nothing.
   */
  ask(request: string | UserRequest, options?: AskOptions): Promise<RunAnswer>;
  /**
   * Works on the request that the run was cut off in, or that it gave up, to its answer; `undefined` where that is
   * answered, or asks something. Where nobody could be asked for a yes, it begins with what needed it, before a model is
   * asked: that is judged anew, and nothing but a yes lets it be done. What the request took before counts for its limits, but for the failures in a row. Throws
   * as `ask` does.
   */
  goOn(options?: AskOptions): Promise<RunAnswer | undefined>;
  /**
   * Switches a skill off for this run, with its tools, on behalf of a person: no model switches it on again.
   *
   * @param skill its name, `pdf` or `org/pdf`.
   * @returns what is off now.
   * @throws `SKILL_NOT_FOUND`; `BUSY` while a request is worked on; `USAGE` after `finish`; what the journal throws.
   */
  disable(skill: string, options?: Pick<DisableOptions, 'reason'>): Promise<DisabledSkill>;
  /**
   * Switches a skill on again, whoever switched it off.
   *
   * @returns what was off; `undefined` where it was not.
   * @throws as `disable` does.
   */
  enable(skill: string): Promise<DisabledSkill | undefined>;
  /** Ends the record. */
  finish(): Promise<RunState>;
}
