import type { CaseLimits } from '../../case/eval-case.js';
import type { ActionRule, ExpectedSkills, OutputCheck } from '../../case/expectations.js';

/** What one assertion adds to a case. */
export type Contribution =
  | { readonly kind: 'output'; readonly check: OutputCheck }
  | { readonly kind: 'action'; readonly rule: ActionRule }
  | { readonly kind: 'uses'; readonly skills: readonly string[] }
  | { readonly kind: 'avoids'; readonly skills: readonly string[] }
  | { readonly kind: 'limit'; readonly limit: Pick<CaseLimits, 'maxCost' | 'maxSeconds'> };

/** What all assertions of a case come to. */
export interface Contributed {
  readonly skills: ExpectedSkills | undefined;
  readonly actions: readonly ActionRule[];
  readonly output: readonly OutputCheck[];
  readonly limits: CaseLimits;
}

/** Puts together what the assertions of one case add: of two limits the tighter one. */
export function contributed(parts: readonly Contribution[]): Contributed {
  const uses = unique(parts.flatMap((part) => (part.kind === 'uses' ? part.skills : [])));
  const avoids = unique(parts.flatMap((part) => (part.kind === 'avoids' ? part.skills : []))).filter(
    (name) => !uses.includes(name),
  );
  const limits = parts.flatMap((part) => (part.kind === 'limit' ? [part.limit] : []));
  const skills = { ...(uses.length === 0 ? {} : { allOf: uses }), ...(avoids.length === 0 ? {} : { none: avoids }) };
  return {
    skills: Object.keys(skills).length === 0 ? undefined : skills,
    actions: parts.flatMap((part) => (part.kind === 'action' ? [part.rule] : [])),
    output: parts.flatMap((part) => (part.kind === 'output' ? [part.check] : [])),
    limits: {
      ...least('maxCost', limits),
      ...least('maxSeconds', limits),
    },
  };
}

function least(name: 'maxCost' | 'maxSeconds', limits: readonly CaseLimits[]): CaseLimits {
  const values = limits.flatMap((limit) => limit[name] ?? []);
  return values.length === 0 ? {} : { [name]: Math.min(...values) };
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
