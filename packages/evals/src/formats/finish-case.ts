import { quoted, visibleText } from '@skillpack/core';
import { actionProblems } from '../case/action-problems.js';
import type { CaseProblem } from '../case/case-place.js';
import { caseProblems } from '../case/case-problems.js';
import type { EvalCase } from '../case/eval-case.js';
import { outputProblems } from '../case/output-problems.js';
import type { OutputCheck } from '../case/expectations.js';
import { textProblems } from '../case/text-problems.js';
import type { ForeignValue } from './foreign-value.js';
import type { ImportContext } from './import-context.js';
import { importedCase, type CaseParts } from './imported-case.js';

/** What a file of cases holds of each, in UTF-16 code units or in number. */
const most = {
  title: 500,
  tag: 100,
  tags: 50,
  input: 100_000,
  lines: 100,
  statement: 10_000,
  equals: 1_000_000,
  checks: 200,
};

/**
 * A case of what an importer found, as a file of cases could hold it. Checks and rules that no such file could are noted
 * and left out; so is a case that is none without them, for which this gives `undefined`.
 */
export function finishCase(at: ForeignValue, context: ImportContext, parts: CaseParts): EvalCase | undefined {
  const whole = importedCase({ ...parts, title: titleOf(at, context, parts), tags: tagsOf(at, context, parts) });
  const sound = withSoundChecks(whole, at, context);
  const [problem] = [...problemsOf(sound)];
  if (problem === undefined) {
    const { skills, actions, output } = sound.expected;
    if (skills === undefined && actions.length + output.length === 0) {
      context.notes.mention('kept', at, 'Nothing is expected in this case: whatever is done, it passes.');
    }
    return sound;
  }
  context.notes.drop(at, `The case ${sound.id} cannot be taken over: ${problem}.`);
  return undefined;
}

function* problemsOf(each: EvalCase): Generator<string> {
  const { conversation } = each;
  const long = conversation.find(({ input }) => input.length > most.input);
  if (long !== undefined) yield `a line has ${long.input.length} characters, at most ${most.input} are read`;
  if (conversation.length > most.lines) yield `it has ${conversation.length} lines, at most ${most.lines} are read`;
  for (const { message } of textProblems(each, '')) yield message;
  for (const { message } of caseProblems(each, '')) yield message;
}

function titleOf(at: ForeignValue, { notes }: ImportContext, { title }: CaseParts): string | undefined {
  const shown = title === undefined ? '' : visibleText(title).trim();
  if (shown.length <= most.title) return shown;
  notes.mention('changed', at, `Of its title, the first ${most.title} characters are kept: ${quoted(shown, 60)}.`);
  return shown.slice(0, most.title).toWellFormed();
}

function tagsOf(at: ForeignValue, { notes }: ImportContext, { tags = [] }: CaseParts): readonly string[] {
  const shown = tags.map((tag) => visibleText(tag).trim()).filter((tag) => tag !== '');
  const short = [...new Set(shown.map((tag) => tag.slice(0, most.tag).trim().toWellFormed()))];
  if (shown.some((tag) => tag.length > most.tag) || short.length > most.tags) {
    notes.mention(
      'changed',
      at,
      `A case has at most ${most.tags} tags, of up to ${most.tag} characters each; what is beyond that is left out.`,
    );
  }
  return short.slice(0, most.tags);
}

function withSoundChecks(each: EvalCase, at: ForeignValue, { notes }: ImportContext): EvalCase {
  const { expected, conversation, limits } = each;
  const turns = conversation.length;
  const output = expected.output.filter((check, index) => {
    const [problem] = index >= most.checks ? [tooMany] : [...outputProblems([check], { turns, at: '' })];
    const message = problem?.message ?? sizeOf(check);
    if (message !== undefined)
      notes.mention('dropped', at, `A check of the kind ${check.kind} is left out: ${message.replace(/\.$/u, '')}.`);
    return message === undefined;
  });
  const actions = expected.actions.filter((rule, index) => {
    const [problem] = index >= most.checks ? [tooMany] : [...actionProblems([rule], { limits, at: '' })];
    if (problem !== undefined)
      notes.mention('dropped', at, `A rule on actions is left out: ${problem.message.replace(/\.$/u, '')}.`);
    return problem === undefined;
  });
  const told = (message: string) => notes.mention('dropped', at, message);
  return {
    ...each,
    expected: {
      ...expected,
      output: agreeing(
        output,
        (all) => outputProblems(all, { turns, at: '' }),
        (check, why) => told(`A check of the kind ${check.kind} is left out: ${why}.`),
      ),
      actions: agreeing(
        actions,
        (all) => actionProblems(all, { limits, at: '' }),
        (_, why) => told(`A rule on actions is left out: ${why}.`),
      ),
    },
  };
}

/** Each of them is sound by itself: of those that contradict each other, the later one is left out. */
function agreeing<Part>(
  parts: readonly Part[],
  judge: (parts: readonly Part[]) => Iterable<CaseProblem>,
  leftOut: (part: Part, why: string) => void,
): readonly Part[] {
  const problems = new Map([...judge(parts)].map(({ path, message }) => [Number(path.split('.')[1]), message]));
  return parts.filter((part, index) => {
    const message = problems.get(index);
    if (message !== undefined) leftOut(part, message.replace(/\.$/u, ''));
    return message === undefined;
  });
}

const tooMany = { message: `a case has at most ${most.checks} of them` };

function sizeOf(check: OutputCheck): string | undefined {
  const [texts, limit] = sizes(check);
  const long = texts.find((text) => text.length > limit);
  return long === undefined ? undefined : `a text has ${long.length} characters, at most ${limit} are read`;
}

function sizes(check: OutputCheck): readonly [texts: readonly string[], most: number] {
  switch (check.kind) {
    case 'contains':
      return [check.texts, most.statement];
    case 'rubric':
      return [[check.statement], most.statement];
    case 'starts_with':
      return [[check.value], most.statement];
    case 'equals':
      return [[check.value], most.equals];
    case 'similar':
      return [[check.reference], most.input];
    case 'regex':
    case 'json':
    case 'words':
    case 'file':
    case 'script':
      return [[], 0];
  }
}
