import type { EvalCase, EvalSuite } from '../../case/eval-case.js';
import type { EvalArm } from '../../plan/eval-job.js';
import type { EvalResult } from '../../results/eval-result.js';

/** The results of one suite and one model, each trial once, in order. */
export interface SuiteRuns {
  readonly suite: EvalSuite;
  readonly results: readonly EvalResult[];
  /** Where its files go: `pdf-workspace/iteration-1`. */
  readonly folder: string;
}

/** The first one is that of which differences are told. */
export const armOrder: readonly EvalArm[] = ['with_skill', 'without_skill', 'old_skill'];

/** Whether a trial counts: it ran, and could be judged. */
export function isScored({ outcome }: EvalResult): boolean {
  return outcome === 'passed' || outcome === 'failed';
}

/** A text as one part of a path, on any disk. */
export function pathPart(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9._-]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/gu, '');
  return plain === '' ? 'skill' : plain.slice(0, 100);
}

/** The folder of a case. */
export function evalFolder(id: string): string {
  return `eval-${pathPart(id)}`;
}

/** The case that a result is of; `undefined` where the suite has it no more. */
export function caseOf({ suite }: SuiteRuns, result: EvalResult): EvalCase | undefined {
  return suite.cases.find(({ id }) => id === result.case);
}

/** The numbers that viewers know cases by: their ids where those are numbers, else their places in the suite, from 1. */
export function evalIds({ suite, results }: SuiteRuns): ReadonlyMap<string, number> {
  const ids = [...new Set([...suite.cases.map(({ id }) => id), ...results.map((result) => result.case)])];
  const numbered = ids.every((id) => /^(?:0|[1-9]\d{0,14})$/u.test(id));
  return new Map(ids.map((id, index) => [id, numbered ? Number(id) : index + 1]));
}
