import type { EvalCase } from '../case/eval-case.js';
import { finishCase } from './finish-case.js';
import type { ForeignValue } from './foreign-value.js';
import type { ImportContext } from './import-context.js';
import { readWantedSkills, type WantedOptions } from './read-wanted-skills.js';
import { textNames } from './trigger-words.js';

const titleNames = ['title', 'note', 'notes', 'reason', 'rationale', 'description', 'why', 'comment'] as const;
const labelTags = ['category', 'split', 'confidence', 'difficulty', 'type'] as const;

/** A query of a set of trigger evals as a case; `undefined` where it says too little, which is then noted. */
export function importTriggerEntry(
  entry: ForeignValue,
  context: ImportContext,
  options: WantedOptions,
): EvalCase | undefined {
  const said = typeof entry.value === 'string' ? entry : entry.field(...textNames);
  const text = typeof said?.value === 'string' ? said.text() : undefined;
  if (text === undefined || text.trim() === '') {
    context.notes.drop(entry, 'An entry without a query is no case.');
    return undefined;
  }
  const skills = readWantedSkills(entry, context, options);
  if (skills === undefined) {
    context.notes.drop(entry, 'An entry that does not say whether a skill is to be used is no case.');
    return undefined;
  }
  const written = entry.field('id', 'case_id', 'caseId', 'eval_id');
  const id = (written === undefined ? undefined : context.ids.given(written)) ?? context.ids.made(text);
  context.notes.caseAt(entry, id);
  return finishCase(entry, context, {
    id,
    kind: 'trigger',
    title: titleOf(entry),
    tags: tagsOf(entry),
    lines: [text],
    skills,
  });
}

/** What an entry says about itself, for a person. */
export function titleOf(entry: ForeignValue): string | undefined {
  const field = titleNames.map((name) => entry.field(name)).find((each) => typeof each?.value === 'string');
  return field?.text();
}

/** Its tags; what else it is sorted by is a tag, too: `split-train`. */
export function tagsOf(entry: ForeignValue): readonly string[] {
  const tags = entry.field('tags', 'labels')?.texts() ?? [];
  const sorted = labelTags.flatMap((name) => {
    const field = entry.field(name);
    return typeof field?.value === 'string' && field.value !== '' ? [`${name}-${field.text() ?? ''}`] : [];
  });
  const near = entry.field('near_miss', 'nearMiss');
  return [...tags, ...sorted, ...(near?.value === true && near.take() === true ? ['near-miss'] : [])];
}
