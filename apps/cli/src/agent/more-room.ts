import type { BudgetLimits, RunSummary, StopReason } from '@skillpack/core';

interface Limit {
  readonly name: keyof BudgetLimits;
  /** The option that states it. */
  readonly option: string;
  /** How many of the limit one of the option is. */
  readonly unit: number;
}

const limits: Partial<Record<StopReason, Limit>> = {
  max_turns: { name: 'turns', option: '--max-turns', unit: 1 },
  max_tool_calls: { name: 'toolCalls', option: '--max-tool-calls', unit: 1 },
  max_scripts: { name: 'scripts', option: '--max-scripts', unit: 1 },
  max_tokens: { name: 'tokens', option: '--max-tokens', unit: 1 },
  max_wall_time: { name: 'wallTime', option: '--timeout', unit: 1000 },
};

/** The limit that a request ended at; `undefined` where it did not end at one that an option states. */
export function limitOf(stop: StopReason | null | undefined): Limit | undefined {
  return stop === null || stop === undefined ? undefined : limits[stop];
}

/**
 * The option that gives a request which ended at a limit as much again: what it took before counts. Nothing where it did
 * not end at one.
 */
export function moreRoom(stop: StopReason | null | undefined, given: Partial<BudgetLimits>): readonly string[] {
  const limit = limitOf(stop);
  if (limit === undefined) return [];
  const { name, option, unit } = limit;
  return [option, String(Math.max(1, Math.ceil((2 * (given[name] ?? 0)) / unit)))];
}

/** The options that leave a run which waits for a yes enough to do what it asked for, and to answer. */
export function roomForMore({ limits: given, spent }: Pick<RunSummary, 'limits' | 'spent'>): readonly string[] {
  return (['max_turns', 'max_tool_calls'] as const).flatMap((stop) => {
    const name = limits[stop]?.name;
    const most = name === undefined ? undefined : given[name];
    return name === undefined || most === undefined || (spent[name] ?? 0) + 1 < most ? [] : moreRoom(stop, given);
  });
}
