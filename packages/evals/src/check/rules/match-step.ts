import type { StepPattern } from '../../case/expectations.js';
import { distinctBindings, type Bindings } from './bindings.js';
import { matchArgs } from './match-args.js';
import { matchInput } from './match-input.js';
import { matchText, variableOf } from './match-text.js';
import type { RuleStep, StepPart } from './rule-step.js';
import { plainPath } from './skill-file.js';

/** A part of a step that is what a pattern wants. */
export interface StepMatch {
  readonly step: RuleStep;
  readonly part: StepPart;
  /** Of the part among those of the step. */
  readonly place: number;
  /** Every way in which it is that, at least one. */
  readonly bindings: readonly Bindings[];
}

/**
 * The parts of a step that a pattern means. Of a selection of several skills, each by itself where the pattern names a
 * skill; else it is one step.
 *
 * @throws `TooManyWays`.
 */
export function matchStep(pattern: StepPattern, step: RuleStep, bindings: Bindings): readonly StepMatch[] {
  // An approval is no action: it has to be named.
  if (pattern.action === undefined ? step.kind === 'approval' : pattern.action !== step.kind) return [];
  const parts = pattern.skill !== undefined && step.parts.length > 0 ? step.parts : [step.whole];
  return parts.flatMap((part, place) => {
    const matched = matchPart(pattern, part, bindings);
    return matched.length === 0 ? [] : [{ step, part, place, bindings: matched }];
  });
}

function matchPart(pattern: StepPattern, part: StepPart, bindings: Bindings): readonly Bindings[] {
  const { ok, skill, tool, path, input, args } = pattern;
  if (ok !== undefined && ok !== part.ok) return [];
  let matched: Bindings | undefined = bindings;
  if (skill !== undefined) matched = matchSkill(skill, part.skills, matched);
  if (tool !== undefined) matched = matched && matchField(tool, part.tool, matched);
  if (path !== undefined) matched = matched && matchField(plainPath(path), part.path, matched);
  if (input !== undefined) {
    const exactly = pattern.inputExactly ?? false;
    matched = matched && part.input && matchInput(input, part.input, { bindings: matched, exactly });
  }
  if (matched === undefined) return [];
  if (args === undefined) return [matched];
  return part.args === undefined ? [] : distinctBindings(matchArgs(args, part.args, matched));
}

/** A variable stands for the name of the skill itself, whatever it was called. */
function matchSkill(pattern: string, skills: readonly string[], bindings: Bindings): Bindings | undefined {
  const names = variableOf(pattern) === undefined ? skills : skills.slice(0, 1);
  const wanted = pattern.normalize('NFC');
  return names.map((name) => matchText(wanted, name.normalize('NFC'), bindings)).find((found) => found !== undefined);
}

function matchField(pattern: string, text: string | undefined, bindings: Bindings): Bindings | undefined {
  return text === undefined ? undefined : matchText(pattern, text, bindings);
}
