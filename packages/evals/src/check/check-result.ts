/** What part of a case a check belongs to. */
export type CheckKind = 'skills' | 'actions' | 'output' | 'disclosure' | 'approvals' | 'limits' | 'rubric';

/** What came of one thing that was expected. */
export interface CheckResult {
  readonly kind: CheckKind;
  /** What was expected, in a sentence: `load_resource of $X comes before run_script of $X`. */
  readonly text: string;
  /** `not_judged`: nobody could say, as there is no judge. The trial is then neither passed nor failed by it. */
  readonly verdict: 'passed' | 'failed' | 'not_judged';
  /** What there was instead, or what shows that it holds; one line to a few, at most 2,000 characters. */
  readonly evidence: string;
  /** Of the event of the run that breaks it, or shows it. */
  readonly seq?: number | undefined;
}
