import type { BudgetLimits } from '@skillpack/core';
import type { AgentLimits } from '../settings/config-file.js';
import type { AgentFlags } from './agent-options.js';

/** The limits that a command line and the settings state; what neither does is left out. */
export function limitsOf(flags: AgentFlags, settings: AgentLimits): Partial<BudgetLimits> {
  const seconds = flags.timeout ?? settings.timeout;
  const limits = {
    turns: flags.maxTurns ?? settings.turns,
    toolCalls: flags.maxToolCalls ?? settings.toolCalls,
    scripts: flags.maxScripts ?? settings.scripts,
    tokens: flags.maxTokens ?? settings.tokens,
    wallTime: seconds === undefined ? undefined : seconds * 1000,
  };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

/** Milliseconds that a script may take, where a command line or the settings say. */
export function scriptTimeoutOf({ scriptTimeout }: AgentFlags, { script }: AgentLimits): number | undefined {
  const seconds = scriptTimeout ?? script;
  return seconds === undefined ? undefined : seconds * 1000;
}
