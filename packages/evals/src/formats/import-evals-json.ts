import { quoted } from '@skillpack/core';
import type { EvalCase } from '../case/eval-case.js';
import type { ExpectedSkills, OutputCheck } from '../case/expectations.js';
import { finishCase } from './finish-case.js';
import type { ForeignValue } from './foreign-value.js';
import { importAssertion, rubricCheck } from './import-assertion.js';
import type { ImportContext } from './import-context.js';
import { importFiles } from './import-files.js';
import { importTriggerEntry, tagsOf, titleOf } from './import-trigger-entry.js';
import type { SuiteParts } from './suite-parts.js';
import { labelNames, labelOf } from './trigger-words.js';

const assertionNames = ['assertions', 'expectations'] as const;
const outputNames = ['expected_output', 'expectedOutput'] as const;
/** What a check is called that was the description of the expected output. */
export const expectedOutputText = 'expected output: ';

/** `evals.json` of agentskills.io and of skill-creator: tasks with statements that a judge says yes or no to. */
export async function importEvalsJson(root: ForeignValue, context: ImportContext): Promise<SuiteParts> {
  const skill = context.subjectIfAny(root.field('skill_name', 'skillName', 'skill'));
  const list = root.list ? root : root.field('evals');
  const cases: EvalCase[] = [];
  for (const entry of list?.items() ?? []) {
    const each = await importTask(entry, context, undefined);
    if (each !== undefined) cases.push(each);
  }
  return { skills: skill === undefined ? [] : [skill], cases };
}

/** `evals.json` whose entries say whether the skill is to be used: those without anything to judge are trigger cases. */
export async function importKindTrigger(root: ForeignValue, context: ImportContext): Promise<SuiteParts> {
  const documents = root.list ? root.items() : [root];
  const cases: EvalCase[] = [];
  const skills: string[] = [];
  for (const document of documents) {
    const subject = context.subject(document.field('skill_name', 'skillName', 'skill'));
    skills.push(subject);
    cases.push(...examCases(document, context, subject));
    for (const entry of document.field('evals')?.items() ?? []) {
      const named = labelNames.find((name) => entry.has(name));
      const judged = [...assertionNames, ...outputNames, 'files'].some((name) => entry.field(name) !== undefined);
      const label = named === undefined ? undefined : labelOf(entry.field(named) ?? entry);
      const fires = label?.kind === 'fires' ? label.fires : true;
      const each =
        judged && fires
          ? await importTask(entry, context, named === undefined ? undefined : { allOf: [subject] })
          : importTriggerEntry(entry, context, { subject: () => subject, fires });
      if (each !== undefined) cases.push(each);
    }
  }
  return { skills: [...new Set(skills)], cases };
}

/** A document of the kind `trigger`, with queries for the skill and others that are not. */
function examCases(document: ForeignValue, context: ImportContext, subject: string): readonly EvalCase[] {
  document.field('kind')?.take();
  const tags = document.field('evals') === undefined ? tagsOf(document) : [];
  const title = document.field('evals') === undefined ? titleOf(document) : undefined;
  const lists = [
    [document.field('positive', 'positives'), true],
    [document.field('negative', 'negatives'), false],
  ] as const;
  return lists.flatMap(([list, fires]) =>
    (list?.items() ?? []).flatMap((entry) => {
      const each = importTriggerEntry(entry, context, { subject: () => subject, fires });
      if (each === undefined) return [];
      return [{ ...each, title: each.title ?? title, tags: [...each.tags, ...tags] }];
    }),
  );
}

async function importTask(
  entry: ForeignValue,
  context: ImportContext,
  skills: ExpectedSkills | undefined,
): Promise<EvalCase | undefined> {
  const said = entry.field('prompt', 'query', 'input', 'task');
  const text = typeof said?.value === 'string' ? said.text() : undefined;
  if (text === undefined || text.trim() === '') {
    context.notes.drop(entry, 'An entry without a prompt is no case.');
    return undefined;
  }
  const written = entry.field('id', 'eval_id');
  const id = (written === undefined ? undefined : context.ids.given(written)) ?? context.ids.made(text);
  context.notes.caseAt(entry, id);
  const output = [...expectedOutput(entry, context), ...assertions(entry, context)];
  const title = entry.field('eval_name', 'evalName', 'name')?.text() ?? titleOf(entry);
  const files = await importFiles(entry.field('files'), context);
  return finishCase(entry, context, {
    id,
    kind: 'task',
    title,
    tags: tagsOf(entry),
    lines: [text],
    files,
    skills,
    output,
  });
}

function expectedOutput(entry: ForeignValue, context: ImportContext): readonly OutputCheck[] {
  const field = entry.field(...outputNames);
  if (typeof field?.value !== 'string' || field.value.trim() === '') return [];
  const text = `${expectedOutputText}${quoted(field.value.trim(), 120)}`;
  return [{ ...rubricCheck(field, context, field.value), text }];
}

function assertions(entry: ForeignValue, context: ImportContext): readonly OutputCheck[] {
  return assertionNames.flatMap((name) => {
    const field = entry.field(name);
    const items = typeof field?.value === 'string' ? [field] : (field?.items() ?? []);
    return items.flatMap((item) => importAssertion(item, context));
  });
}
