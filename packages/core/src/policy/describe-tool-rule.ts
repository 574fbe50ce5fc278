import { parseToolRule } from './parse-tool-rule.js';
import type { RiskClass } from './risk-class.js';

/** What a rule is about, as far as its text alone tells. */
export type DescribedRule =
  /** `*`: every use of every tool. */
  | { readonly kind: 'all' }
  /** `risk:low`: every use of the tools of that class. */
  | { readonly kind: 'risk'; readonly risk: RiskClass }
  /** `Bash(git:*)`: uses of the tools that the name stands for, some of them where it has a pattern. */
  | { readonly kind: 'tool'; readonly name: string; readonly uses: 'all' | 'some' }
  /** `mcp__server`: every use of the tools whose names begin so. */
  | { readonly kind: 'server'; readonly prefix: string }
  /** It allows nothing; `problem` says what is wrong and what would do, for a person. */
  | { readonly kind: 'unreadable'; readonly problem: string };

/** Says what a rule is about, or what is wrong with it. Never throws. */
export function describeToolRule(text: string): DescribedRule {
  const rule = parseToolRule(text);
  switch (rule.kind) {
    case 'tool':
      return { kind: 'tool', name: rule.name, uses: rule.pattern === undefined ? 'all' : 'some' };
    case 'unreadable':
      return { kind: 'unreadable', problem: rule.problem };
    case 'all':
    case 'risk':
    case 'server':
      return rule;
  }
}
