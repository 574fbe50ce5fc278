/**
 * What one request may take. Reaching any of them ends it with an honest answer that says so. A record has no infinite
 * number: in its events, 9007199254740991 means that there is no limit; in `run.json`, such a limit is absent.
 */
export interface BudgetLimits {
  /** Model calls. @default 12 */
  readonly turns: number;
  /** Actions other than the final answer, scripts included. @default 30 */
  readonly toolCalls: number;
  /** @default 10 */
  readonly scripts: number;
  /** Tokens in and out of all model calls. @default Infinity */
  readonly tokens: number;
  /** US dollars. What happens where a call has no known cost is said by `unknownCost`. @default Infinity */
  readonly cost: number;
  /** Milliseconds. @default 600000 */
  readonly wallTime: number;
  /** Failed actions and unusable answers in a row. @default 4 */
  readonly consecutiveFailures: number;
}

/** What a request has taken so far. Of `cost`, what is known: calls without a known cost are not in it. */
export type BudgetSpent = { readonly [Name in keyof BudgetLimits]: number };

/** What all requests of a run have taken. */
export interface RunTotals extends Omit<BudgetSpent, 'cost'> {
  /** US dollars; `undefined` where the cost of a call is not known. */
  readonly cost?: number | undefined;
}

/** Why a request ended. */
export type StopReason =
  | 'final_answer'
  | 'question'
  | 'max_turns'
  | 'max_tool_calls'
  | 'max_scripts'
  | 'max_tokens'
  | 'max_cost'
  | 'max_wall_time'
  | 'max_consecutive_failures'
  | 'approval_required'
  | 'model_failed'
  | 'cancelled';

/** Why a request ended before it was answered. */
export type EarlyStopReason = Exclude<StopReason, 'final_answer' | 'question'>;
