import { canonicalJson, defaultToolRules, type JsonValue, type ToolRules } from '@skillpack/core';
import { splitList } from '../agent/split-list.js';
import type { EvalSession } from './eval-session.js';

/**
 * What may be done decides what comes of a trial: with another yes, another sandbox, other variables, other permissions or
 * another time for scripts, it is another one. What is so by default is not in it.
 */
export function variantOf({
  flags: { approve, allow, env },
  settings,
}: Pick<EvalSession, 'flags' | 'settings'>): string {
  const said = (list: string | undefined): readonly string[] =>
    list === undefined || list === 'never' ? [] : [...new Set(splitList(list))].toSorted();
  const { configured, allowedTools } = settings.permissions;
  const { mode } = settings.sandbox;
  const parts: readonly (readonly [name: string, value: JsonValue, usual: JsonValue])[] = [
    ['approved', said(approve), []],
    ['allowed', said(allow), []],
    ['env', [...new Set([...said(env), ...settings.env])].toSorted(), []],
    ['sandbox', mode, 'auto'],
    ['rules', rulesOf(configured), rulesOf(defaultToolRules)],
    ['allowedTools', allowedTools ?? null, null],
    ['scriptTimeout', settings.limits.script ?? null, null],
  ];
  const own = parts.filter(([, value, usual]) => canonicalJson(value) !== canonicalJson(usual));
  return own.length === 0 ? '' : canonicalJson(Object.fromEntries(own.map(([name, value]) => [name, value])));
}

function rulesOf({ allow = [], ask = [], deny = [] }: ToolRules): JsonValue {
  return { allow: [...allow], ask: [...ask], deny: [...deny] };
}
