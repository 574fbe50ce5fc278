import { effectiveEvents, type RunEvent, type StopReason } from '@skillpack/core';
import type { CaseLimits } from '../case/eval-case.js';
import type { TrialSpent } from '../results/eval-result.js';
import type { CheckResult } from './check-result.js';
import { makeCheck } from './make-check.js';
import { fitsText } from './rules/match-text.js';
import { nameSteps } from './rules/name-step.js';
import { readRuleSteps } from './rules/read-rule-steps.js';
import type { RuleStep } from './rules/rule-step.js';
import { mayHaveHappened } from './rules/which-happened.js';

/** What a trial took, without its judge. */
type Spent = Omit<TrialSpent, 'judge'>;

/** One of the limits that are numbers. */
interface NumberLimit {
  readonly unit: string;
  readonly most: number | undefined;
  /** `undefined`: nobody knows. */
  readonly spent: number | undefined;
  /** What the run ends with where it reaches the limit. */
  readonly stop: StopReason;
}

/** Holds a trial to its limits, one result a limit that there is. Reaching one that ended the run is going beyond it. */
export function checkLimits(limits: CaseLimits, events: readonly RunEvent[], spent: Spent): readonly CheckResult[] {
  const stops = new Map<StopReason, number>();
  for (const event of effectiveEvents(events)) {
    if (event.type === 'request_answered' && event.run === events[0]?.run) stops.set(event.stop, event.seq);
  }
  return [...numberLimits(limits, spent).flatMap((limit) => checkNumber(limit, stops)), ...checkTools(limits, events)];
}

function numberLimits(limits: CaseLimits, spent: Spent): readonly NumberLimit[] {
  const tokens = spent.inputTokens + spent.outputTokens;
  return [
    { unit: 'turns', most: limits.maxTurns, spent: spent.turns, stop: 'max_turns' },
    { unit: 'actions', most: limits.maxToolCalls, spent: spent.toolCalls, stop: 'max_tool_calls' },
    { unit: 'scripts', most: limits.maxScripts, spent: spent.scripts, stop: 'max_scripts' },
    { unit: 'tokens', most: limits.maxTokens, spent: tokens, stop: 'max_tokens' },
    { unit: 'dollars', most: limits.maxCost, spent: spent.cost, stop: 'max_cost' },
    { unit: 'seconds', most: limits.maxSeconds, spent: spent.duration / 1_000, stop: 'max_wall_time' },
  ];
}

function checkNumber(
  { unit, most, spent, stop }: NumberLimit,
  stops: ReadonlyMap<StopReason, number>,
): readonly CheckResult[] {
  if (most === undefined) return [];
  const about = { kind: 'limits', text: `at most ${amount(most, unit)}` } as const;
  const seq = stops.get(stop);
  if (seq !== undefined) {
    const evidence = `The limit ended the run${spent === undefined ? '' : `, after ${amount(spent, unit)}`}.`;
    return [makeCheck({ ...about, verdict: 'failed', evidence, seq })];
  }
  if (spent === undefined) {
    return [makeCheck({ ...about, verdict: 'not_judged', evidence: 'Nobody knows what a call of the model costs.' })];
  }
  return [
    makeCheck({ ...about, verdict: spent <= most ? 'passed' : 'failed', evidence: `It took ${amount(spent, unit)}.` }),
  ];
}

/** Without the last digits of a fraction that nobody asked for. */
function amount(number: number, units: string): string {
  const plain = Number(number.toFixed(6));
  return `${plain} ${plain === 1 ? units.slice(0, -1) : units}`;
}

function checkTools(
  { allowedTools, forbiddenTools = [] }: CaseLimits,
  events: readonly RunEvent[],
): readonly CheckResult[] {
  if (allowedTools === undefined && forbiddenTools.length === 0) return [];
  const steps = readRuleSteps(events).flatMap((step) => {
    const tool = step.kind === 'run_script' ? step.kind : step.kind === 'call_tool' ? step.whole.tool : undefined;
    return tool === undefined || !mayHaveHappened(step) ? [] : [{ step, tool }];
  });
  const isAmong = (names: readonly string[], tool: string): boolean => names.some((name) => fitsText(name, tool));
  const results: CheckResult[] = [];
  if (allowedTools !== undefined) {
    const text = allowedTools.length === 0 ? 'no tool is used' : `no tool is used but ${allowedTools.join(', ')}`;
    results.push(
      toolResult(
        text,
        steps.filter(({ tool }) => !isAmong(allowedTools, tool)),
      ),
    );
  }
  if (forbiddenTools.length > 0) {
    const text = `no tool of ${forbiddenTools.join(', ')} is used`;
    results.push(
      toolResult(
        text,
        steps.filter(({ tool }) => isAmong(forbiddenTools, tool)),
      ),
    );
  }
  return results;
}

function toolResult(text: string, breaking: readonly { readonly step: RuleStep }[]): CheckResult {
  const steps = breaking.map(({ step }) => step);
  const [first] = steps;
  if (first === undefined) return makeCheck({ kind: 'limits', text, verdict: 'passed', evidence: 'It holds.' });
  return makeCheck({
    kind: 'limits',
    text,
    verdict: 'failed',
    evidence: `There is ${nameSteps(steps)}.`,
    seq: first.seq,
  });
}
