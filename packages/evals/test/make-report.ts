import type {
  CaseCell,
  CaseScore,
  ConfusionCell,
  EvalArm,
  EvalComparison,
  EvalReport,
  EvalResult,
  Rate,
  TaskScore,
  TrialOutcome,
  TriggerScore,
} from '../src/index.js';

/** A report with every part that a report can have, counted from results; what is compared is written by hand. */
export function makeReport(results: readonly EvalResult[], options: { readonly compared?: boolean } = {}): EvalReport {
  const models = [...new Set(results.map(({ model }) => model))];
  const arms = [...new Set(results.map(({ arm }) => arm))];
  const groups = models.flatMap((model) => arms.map((arm) => ({ model, arm })));
  const of = (kind: string, { model, arm }: { model: string; arm: EvalArm }): readonly EvalResult[] =>
    results.filter((result) => result.kind === kind && result.model === model && result.arm === arm);
  const failed = count(results, 'failed');
  return {
    formatVersion: 1,
    title: 'documents, writing',
    at: '2026-11-22T08:14:09.000Z',
    verdict: {
      kind: failed === 0 ? 'passed' : 'failed',
      reasons: [
        `${failed} of ${results.length} trials failed.`,
        ...(options.compared === true
          ? [
              'Recall of anthropic:claude-sonnet-4-5 with skill fell from 94.0 % to 81.2 % (p = 0.012), more than chance explains.',
            ]
          : []),
      ],
    },
    counts: {
      passed: count(results, 'passed'),
      failed,
      inconclusive: count(results, 'inconclusive'),
      error: count(results, 'error'),
      stopped: count(results, 'stopped'),
      planned: results.length,
      reused: 0,
    },
    suites: [...new Set(results.map(({ suite }) => suite))],
    models,
    arms,
    triggers: groups.map((group) => scoreTriggers(group, of('trigger', group))),
    tasks: groups.map((group) => scoreTasks(group, of('task', group))),
    lifts: arms.includes('without_skill')
      ? models.map((model) => ({
          model,
          arm: 'with_skill',
          against: 'without_skill',
          pairs: 20,
          value: 0.413,
          interval: { low: 0.286, high: 0.54 },
        }))
      : [],
    cases: scoreCases(results),
    spent: {
      turns: sum(results, ({ spent }) => spent.turns),
      inputTokens: sum(results, ({ spent }) => spent.inputTokens),
      outputTokens: sum(results, ({ spent }) => spent.outputTokens),
      cost: sum(results, ({ spent }) => spent.cost ?? 0),
      duration: sum(results, ({ spent }) => spent.duration),
      judge: { calls: 12, inputTokens: 18_400, outputTokens: 900, cost: 0.0712 },
    },
    ...(options.compared === true ? { comparison: makeComparison(results) } : {}),
  };
}

export function makeRate(successes: number, total: number): Rate {
  if (total === 0) return { successes, total, value: undefined, interval: undefined };
  const share = successes / total;
  const z = 1.96 ** 2;
  const middle = (share + z / (2 * total)) / (1 + z / total);
  const half = (1.96 / (1 + z / total)) * Math.sqrt((share * (1 - share)) / total + z / (4 * total * total));
  return {
    successes,
    total,
    value: share,
    interval: { low: Math.max(0, middle - half), high: Math.min(1, middle + half) },
  };
}

function scoreTriggers(group: { model: string; arm: EvalArm }, results: readonly EvalResult[]): TriggerScore {
  const scored = results.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed');
  const wants = scored.filter(({ wanted }) => (wanted?.skills.length ?? 0) > 0);
  const truePositives = count(wants, 'passed');
  const negatives = scored.filter((result) => !wants.includes(result));
  const falsePositives = count(negatives, 'failed');
  const chosen = [...new Set(scored.flatMap(({ wanted, fired }) => [...(wanted?.skills ?? []), ...fired]))].toSorted();
  const precision = makeRate(truePositives, truePositives + falsePositives);
  const recall = makeRate(truePositives, wants.length);
  return {
    ...group,
    truePositives,
    falseNegatives: wants.length - truePositives,
    falsePositives,
    trueNegatives: negatives.length - falsePositives,
    inconclusive: count(results, 'inconclusive'),
    errors: count(results, 'error'),
    precision,
    recall,
    specificity: makeRate(negatives.length - falsePositives, negatives.length),
    f1:
      precision.value === undefined || recall.value === undefined || precision.value + recall.value === 0
        ? undefined
        : {
            value: (2 * precision.value * recall.value) / (precision.value + recall.value),
            interval: { low: 0.7, high: 0.9 },
          },
    skills: chosen.map((skill) => ({ skill, precision: makeRate(3, 4), recall: makeRate(4, 6) })),
    confusion: confuse(scored),
  };
}

