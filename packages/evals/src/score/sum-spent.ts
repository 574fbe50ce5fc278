import type { EvalResult, JudgeSpent } from '../results/eval-result.js';
import type { ReportSpent } from './eval-report.js';

/** What all results took, whatever became of them. */
export function sumSpent(results: readonly EvalResult[]): ReportSpent {
  const spent = results.map((result) => result.spent);
  const judged = spent.flatMap(({ judge }) => judge ?? []);
  // What was never asked costs nothing, whether its price is known or not.
  const cost = sumKnown(spent.map((one) => (one.turns === 0 ? (one.cost ?? 0) : one.cost)));
  return {
    turns: sum(spent.map(({ turns }) => turns)),
    inputTokens: sum(spent.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(spent.map(({ outputTokens }) => outputTokens)),
    ...(cost === undefined ? {} : { cost }),
    duration: sum(spent.map(({ duration }) => duration)),
    ...(judged.length === 0 ? {} : { judge: sumJudged(judged) }),
  };
}

function sumJudged(judged: readonly JudgeSpent[]): JudgeSpent {
  const cost = sumKnown(judged.map((one) => (one.calls === 0 ? (one.cost ?? 0) : one.cost)));
  return {
    calls: sum(judged.map(({ calls }) => calls)),
    inputTokens: sum(judged.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(judged.map(({ outputTokens }) => outputTokens)),
    ...(cost === undefined ? {} : { cost }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((so, number) => so + number, 0);
}

function sumKnown(numbers: readonly (number | undefined)[]): number | undefined {
  return numbers.reduce<number | undefined>(
    (so, number) => (so === undefined || number === undefined ? undefined : so + number),
    0,
  );
}
