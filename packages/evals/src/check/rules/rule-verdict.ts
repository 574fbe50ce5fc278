/** What came of a rule: whether it holds, what shows that, and the event of the step that does. */
export interface RuleVerdict {
  readonly passed: boolean;
  readonly evidence: string;
  readonly seq?: number | undefined;
}