function confuse(results: readonly EvalResult[]): readonly ConfusionCell[] {
  const cells = new Map<string, ConfusionCell>();
  for (const { wanted, fired } of results) {
    for (const want of wanted?.skills.length === 0 ? [null] : (wanted?.skills ?? [null])) {
      for (const fire of fired.length === 0 ? [null] : fired) {
        const key = JSON.stringify([want, fire]);
        cells.set(key, { wanted: want, fired: fire, count: (cells.get(key)?.count ?? 0) + 1 });
      }
    }
  }
  return [...cells.values()];
}

function scoreTasks(group: { model: string; arm: EvalArm }, results: readonly EvalResult[]): TaskScore {
  const passed = count(results, 'passed');
  const checks = results.flatMap((result) => result.checks);
  return {
    ...group,
    passRate: makeRate(passed, passed + count(results, 'failed')),
    checkRate: makeRate(checks.filter(({ verdict }) => verdict === 'passed').length, checks.length),
    passAtK: [1, 2, 3].map((k) => ({ k, value: 1 - 0.3 ** k, cases: 20 })),
    passHatK: [1, 2, 3].map((k) => ({ k, value: 0.7 ** k, cases: 20 })),
  };
}

function scoreCases(results: readonly EvalResult[]): readonly CaseScore[] {
  const cases = new Map<string, EvalResult[]>();
  for (const result of results) {
    const key = `${result.suite}/${result.case}`;
    const known = cases.get(key);
    if (known === undefined) cases.set(key, [result]);
    else known.push(result);
  }
  return [...cases.values()].map((trials) => {
    const first = trials[0]!;
    const cells = new Map<string, EvalResult[]>();
    for (const trial of trials) {
      const key = JSON.stringify([trial.model, trial.arm]);
      cells.set(key, [...(cells.get(key) ?? []), trial]);
    }
    return {
      suite: first.suite,
      case: first.case,
      kind: first.kind,
      title: first.kind === 'task' ? `Works through ${first.case.replaceAll('-', ' ')}` : undefined,
      tags: first.tags,
      cells: [...cells.values()].map(scoreCell),
    };
  });
}

function scoreCell(trials: readonly EvalResult[]): CaseCell {
  const failures = new Map<string, number>();
  for (const check of trials.flatMap(({ checks }) => checks)) {
    if (check.verdict === 'failed') failures.set(check.text, (failures.get(check.text) ?? 0) + 1);
  }
  const passed = count(trials, 'passed');
  return {
    model: trials[0]!.model,
    arm: trials[0]!.arm,
    outcomes: trials.map(({ outcome }) => outcome),
    keys: trials.map(({ key }) => key),
    passRate: makeRate(passed, passed + count(trials, 'failed')),
    failures: [...failures].map(([text, times]) => ({ text, count: times })),
  };
}

function makeComparison(results: readonly EvalResult[]): EvalComparison {
  const model = results[0]!.model;
  const shared = { model, arm: 'with_skill', pairs: 40 } as const;
  const changed = [...new Map(results.map((result) => [result.case, result])).values()].slice(0, 6);
  return {
    verdict: 'worse',
    reasons: ['Recall fell from 94.0 % to 81.2 % over 40 cases (p = 0.012).'],
    measures: [
      {
        ...shared,
        name: 'recall',
        verdict: 'worse',
        before: 0.94,
        after: 0.812,
        difference: -0.128,
        interval: { low: -0.21, high: -0.04 },
        lost: 9,
        won: 1,
        pValue: 0.0215,
      },
      {
        ...shared,
        name: 'specificity',
        verdict: 'no_change',
        before: 0.95,
        after: 0.95,
        difference: 0,
        interval: { low: -0.02, high: 0.02 },
        lost: 0,
        won: 0,
        pValue: 1,
      },
      {
        ...shared,
        name: 'pass_rate',
        verdict: 'underpowered',
        before: 0.7,
        after: 0.74,
        difference: 0.04,
        interval: { low: -0.08, high: 0.16 },
        lost: 3,
        won: 5,
        pValue: 0.727,
        needed: 214,
      },
    ],
    changes: changed.map((result, index) => ({
      suite: result.suite,
      case: result.case,
      model,
      arm: 'with_skill',
      before: index < 4 ? 1 : 0,
      after: index < 4 ? 0.33 : 1,
      ...(index < 4 ? { why: 'skill fired: docx instead of pdf' } : {}),
    })),
    onlyInBaseline: ['documents/old-case'],
    onlyHere: [],
  };
}

function count(results: readonly EvalResult[], outcome: TrialOutcome): number {
  return results.filter((result) => result.outcome === outcome).length;
}

function sum(results: readonly EvalResult[], of: (result: EvalResult) => number): number {
  return results.reduce((total, result) => total + of(result), 0);
}
