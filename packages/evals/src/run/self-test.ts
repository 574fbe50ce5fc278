import { expectOptions, quoted, SkillsError, type Clock } from '@skillpack/core';
import type { EvalCase, EvalSuite } from '../case/eval-case.js';
import { wantedSkills } from '../check/wanted-skills.js';
import { caseOffer } from '../plan/case-offer.js';
import { checkSuites } from '../plan/check-suites.js';
import { expectSuites } from '../plan/expect-given.js';
import { expectPorts } from '../plan/expect-ports.js';
import { planEvals } from '../plan/plan-evals.js';
import { memoryResults } from '../results/memory-results.js';
import type { EvalPorts, ModelSource } from '../trial/eval-ports.js';
import { BodyWatch } from './body-watch.js';
import type { EvalExecutor } from './eval-executor.js';
import { judgeYardsticks } from './judge-yardsticks.js';
import { runEvals } from './run-evals.js';
import type { SelfTestFinding, SelfTestReport } from './self-test-report.js';
import { yardstickModel, yardstickName, yardsticks } from './yardstick-models.js';

/** What is tested: everything that evals are run with, but the models and the log. */
export type SelfTestPorts = Pick<EvalPorts, 'registry' | 'ground' | 'clock' | 'sha256'>;

/** How it is tested. */
export interface SelfTestOptions {
  readonly signal?: AbortSignal | undefined;
  /** The one that the evals are to be run by. @default in this process */
  readonly executor?: EvalExecutor | undefined;
}

/**
 * Tries what measures triggering before anything is spent: three models that need no network, one that always chooses what
 * a case is about, one that never chooses, and one that is dead, go through the very same trials as real ones. The first
 * has to come to a recall of 1 and a specificity of 0, the second to the opposite, and of the third nothing may be scored.
 *
 * @throws what the executor throws; `INTERRUPTED`.
 */
export async function selfTest(
  suites: readonly EvalSuite[],
  ports: SelfTestPorts,
  options: SelfTestOptions = {},
): Promise<SelfTestReport> {
  expectOptions(options, { of: 'selfTest', names: { signal: true, executor: true } });
  const { signal, executor } = options;
  expectSuites(suites, 'selfTest');
  expectPorts(ports, { of: 'selfTest', needs: ['registry', 'ground', 'clock', 'sha256'] });
  const tried = suites.map((suite) => ({
    ...suite,
    cases: suite.cases.filter(isTried).map((one) => ({ ...one, trials: 1 })),
  }));
  const cases = tried.reduce((sum, suite) => sum + suite.cases.length, 0);
  const findings = await findNotOffered(tried, ports);
  const spoilt = new Set(findings.map(({ suite, case: id }) => JSON.stringify([suite, id])));
  const sound = tried.map((suite) => ({
    ...suite,
    cases: suite.cases.filter(({ id }) => !spoilt.has(JSON.stringify([suite.name, id]))),
  }));
  if (sound.some((suite) => suite.cases.length > 0)) {
    const watched: SelfTestFinding[] = [];
    const plan = await planEvals(sound, ports, { models: yardsticks.map(yardstickName) });
    const models = yardstickSource(sound, ports, watched);
    const run = await runEvals({ suites: sound, plan }, selfTestPorts(ports, models), {
      signal,
      retries: 0,
      ...(executor !== undefined && { executor }),
    });
    if (run.stoppedBy !== undefined) throw new SkillsError('INTERRUPTED', 'The self-test was cancelled.');
    findings.push(...firstOfEach(watched), ...judgeYardsticks(plan, run.results));
  }
  return { passed: findings.length === 0, findings, cases };
}

/** Cases of triggering that say what they want. */
function isTried(evalCase: EvalCase): boolean {
  return evalCase.kind === 'trigger' && wantedSkills(evalCase) !== undefined;
}

async function findNotOffered(suites: readonly EvalSuite[], ports: SelfTestPorts): Promise<SelfTestFinding[]> {
  checkSuites(suites);
  const findings: SelfTestFinding[] = [];
  for (const suite of suites) {
    for (const evalCase of suite.cases) {
      const offered = await caseOffer({ suite, case: evalCase, arm: 'with_skill' }, ports);
      const problem = offerProblem(evalCase, new Set(offered.map(({ entry }) => entry.name.normalize('NFC'))));
      if (problem === undefined) continue;
      const message = `The case ${quoted(`${suite.name}/${evalCase.id}`)} ${problem}.`;
      findings.push({ kind: 'not_offered', message, suite: suite.name, case: evalCase.id });
    }
  }
  return findings;
}

/** A skill that is not there can neither be chosen nor left alone. */
function offerProblem(evalCase: EvalCase, offered: ReadonlySet<string>): string | undefined {
  const { skills = [], all = false, not = [] } = wantedSkills(evalCase) ?? {};
  const missing = (name: string): boolean => !offered.has(name.normalize('NFC'));
  const wanted = skills.filter(missing);
  if (wanted.length > 0 && (all || wanted.length === skills.length)) {
    return `wants ${wanted.map((name) => quoted(name)).join(', ')}, and does not offer it: no model can pass it`;
  }
  if (not.length > 0 && not.every(missing)) {
    return `forbids ${not.map((name) => quoted(name)).join(', ')}, and does not offer it: no model can fail it`;
  }
  return offered.size === 0 ? 'offers no skill: nothing can be chosen' : undefined;
}

function yardstickSource(suites: readonly EvalSuite[], ports: SelfTestPorts, findings: SelfTestFinding[]): ModelSource {
  const watch = new BodyWatch(ports.registry);
  return {
    open: async ({ job, case: evalCase }) => {
      const suite = suites.find(({ name }) => name === job.suite);
      const yardstick = yardsticks.find((one) => yardstickName(one) === job.model);
      if (suite === undefined || yardstick === undefined) throw new Error(`There is no model ${job.model}.`);
      const offered = await caseOffer({ suite, case: evalCase, arm: job.arm }, ports);
      const names = offered.map(({ entry }) => entry.name);
      const said = evalCase.conversation.map(({ input }) => input).join('\n');
      const model = yardstickModel(yardstick, { case: evalCase, offered: names }, async (request) => {
        const skill = await watch.shown(request, said);
        if (skill === undefined) return;
        const message = `In the case ${quoted(`${job.suite}/${job.case}`)}, a model is shown the text of ${quoted(skill)} before it chose.`;
        findings.push({ kind: 'body_shown', message, suite: job.suite, case: job.case });
      });
      return { model };
    },
  };
}

/** A model that cannot be reached is asked several times: nobody waits for it here. */
function selfTestPorts({ registry, ground, clock, sha256 }: SelfTestPorts, models: ModelSource): EvalPorts {
  const { startTimer } = clock;
  const fast: Clock = {
    now: () => clock.now(),
    ...(startTimer !== undefined && { startTimer: (milliseconds) => startTimer.call(clock, milliseconds) }),
    pause: async () => undefined,
  };
  return { registry, ground, models, sha256, clock: fast, results: memoryResults() };
}

function firstOfEach(findings: readonly SelfTestFinding[]): readonly SelfTestFinding[] {
  return [...new Map(findings.toReversed().map((finding) => [finding.message, finding])).values()].toReversed();
}
