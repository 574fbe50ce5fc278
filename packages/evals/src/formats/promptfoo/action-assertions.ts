import type { ActionRule, StepPattern } from '../../case/expectations.js';
import type { ForeignValue } from '../foreign-value.js';
import type { ImportContext } from '../import-context.js';
import { exactCalls, literalInput, toolStep } from '../tool-steps.js';
import type { Contribution } from './contribution.js';
import { textValues, type AssertionImporter, type WrittenAssertion } from './written-assertion.js';

/** Assertions on skills and on what an agent does, by type. */
export const actionAssertions: Readonly<Partial<Record<string, AssertionImporter>>> = {
  'skill-used': (written, context) =>
    written.value?.object === undefined
      ? usedSkills(written, context)
      : counted(written, (name) => ({ action: 'select_skills', skill: name })),
  'trajectory:tool-used': (written) => {
    if (written.value?.object !== undefined) return counted(written, toolStep);
    return rules(textValues(written)?.map((name) => named(toolStep(name), written.negated)));
  },
  'trajectory:tool-sequence': importSequence,
  'trajectory:tool-args-match': importArguments,
  'trajectory:step-count': (written, context) => {
    const type = written.value?.field('type');
    if (type !== undefined && type.value !== 'tool') return undefined;
    type?.take();
    if (type === undefined)
      context.notes.change(written.item.field('type') ?? written.item, 'Calls of tools are counted, not all steps.');
    return counted(written, toolStep, '*');
  },
  'tool-call-f1': (written, { notes }) => {
    const names = textValues(written);
    if (written.negated || names === undefined || names.length === 0) return undefined;
    notes.change(written.item.field('type') ?? written.item, 'Each of the tools has to be called; others may be.');
    return rules(names.map((name) => named(toolStep(name), false)));
  },
};

function rules(all: readonly ActionRule[] | undefined): readonly Contribution[] | undefined {
  if (all === undefined || all.length === 0) return undefined;
  return all.map((rule) => ({ kind: 'action', rule }));
}

function named(step: StepPattern, negated: boolean): ActionRule {
  return negated ? { kind: 'forbidden', step } : { kind: 'occurs', step, atLeast: 1 };
}

function usedSkills(written: WrittenAssertion, context: ImportContext): readonly Contribution[] | undefined {
  const { value, negated } = written;
  if (value === undefined || textValues(written) === undefined) return undefined;
  const skills = context.skillList(value);
  return skills.length === 0 ? [] : [{ kind: negated ? 'avoids' : 'uses', skills }];
}

/** How often something happens: `{name|pattern, min?, max?}`. */
function counted(
  { value, negated }: WrittenAssertion,
  stepOf: (name: string) => StepPattern,
  any?: string,
): readonly Contribution[] | undefined {
  const name = value === undefined ? undefined : (nameOf(value) ?? any);
  const least = value?.field('min')?.number();
  const most = value?.field('max')?.number();
  const counts = [least ?? 1, most ?? 1];
  if (name === undefined || counts.some((count) => !Number.isInteger(count) || count < 0 || count > 1_000_000))
    return undefined;
  const step = stepOf(name);
  if (negated) return least === undefined && most === undefined ? rules([named(step, true)]) : undefined;
  const atLeast = least ?? (most === undefined ? 1 : 0);
  return rules([
    ...(atLeast > 0 ? [{ kind: 'occurs' as const, step, atLeast }] : []),
    ...(most === undefined ? [] : [most === 0 ? named(step, true) : { kind: 'at_most' as const, step, most }]),
  ]);
}

function importSequence(written: WrittenAssertion): readonly Contribution[] | undefined {
  const { value, negated } = written;
  const list = value?.list === true ? value : value?.field('steps');
  const mode = value?.list === true ? undefined : value?.field('mode')?.text();
  if (negated || list === undefined || !['in_order', 'exact'].includes(mode ?? 'in_order')) return undefined;
  const names = list.items().map((item) => (typeof item.value === 'string' ? item.text() : nameOf(item)));
  const steps = names.flatMap((name) => (name === undefined ? [] : [toolStep(name)]));
  if (steps.length === 0 || steps.length < names.length) return undefined;
  return rules(mode === 'exact' ? exactCalls(steps) : [{ kind: 'sequence', mode: 'in_order', steps }]);
}

function importArguments(
  { value, negated, item }: WrittenAssertion,
  { notes }: ImportContext,
): readonly Contribution[] | undefined {
  const name = value === undefined ? undefined : nameOf(value);
  const args = value?.field('args', 'arguments');
  const mode = value?.field('mode')?.text() ?? 'partial';
  if (name === undefined || args?.object === undefined || !['partial', 'exact'].includes(mode)) return undefined;
  const ignored = new Set(value?.field('ignore')?.texts());
  const kept = Object.fromEntries(Object.entries(args.object).filter(([field]) => !ignored.has(field)));
  args.take();
  const { input, exact } = literalInput(kept);
  if (!exact)
    notes.change(args, 'A text with “*” in it, or one that begins with “$”, stands for more than itself here.');
  if (ignored.size > 0 && mode === 'exact')
    notes.change(item.field('type') ?? item, 'Other arguments than these may be given.');
  const inputExactly = mode === 'exact' && ignored.size === 0;
  return rules([named({ ...toolStep(name), input, ...(inputExactly ? { inputExactly } : {}) }, negated)]);
}

/** `name`, or `pattern`: a glob of which `*` alone is known here. */
function nameOf(value: ForeignValue): string | undefined {
  const field = value.field('name', 'pattern');
  if (typeof field?.value !== 'string' || field.value === '' || /[?[\]{}!]/u.test(field.value)) return undefined;
  return field.text();
}
