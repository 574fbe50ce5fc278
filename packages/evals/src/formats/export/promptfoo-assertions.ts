import type { JsonValue } from '@skillpack/core';
import type { EvalCase } from '../../case/eval-case.js';
import type { ActionRule, ExpectedSkills, OutputCheck, StepPattern } from '../../case/expectations.js';
import type { CasePart, ExportLog } from './export-log.js';
import { literalTemplate } from './literal-template.js';

/** An assertion as promptfoo reads it. */
export type PromptfooAssertion = Readonly<Record<string, JsonValue>>;

/** What a case expects, as assertions; what there is none for is noted. */
export function promptfooAssertions(each: EvalCase, index: number, log: ExportLog): readonly PromptfooAssertion[] {
  const part = (path: string): CasePart => ({ each, index, path });
  const none = (path: string) => {
    log.tell('dropped', part(path), 'No assertion says this.');
    return [];
  };
  const { skills, actions, output } = each.expected;
  return [
    ...(skills === undefined ? [] : skillAssertions(skills, part('expected.skills'), log)),
    ...actions.flatMap((rule, at) => actionAssertion(rule) ?? none(`expected.actions.${at}`)),
    ...output.flatMap((check, at) => {
      if (check.kind === 'similar')
        log.tell('changed', part(`expected.output.${at}`), 'It is compared by ROUGE-N there.');
      return outputAssertion(check) ?? none(`expected.output.${at}`);
    }),
    ...limitAssertions(each, (name) => none(`limits.${name}`)),
  ];
}

function skillAssertions(
  { anyOf, allOf, none, others = true }: ExpectedSkills,
  part: CasePart,
  log: ExportLog,
): readonly PromptfooAssertion[] {
  if (!others) log.tell('dropped', part, 'No assertion says that no other skill is used.');
  const refused = none === true ? [{ type: 'skill-used', value: { pattern: '*', max: 0 } }] : [];
  return [
    ...(allOf === undefined ? [] : [{ type: 'skill-used', value: allOf }]),
    ...(anyOf === undefined
      ? []
      : [
          {
            type: 'assert-set',
            threshold: 1 / anyOf.length,
            assert: anyOf.map((name) => ({ type: 'skill-used', value: name })),
          },
        ]),
    ...(none === undefined || none === true ? refused : [{ type: 'not-skill-used', value: none }]),
  ];
}

function outputAssertion(check: OutputCheck): readonly PromptfooAssertion[] | undefined {
  if ('of' in check && (check.of.kind === 'file' || check.of.turn !== undefined)) return undefined;
  const not = check.negated ? 'not-' : '';
  switch (check.kind) {
    case 'contains': {
      const base = `${not}${check.caseless ? 'i' : ''}contains`;
      const texts = check.texts.map(literalTemplate);
      const [first = ''] = texts;
      return [texts.length === 1 ? { type: base, value: first } : { type: `${base}-${check.mode}`, value: texts }];
    }
    case 'equals':
      return check.caseless ? undefined : [{ type: `${not}equals`, value: literalTemplate(check.value) }];
    case 'starts_with':
      return check.caseless ? undefined : [{ type: `${not}starts-with`, value: literalTemplate(check.value) }];
    case 'regex': {
      const flags = check.flags.replaceAll('u', '');
      return [
        { type: `${not}regex`, value: literalTemplate(flags === '' ? check.pattern : `(?${flags})${check.pattern}`) },
      ];
    }
    case 'json':
      return [
        {
          type: `${not}${check.within ? 'contains-json' : 'is-json'}`,
          ...(check.schema === undefined ? {} : { value: check.schema }),
        },
      ];
    case 'words':
      return [{ type: `${not}word-count`, value: range(check) }];
    case 'similar':
      return [{ type: `${not}rouge-n`, value: literalTemplate(check.reference), threshold: check.least }];
    case 'rubric':
      return [{ type: `${not}llm-rubric`, value: literalTemplate(check.statement) }];
    case 'file':
    case 'script':
      return undefined;
  }
}

function range({
  least,
  most,
}: {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}): JsonValue {
  return { ...(least === undefined ? {} : { min: least }), ...(most === undefined ? {} : { max: most }) };
}

function actionAssertion(rule: ActionRule): readonly PromptfooAssertion[] | undefined {
  switch (rule.kind) {
    case 'occurs':
      return stepAssertion(rule.step, { negated: false, counts: rule.atLeast === 1 ? {} : { min: rule.atLeast } });
    case 'forbidden':
      return stepAssertion(rule.step, { negated: true, counts: {} });
    case 'at_most':
      return stepAssertion(rule.step, { negated: false, counts: { max: rule.most } });
    case 'before':
      return undefined;
    case 'sequence': {
      const steps = rule.steps.map(toolOf);
      // An exact sequence here counts every action, there calls of tools alone.
      if (rule.mode !== 'in_order' || steps.some((step) => step === undefined)) return undefined;
      return [
        {
          type: 'trajectory:tool-sequence',
          value: { mode: 'in_order', steps: steps.flatMap((step) => (step === undefined ? [] : [named(step)])) },
        },
      ];
    }
  }
}

interface Counted {
  readonly negated: boolean;
  readonly counts: Readonly<Record<string, number>>;
}

function stepAssertion(step: StepPattern, { negated, counts }: Counted): readonly PromptfooAssertion[] | undefined {
  const not = negated ? 'not-' : '';
  const { action, skill, tool, input, inputExactly, ...rest } = step;
  if (Object.values(rest).some((value) => value !== undefined)) return undefined;
  if (action === 'select_skills' && tool === undefined && skill !== undefined && !skill.startsWith('$')) {
    return [
      { type: `${not}skill-used`, value: negated && !skill.includes('*') ? skill : { ...named(skill), ...counts } },
    ];
  }
  const name = action === 'call_tool' && skill === undefined ? (tool ?? '*') : undefined;
  if (name === undefined || name.startsWith('$')) return undefined;
  if (input === undefined) return [{ type: `${not}trajectory:tool-used`, value: { ...named(name), ...counts } }];
  if (Object.keys(counts).length > 0 || holdsPattern(input)) return undefined;
  const mode = inputExactly === true ? 'exact' : 'partial';
  return [{ type: `${not}trajectory:tool-args-match`, value: { ...named(name), args: input, mode } }];
}

/** The tool of a step that says nothing else. */
function toolOf({ action, tool, ...rest }: StepPattern): string | undefined {
  if (action !== 'call_tool' || tool === undefined || tool.startsWith('$')) return undefined;
  return Object.values(rest).some((value) => value !== undefined) ? undefined : tool;
}

function named(name: string): Readonly<Record<string, string>> {
  return name.includes('*') ? { pattern: name } : { name };
}

function holdsPattern(value: JsonValue): boolean {
  if (typeof value === 'string') return value.includes('*') || value.startsWith('$');
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((inner: JsonValue) => holdsPattern(inner))
  );
}

function limitAssertions(
  { limits }: EvalCase,
  none: (name: string) => readonly never[],
): readonly PromptfooAssertion[] {
  return Object.entries(limits).flatMap(([name, value]: readonly [string, unknown]): readonly PromptfooAssertion[] => {
    if (value === undefined) return [];
    if (name === 'maxCost' && typeof value === 'number') return [{ type: 'cost', threshold: value }];
    if (name === 'maxSeconds' && typeof value === 'number') return [{ type: 'latency', threshold: value * 1000 }];
    return none(name);
  });
}
