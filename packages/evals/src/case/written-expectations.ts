import type { ActionRule, Expectations, ExpectedSkills, OutputCheck, OutputOf, StepPattern } from './expectations.js';

/** What is expected, as it stands in a file; `undefined` for nothing but what is so by default. */
export function writtenExpectations({
  skills,
  actions,
  output,
  disclosure,
  approvals,
}: Expectations): object | undefined {
  const written = {
    skills: skills === undefined ? undefined : writtenSkills(skills),
    actions: actions.length === 0 ? undefined : actions.map(writtenRule),
    output: output.length === 0 ? undefined : output.map(writtenCheck),
    disclosure: disclosure ? undefined : false,
    approvals: approvals ? undefined : false,
  };
  return Object.values(written).every((value) => value === undefined) ? undefined : written;
}

function writtenSkills({ anyOf, allOf, none, others }: ExpectedSkills): object | string {
  if (anyOf === undefined && others === undefined) {
    if (none === true && allOf === undefined) return 'none';
    const [only, ...more] = allOf ?? [];
    if (only !== undefined && none === undefined) return more.length > 0 || only === 'none' ? [only, ...more] : only;
  }
  return { any_of: anyOf, all_of: allOf, none, others };
}

function writtenRule(rule: ActionRule): object {
  switch (rule.kind) {
    case 'occurs':
      return { occurs: writtenStep(rule.step), atLeast: rule.atLeast === 1 ? undefined : rule.atLeast };
    case 'forbidden':
      return { forbidden: writtenStep(rule.step) };
    case 'at_most':
      return { occurs: writtenStep(rule.step), atMost: rule.most };
    case 'before':
      return { first: writtenStep(rule.first), before: writtenStep(rule.then) };
    case 'sequence':
      return { sequence: rule.steps.map(writtenStep), mode: rule.mode === 'in_order' ? undefined : rule.mode };
  }
}

function writtenStep(step: StepPattern): object | string {
  const given = Object.values(step).filter((value) => value !== undefined);
  return step.action !== undefined && given.length === 1 ? step.action : step;
}

function writtenCheck(check: OutputCheck): object {
  return { ...subjectOf(check), not: check.negated ? true : undefined, text: check.text };
}

function subjectOf(check: OutputCheck): object {
  switch (check.kind) {
    case 'contains': {
      const [only, ...more] = check.texts;
      const contains = more.length === 0 ? only : check.texts;
      return { contains, mode: check.mode === 'all' ? undefined : check.mode, ...textOf(check) };
    }
    case 'equals':
      return { equals: check.value, ...textOf(check) };
    case 'starts_with':
      return { startsWith: check.value, ...textOf(check) };
    case 'regex':
      return { regex: check.pattern, flags: check.flags === '' ? undefined : check.flags, of: ofOf(check.of) };
    case 'json':
      return { json: check.schema ?? true, within: check.within ? true : undefined, of: ofOf(check.of) };
    case 'words':
      return { words: { least: check.least, most: check.most }, of: ofOf(check.of) };
    case 'similar':
      return { similar: check.reference, least: check.least, of: ofOf(check.of) };
    case 'file':
      return { file: check.path };
    case 'script':
      return { script: check.script, args: check.args.length === 0 ? undefined : check.args };
    case 'rubric':
      return { rubric: check.statement };
  }
}

function textOf({ caseless, of }: { readonly caseless: boolean; readonly of: OutputOf }): object {
  return { caseless: caseless ? true : undefined, of: ofOf(of) };
}

function ofOf(of: OutputOf): object | undefined {
  if (of.kind === 'file') return { file: of.path };
  return of.turn === undefined ? undefined : { turn: of.turn };
}
