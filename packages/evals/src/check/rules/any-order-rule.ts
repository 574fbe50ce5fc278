import type { StepPattern } from '../../case/expectations.js';
import { distinctBindings, unbound, type Bindings } from './bindings.js';
import { describePattern } from './describe-pattern.js';
import { Looks } from './looks.js';
import { matchStep } from './match-step.js';
import { nameSteps } from './name-step.js';
import type { RuleStep } from './rule-step.js';
import type { RuleVerdict } from './rule-verdict.js';
import { happened } from './which-happened.js';

/** A part of a step, which stands for one step of the sequence at most. */
interface Unit {
  readonly key: string;
  readonly step: RuleStep;
}

/** The steps all happen, each by itself, in whatever order. */
export function checkAnyOrder(patterns: readonly StepPattern[], all: readonly RuleStep[]): RuleVerdict {
  const steps = all.filter(happened);
  const looks = new Looks(steps);
  let best: Assigned = { found: [], missing: 0 };
  for (const bindings of waysOf(patterns, steps, looks)) {
    looks.through(patterns.length);
    const assigned = assign(patterns, { steps, bindings });
    if (assigned.missing === undefined) {
      const found = assigned.found.toSorted((left, right) => left.seq - right.seq);
      return { passed: true, evidence: `They are ${nameSteps(found)}.`, seq: found.at(-1)?.seq };
    }
    if (assigned.found.length >= best.found.length) best = assigned;
  }
  const missing = describePattern(patterns[best.missing ?? 0] ?? {}, unbound);
  const found = best.found.length === 0 ? '' : ` besides ${nameSteps(best.found)}`;
  return { passed: false, evidence: `There is no ${missing}${found}.`, seq: best.found.at(-1)?.seq };
}

/** Values for all variables together, as far as steps have them. @throws `TooManyWays`. */
function waysOf(patterns: readonly StepPattern[], steps: readonly RuleStep[], looks: Looks): readonly Bindings[] {
  let ways: readonly Bindings[] = [unbound];
  for (const pattern of patterns) {
    looks.through(ways.length);
    const next = ways.flatMap((way) =>
      steps.flatMap((step) => matchStep(pattern, step, way).flatMap((match) => match.bindings)),
    );
    // What no step is stays missing for any values.
    if (next.length > 0) ways = distinctBindings(next);
  }
  return ways;
}

interface Assigned {
  readonly found: readonly RuleStep[];
  /** The first of the patterns that nothing is left for. */
  readonly missing: number | undefined;
}

interface Given {
  readonly steps: readonly RuleStep[];
  readonly bindings: Bindings;
}

/** A step for each pattern: a matching of a graph with two sides, by augmenting paths. */
function assign(patterns: readonly StepPattern[], { steps, bindings }: Given): Assigned {
  const units = patterns.map((pattern) => steps.flatMap((step) => unitsOf(pattern, step, bindings)));
  const taken = new Map<string, { readonly pattern: number; readonly step: RuleStep }>();
  const place = (pattern: number, tried: Set<string>): boolean => {
    for (const { key, step } of units[pattern] ?? []) {
      if (tried.has(key)) continue;
      tried.add(key);
      const other = taken.get(key);
      if (other !== undefined && !place(other.pattern, tried)) continue;
      taken.set(key, { pattern, step });
      return true;
    }
    return false;
  };
  let missing: number | undefined;
  for (const pattern of patterns.keys()) if (!place(pattern, new Set())) missing ??= pattern;
  return { found: [...taken.values()].map(({ step }) => step), missing };
}

function unitsOf(pattern: StepPattern, step: RuleStep, bindings: Bindings): readonly Unit[] {
  return matchStep(pattern, step, bindings).map(({ place }) => ({ key: `${step.kind} ${step.seq} ${place}`, step }));
}
