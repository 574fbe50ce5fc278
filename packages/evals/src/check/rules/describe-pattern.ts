import { canonicalJson, visibleText, type JsonValue } from '@skillpack/core';
import type { StepPattern } from '../../case/expectations.js';
import { shortText } from '../short-text.js';
import { unbound, type Bindings } from './bindings.js';
import { variableOf } from './match-text.js';

/** UTF-16 code units of it. */
const longest = 300;

/** Which steps a pattern means, in words: `run_script of $X scripts/*.mjs`; with the values that its variables stand for. */
export function describePattern(pattern: StepPattern, bindings: Bindings = unbound): string {
  const shown = (text: string): string => {
    const name = variableOf(text);
    return (name === undefined ? undefined : bindings.get(name)) ?? text;
  };
  const { action, skill, tool, path, args, input, inputExactly, ok } = pattern;
  const what = action ?? (tool === undefined ? 'any action' : 'use');
  const parts = [
    what,
    ...(tool === undefined ? [] : [action === 'call_tool' ? shown(tool) : `of ${shown(tool)}`]),
    ...(skill === undefined ? [] : [`${action === 'approval' ? 'for' : 'of'} ${shown(skill)}`]),
    ...(path === undefined ? [] : [shown(path)]),
    ...(args === undefined ? [] : [`with the arguments ${args.map((one) => JSON.stringify(shown(one))).join(' ')}`]),
    ...(input === undefined
      ? []
      : [`with ${inputExactly === true ? 'exactly ' : ''}${canonicalJson(withValues(input, shown))}`]),
    ...(ok === undefined ? [] : [ok ? 'that succeeds' : 'that fails']),
  ];
  return shortText(visibleText(parts.join(' ')), longest);
}

function withValues(value: JsonValue, shown: (text: string) => string): JsonValue {
  if (typeof value === 'string') return shown(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: JsonValue) => withValues(one, shown));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withValues(one, shown)]));
}
