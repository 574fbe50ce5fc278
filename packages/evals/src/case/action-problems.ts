import { canonicalJson, quoted, type JsonValue } from '@skillpack/core';
import { fitsText, variableOf } from '../check/rules/match-text.js';
import type { CaseProblem } from './case-place.js';
import type { CaseLimits } from './eval-case.js';
import type { ActionRule, StepPattern } from './expectations.js';

interface RulesAround {
  readonly limits: CaseLimits;
  readonly at: string;
}

/** What is wrong with rules on actions: steps that there never are, and rules that contradict each other. */
export function* actionProblems(rules: readonly ActionRule[], { limits, at }: RulesAround): Iterable<CaseProblem> {
  for (const [index, rule] of rules.entries()) yield* ruleProblems(rule, { limits, at: `${at}.${index}` });
  yield* contradictions(rules, at);
}

function* ruleProblems(rule: ActionRule, { limits, at }: RulesAround): Iterable<CaseProblem> {
  for (const [name, step] of stepsOf(rule)) yield* stepProblems(step, `${at}.${name}`);
  yield* variableProblems(rule, at);
  if (rule.kind === 'sequence' && rule.steps.length === 0)
    yield { path: `${at}.sequence`, message: 'expected at least one step' };
  const number = rule.kind === 'occurs' ? rule.atLeast : rule.kind === 'at_most' ? rule.most : 1;
  if (!Number.isInteger(number) || number < 1)
    yield { path: at, message: `expected a whole number from 1, found ${number}` };
  if (rule.kind === 'occurs') yield* limitProblems(rule.step, { limits, at: `${at}.occurs` });
  const { maxScripts = Infinity } = limits;
  if (rule.kind === 'occurs' && rule.step.action === 'run_script' && rule.atLeast > maxScripts) {
    yield { path: `${at}.occurs`, message: `expected at most the ${maxScripts} scripts that the case allows` };
  }
}

function stepsOf(rule: ActionRule): readonly (readonly [name: string, step: StepPattern])[] {
  switch (rule.kind) {
    case 'occurs':
    case 'at_most':
      return [['occurs', rule.step]];
    case 'forbidden':
      return [['forbidden', rule.step]];
    case 'before':
      return [
        ['first', rule.first],
        ['before', rule.then],
      ];
    case 'sequence':
      return rule.steps.map((step, index) => [`sequence.${index}`, step]);
  }
}

type StepField = Exclude<keyof StepPattern, 'action' | 'ok'>;

const fieldsOf: Readonly<Record<NonNullable<StepPattern['action']>, readonly StepField[]>> = {
  select_skills: ['skill'],
  load_resource: ['skill', 'path'],
  run_script: ['skill', 'path', 'args'],
  call_tool: ['skill', 'tool', 'input', 'inputExactly'],
  search_skills: [],
  disable_skill: ['skill'],
  enable_skill: ['skill'],
  update_plan: [],
  ask_user: [],
  final_answer: [],
  approval: ['skill', 'tool', 'path', 'args', 'input', 'inputExactly'],
};

const allFields: readonly StepField[] = ['skill', 'tool', 'path', 'args', 'input', 'inputExactly'];

function* stepProblems(step: StepPattern, at: string): Iterable<CaseProblem> {
  const given = allFields.filter((name) => step[name] !== undefined);
  const { action } = step;
  if (action === undefined && given.length === 0 && step.ok === undefined) {
    yield { path: at, message: `expected a step with at least one of action, ${allFields.join(', ')}` };
  }
  const stray = action === undefined ? undefined : given.find((name) => !fieldsOf[action].includes(name));
  if (stray !== undefined)
    yield {
      path: `${at}.${stray}`,
      message: `a step of ${action ?? 'any action'} has no ${stray}, so it is never there`,
    };
  if (step.inputExactly !== undefined && step.input === undefined)
    yield { path: `${at}.inputExactly`, message: 'expected input beside it' };
  const { path } = step;
  if (
    path !== undefined &&
    variableOf(path) === undefined &&
    /^[\\/]|^[A-Za-z]:|(?:^|[\\/])\.\.(?:[\\/]|$)/u.test(path)
  ) {
    yield { path: `${at}.path`, message: `expected a path from the folder of the skill, found ${quoted(path, 100)}` };
  }
}

/** A variable that stands in a rule once stands for anything, as `*` does: mostly it is a slip in its name. */
function* variableProblems(rule: ActionRule, at: string): Iterable<CaseProblem> {
  // Of the same value, several are counted.
  if (rule.kind === 'at_most' || (rule.kind === 'occurs' && rule.atLeast > 1)) return;
  const counts = new Map<string, number>();
  const count = (value: JsonValue | StepPattern | undefined): void => {
    const name = typeof value === 'string' ? variableOf(value) : undefined;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) count(inner as JsonValue);
  };
  for (const [, step] of stepsOf(rule)) count(step);
  for (const [name, times] of counts) {
    if (times === 1)
      yield {
        path: at,
        message: `the variable ${quoted(`$${name}`, 60)} stands in it once, and so for anything: write * instead`,
      };
  }
}

/** What has to occur must be allowed to. */
function* limitProblems({ action, tool }: StepPattern, { limits, at }: RulesAround): Iterable<CaseProblem> {
  const used = action === 'run_script' ? action : action === 'approval' ? undefined : tool;
  if (used === undefined || used.includes('*') || variableOf(used) !== undefined) return;
  const { allowedTools, forbiddenTools = [] } = limits;
  const isAmong = (names: readonly string[]): boolean => names.some((name) => fitsText(name, used));
  if (!isAmong(forbiddenTools) && (allowedTools === undefined || isAmong(allowedTools))) return;
  yield { path: at, message: `${quoted(used, 60)} has to occur, and the limits of the case do not allow it` };
}

function* contradictions(rules: readonly ActionRule[], at: string): Iterable<CaseProblem> {
  const needed = new Map<string, number>();
  for (const rule of rules) {
    if (rule.kind === 'occurs') needed.set(keyOf(rule.step), Math.max(rule.atLeast, needed.get(keyOf(rule.step)) ?? 0));
  }
  for (const [index, rule] of rules.entries()) {
    if (rule.kind !== 'forbidden' && rule.kind !== 'at_most') continue;
    const least = needed.get(keyOf(rule.step)) ?? 0;
    const most = rule.kind === 'forbidden' ? 0 : rule.most;
    if (least > most)
      yield { path: `${at}.${index}`, message: `the same step has to occur, at least ${least} times, by another rule` };
  }
}

function keyOf(step: StepPattern): string {
  try {
    return canonicalJson(step);
  } catch {
    // It holds what JSON has not, which is told elsewhere.
    return '';
  }
}
