import type { StepPattern } from '../../case/expectations.js';
import { keyOfBindings, TooManyWays, unbound, type Bindings } from './bindings.js';
import { comesAfter, type PlacedPart } from './comes-after.js';
import { describePattern } from './describe-pattern.js';
import { Looks } from './looks.js';
import { matchStep } from './match-step.js';
import { nameStep, nameSteps } from './name-step.js';
import type { RuleStep } from './rule-step.js';
import type { RuleVerdict } from './rule-verdict.js';
import { happened } from './which-happened.js';

/** The first steps of a sequence, found one after another. */
interface Found {
  readonly bindings: Bindings;
  readonly steps: readonly RuleStep[];
  /** The last of them. */
  readonly last: PlacedPart | undefined;
}

/** Far more than any honest run comes to. */
const mostFound = 2_000;

/** The steps happen one after another, with anything between them. */
export function checkInOrder(patterns: readonly StepPattern[], all: readonly RuleStep[]): RuleVerdict {
  const steps = all.filter(happened);
  const looks = new Looks(steps);
  let found: readonly Found[] = [{ bindings: unbound, steps: [], last: undefined }];
  for (const [at, pattern] of patterns.entries()) {
    looks.through(found.length);
    const next = goOn(found, pattern, steps);
    if (next.length === 0) return stuck(patterns, { at, before: found, steps });
    found = next;
  }
  const [whole] = found;
  const last = whole?.steps.at(-1);
  return { passed: true, evidence: `They are ${nameSteps(whole?.steps ?? [])}.`, seq: last?.seq };
}

/** Of those with the same values, whoever is done first can be followed by whatever the others can. */
function goOn(found: readonly Found[], pattern: StepPattern, steps: readonly RuleStep[]): readonly Found[] {
  const best = new Map<string, Found>();
  for (const one of found) {
    for (const step of steps) {
      for (const match of matchStep(pattern, step, one.bindings)) {
        if (one.last !== undefined && !comesAfter(match, one.last)) continue;
        // Of the same selection, more can follow.
        const same = step.parts.length > 1 ? `${step.seq} ${match.place}` : '';
        for (const bindings of match.bindings) {
          const key = `${keyOfBindings(bindings)} ${same}`;
          const known = best.get(key);
          if (known?.last !== undefined && known.last.part.until <= match.part.until) continue;
          best.set(key, { bindings, steps: [...one.steps, step], last: match });
          if (best.size > mostFound) throw new TooManyWays();
        }
      }
    }
  }
  return [...best.values()];
}

interface Stuck {
  readonly at: number;
  readonly before: readonly Found[];
  readonly steps: readonly RuleStep[];
}

function stuck(patterns: readonly StepPattern[], { at, before, steps }: Stuck): RuleVerdict {
  const [furthest] = before;
  const { bindings = unbound, last } = furthest ?? {};
  const pattern = patterns[at] ?? {};
  const missing = describePattern(pattern, bindings);
  const where = last === undefined ? 'There is no' : `After ${nameStep(last.step)} there should be`;
  const early = steps.find((step) => step !== last?.step && matchStep(pattern, step, bindings).length > 0);
  const hint = early === undefined ? '' : `; ${nameStep(early)} came too early`;
  const count = `step ${at + 1} of ${patterns.length}`;
  return { passed: false, evidence: `${where} ${missing} (${count})${hint}.`, seq: early?.seq ?? last?.step.seq };
}
