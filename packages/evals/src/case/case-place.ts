import { SkillsError } from '@skillpack/core';

/** Where something stands in a file of cases. */
export interface CasePlace {
  /** The file, as a message calls it. */
  readonly fileName: string;
  /** `cases.3.expected.output.0`; the empty text for the file as a whole. */
  readonly at: string;
}

/** What is wrong with something in a file of cases. */
export interface CaseProblem {
  readonly path: string;
  readonly message: string;
}

/** What is told besides of a file of cases that is not read. */
export const casesHint = 'docs/eval-cases.md describes the file.';

/** That a file of cases says what it cannot: the first problem in words, all of them as data. */
export function invalidCase(fileName: string, problems: readonly CaseProblem[], cause?: unknown): SkillsError {
  const [first = { path: '', message: 'it does not follow its format' }] = problems;
  const where = first.path === '' ? '' : ` at ${first.path}`;
  const more = problems.length > 1 ? ` (${problems.length - 1} more)` : '';
  const sentence = first.message.replace(/\.$/u, '');
  return new SkillsError('INVALID_CASE', `The suite ${fileName} is not valid${where}: ${sentence}.${more}`, {
    hint: casesHint,
    cause,
    data: { issues: problems.slice(0, 20) },
  });
}
