import { visibleText } from '@skillpack/core';
import type { EvalResult } from '../results/eval-result.js';
import { groupBy, isScored, type CaseTrials } from '../score/case-trials.js';
import { countTrials } from '../score/score-tasks.js';
import { skillChoice } from '../score/skill-choice.js';
import type { CaseChange } from './eval-comparison.js';
import type { CasePair } from './pair-results.js';

const longestWhy = 300;

/** Cases whose pass rate is another one, the largest drop first, with what explains it. */
export function caseChanges(pairs: readonly CasePair[]): readonly CaseChange[] {
  return pairs
    .flatMap((pair) => {
      const [before, after] = [passRate(pair.before), passRate(pair.after)];
      if (before === undefined || after === undefined || before === after) return [];
      const { suite, case: name, model, arm } = pair.after;
      const why = after < before ? explain(pair.after) : undefined;
      return [{ suite, case: name, model, arm, before, after, ...(why === undefined ? {} : { why }) }];
    })
    .toSorted((left, right) => left.after - left.before - (right.after - right.before));
}

function passRate(one: CaseTrials): number | undefined {
  const { successes, total } = countTrials(one);
  return total === 0 ? undefined : successes / total;
}

/** What most of the trials that failed did. */
function explain({ trials }: CaseTrials): string | undefined {
  const scored = trials.filter(isScored);
  const reasons = scored.filter(({ outcome }) => outcome === 'failed').flatMap((trial) => explainTrial(trial) ?? []);
  const [most] = groupBy(reasons, (reason) => reason).toSorted((left, right) => right.length - left.length);
  if (most?.[0] === undefined) return undefined;
  const often = scored.length === 1 ? '' : ` (${most.length} of ${scored.length} trials)`;
  return `${most[0]}${often}`;
}

function explainTrial(trial: EvalResult): string | undefined {
  const choice = explainChoice(trial);
  if (choice !== undefined) return choice;
  const failed = trial.checks.find(({ verdict }) => verdict === 'failed');
  return failed === undefined ? undefined : shorten(`${failed.text}: ${failed.evidence}`);
}

function explainChoice(trial: EvalResult): string | undefined {
  const choice = skillChoice(trial);
  if (choice === undefined) return undefined;
  const { wanted, fired, hit, intruded } = choice;
  const missed = wanted.skills.filter((skill) => !fired.includes(skill));
  if (hit === false) {
    const others = fired.filter((skill) => !wanted.skills.includes(skill));
    const wish = missed.join(wanted.all ? ' and ' : ' or ');
    return shorten(others.length === 0 ? `did not choose ${wish}` : `chose ${others.join(', ')} instead of ${wish}`);
  }
  if (intruded !== true) return undefined;
  const wrong = wanted.not.length === 0 ? fired : fired.filter((skill) => wanted.not.includes(skill));
  return shorten(`chose ${wrong.join(', ')}, which it must not`);
}

function shorten(text: string): string {
  const line = visibleText(text);
  // Not through a character that is two UTF-16 code units.
  return line.length <= longestWhy ? line : `${line.slice(0, longestWhy - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
