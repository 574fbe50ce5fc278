import { rubricCheck } from '../import-assertion.js';
import type { ImportContext } from '../import-context.js';
import { textOf } from './render-template.js';
import { isFile, textValue, textValues, type AssertionImporter, type WrittenAssertion } from './written-assertion.js';

/** Assertions that a model decides, by type: each is a statement for a judge. */
export const judgedAssertions: Readonly<Partial<Record<string, AssertionImporter>>> = {
  'llm-rubric': (written, context) => {
    const { value } = written;
    if (value !== undefined && value.object !== undefined)
      return judged(written, context, { statements: [textOf(value.take())] });
    return judged(written, context, { statements: one(textValue(written)) });
  },
  'agent-rubric': (written, context) => judged(written, context, { statements: one(textValue(written)), reads: true }),
  'g-eval': (written, context) =>
    judged(written, context, {
      statements: written.value?.list === true ? textValues(written) : one(textValue(written)),
      reads: true,
    }),
  factuality: about('Its facts agree with these, and contradict none of them: '),
  'model-graded-factuality': about('Its facts agree with these, and contradict none of them: '),
  'model-graded-closedqa': about('It meets this criterion: '),
  'search-rubric': about(''),
  pi: about(''),
  similar: about('It means the same as: '),
  'similar:cosine': about('It means the same as: '),
  'similar:dot': about('It means the same as: '),
  'similar:euclidean': about('It means the same as: '),
  'trajectory:goal-success': about('The agent reached this goal: '),
  'answer-relevance': plain('It answers what was asked, and nothing else.'),
  'conversation-relevance': plain('Each answer of the conversation is about what was asked there.'),
  'is-refusal': plain('It refuses to do what was asked.'),
};

interface Judged {
  readonly statements: readonly string[] | undefined;
  /** Whether it says something slightly else than in its own tool. */
  readonly reads?: boolean;
}

function judged(
  written: WrittenAssertion,
  context: ImportContext,
  { statements, reads = false }: Judged,
): ReturnType<AssertionImporter> {
  if (statements === undefined || statements.length === 0 || statements.some((statement) => statement.trim() === ''))
    return undefined;
  const type = written.item.field('type') ?? written.item;
  if (reads) context.notes.change(type, 'It is one statement for a judge here, which says yes or no.');
  return statements.map((statement) => ({
    kind: 'output',
    check: { ...rubricCheck(type, context, statement), negated: written.negated },
  }));
}

function about(lead: string): AssertionImporter {
  return (written, context) => {
    const values = written.value?.list === true ? textValues(written) : one(textValue(written));
    return judged(written, context, { statements: values?.map((value) => `${lead}${value}`), reads: true });
  };
}

function plain(statement: string): AssertionImporter {
  return (written, context) =>
    isFile(written.value?.value) ? undefined : judged(written, context, { statements: [statement], reads: true });
}

function one(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : [text];
}
