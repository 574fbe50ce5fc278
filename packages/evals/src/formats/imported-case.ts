import type { CaseLimits, EvalCase, EvalFile } from '../case/eval-case.js';
import type { ActionRule, ExpectedSkills, OutputCheck } from '../case/expectations.js';

/** What an importer says of a case; everything else is as it is by default. */
export interface CaseParts {
  readonly id: string;
  readonly kind: EvalCase['kind'];
  readonly title?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** What the person says, one line after another. */
  readonly lines: readonly string[];
  readonly files?: readonly EvalFile[] | undefined;
  readonly skills?: ExpectedSkills | undefined;
  readonly actions?: readonly ActionRule[] | undefined;
  readonly output?: readonly OutputCheck[] | undefined;
  readonly limits?: CaseLimits | undefined;
  readonly trials?: number | undefined;
}

/** A case with what an importer says of it. */
export function importedCase(parts: CaseParts): EvalCase {
  const {
    id,
    kind,
    title,
    tags = [],
    lines,
    files = [],
    skills,
    actions = [],
    output = [],
    limits = {},
    trials,
  } = parts;
  return {
    id,
    kind,
    ...(title === undefined || title === '' ? {} : { title }),
    tags: [...new Set(tags)],
    conversation: lines.map((input) => ({ input })),
    files,
    offer: { distractors: [], preload: [] },
    expected: { ...(skills === undefined ? {} : { skills }), actions, output, disclosure: true, approvals: true },
    limits,
    ...(trials === undefined ? {} : { trials }),
  };
}
