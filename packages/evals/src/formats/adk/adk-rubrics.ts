import type { OutputCheck } from '../../case/expectations.js';
import type { ForeignValue } from '../foreign-value.js';
import { rubricCheck } from '../import-assertion.js';
import type { ImportContext } from '../import-context.js';

/** Rubrics: `{rubric_id, rubric_content: {text_property}}`. */
export function adkRubrics(list: ForeignValue | undefined, context: ImportContext): readonly OutputCheck[] {
  return (list?.items() ?? []).flatMap((item) => {
    const content = item.field('rubric_content', 'rubricContent');
    const text = content?.field('text_property', 'textProperty') ?? content;
    if (text === undefined || typeof text.value !== 'string' || text.value.trim() === '') return [];
    const name = item.field('rubric_id', 'rubricId')?.text();
    return [
      {
        ...rubricCheck(text, context, text.value),
        ...(name === undefined || name === '' ? {} : { text: name.slice(0, 500) }),
      },
    ];
  });
}
