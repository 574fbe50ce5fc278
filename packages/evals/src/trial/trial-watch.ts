import type { Clock, RunEvent, StopReason, Timer } from '@skillpack/core';
import type { CaseLimits, EvalCase } from '../case/eval-case.js';

/** What ended a trial before its agent came to an end by itself. */
export type TrialEnd =
  /** A skill was chosen, in a case of the kind `trigger`. */
  | { readonly kind: 'chosen' }
  /** A limit of the case was reached. */
  | { readonly kind: 'limit'; readonly stop: StopReason }
  /** A tool was used that must not be. */
  | { readonly kind: 'tool'; readonly tool: string }
  | { readonly kind: 'cancelled' };

/** The longest that timers can be set to. */
const longestTimer = 2_147_483_647;

/** Looks at the events of a trial as they come, and ends it where its case says so. Limits hold for all lines of a person together. */
export class TrialWatch implements Disposable {
  readonly #case: EvalCase;
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #timer: Timer | undefined;
  readonly #spent = { turns: 0, toolCalls: 0, scripts: 0, tokens: 0, cost: 0 };
  #end: TrialEnd | undefined;
  readonly #cancel = (): void => this.#stop({ kind: 'cancelled' });

  constructor(evalCase: EvalCase, { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal }) {
    this.#case = evalCase;
    this.#outer = signal;
    const { maxSeconds } = evalCase.limits;
    const time = maxSeconds === undefined ? undefined : maxSeconds * 1_000;
    if (time !== undefined && time <= longestTimer) {
      this.#timer = clock.startTimer?.(time);
      this.#timer?.signal.addEventListener('abort', () => this.#stop({ kind: 'limit', stop: 'max_wall_time' }));
    }
    signal.addEventListener('abort', this.#cancel, { once: true });
    if (signal.aborted) this.#cancel();
  }

  /** Aborts when the trial has to end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What ended it; the first thing that did. */
  get end(): TrialEnd | undefined {
    return this.#end;
  }

  readonly onEvent = (event: RunEvent): void => {
    const { limits, kind } = this.#case;
    switch (event.type) {
      case 'skill_activated':
        if (kind === 'trigger') this.#stop({ kind: 'chosen' });
        break;
      case 'turn_started':
        this.#take('turns', 1, { most: limits.maxTurns, stop: 'max_turns' });
        break;
      case 'action_started':
        this.#act(event, limits);
        break;
      case 'model_answered': {
        const { inputTokens, outputTokens, cost = 0 } = event.usage;
        this.#take('tokens', inputTokens + outputTokens, { most: limits.maxTokens, stop: 'max_tokens' });
        this.#take('cost', cost, { most: limits.maxCost, stop: 'max_cost' });
        break;
      }
      default:
    }
  };

  [Symbol.dispose](): void {
    this.#timer?.clear();
    this.#outer.removeEventListener('abort', this.#cancel);
  }

  /** A tool that must not be used is not waited for: the event stands before it is. */
  #act({ action }: RunEvent & { readonly type: 'action_started' }, limits: CaseLimits): void {
    if (action.kind === 'final_answer' || action.kind === 'ask_user') return;
    const tool = action.kind === 'run_script' ? 'run_script' : action.kind === 'call_tool' ? action.tool : undefined;
    const { allowedTools, forbiddenTools = [] } = limits;
    if (tool !== undefined && (forbiddenTools.includes(tool) || allowedTools?.includes(tool) === false)) {
      this.#stop({ kind: 'tool', tool });
    }
    this.#take('toolCalls', 1, { most: limits.maxToolCalls, stop: 'max_tool_calls' });
    if (action.kind === 'run_script') this.#take('scripts', 1, { most: limits.maxScripts, stop: 'max_scripts' });
  }

  #take(
    what: 'turns' | 'toolCalls' | 'scripts' | 'tokens' | 'cost',
    amount: number,
    { most, stop }: { readonly most: number | undefined; readonly stop: StopReason },
  ): void {
    this.#spent[what] += amount;
    if (most !== undefined && this.#spent[what] > most) this.#stop({ kind: 'limit', stop });
  }

  #stop(end: TrialEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#controller.abort();
  }
}
