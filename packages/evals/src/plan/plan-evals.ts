import { expectOptions, quoted, SkillsError, type Sha256, type SkillRegistry } from '@skillpack/core';
import type { EvalCase, EvalSuite } from '../case/eval-case.js';
import type { Judge } from '../judge/judge.js';
import type { PlanOptions } from '../run/eval-options.js';
import { checkSuites, isTrials, mostTrials } from './check-suites.js';
import type { EvalArm, EvalJob, EvalPlan } from './eval-job.js';
import { jobKey, type KeyParts } from './job-key.js';
import { mostJobs } from './job-schema.js';
import { measureCase } from './measure-case.js';
import { expectNumber, expectSuites, unexpected } from './expect-given.js';
import { expectPorts } from './expect-ports.js';
import { OfferDigests } from './offer-digests.js';
import { planDigest } from './plan-digest.js';

/** What a plan is made with. */
export interface PlanPorts {
  readonly registry: SkillRegistry;
  /** @default there is no arm `old_skill` */
  readonly oldRegistry?: SkillRegistry | undefined;
  readonly sha256: Sha256;
  /** @default nobody judges */
  readonly judge?: Pick<Judge, 'name'> | undefined;
}

const optionNames: Readonly<Record<keyof PlanOptions, true>> = {
  models: true,
  arms: true,
  trials: true,
  filter: true,
  variant: true,
};

const allArms: readonly EvalArm[] = ['with_skill', 'without_skill', 'old_skill'];

/**
 * Makes a job of each case, arm, model and trial. Trials come one after another, so that a budget that ends it early has
 * seen every case before it sees one twice. Arms that show nothing are left out: cases of the kind `trigger` have no arm
 * `without_skill`, and a suite that names no skills has none but `with_skill`.
 *
 * @throws `INVALID_CASE` for suites that contradict themselves; `SKILL_NOT_FOUND` for a skill that is not in the catalogue;
 * `USAGE` for options that make no sense, for more than 20,000 jobs, and where nothing is left to run; what the registry
 * throws.
 * @example
 * ```ts
 * const plan = await planEvals(suites, { registry, sha256 }, { models: ['scripted'], trials: 3 });
 * ```
 */
export async function planEvals(
  suites: readonly EvalSuite[],
  ports: PlanPorts,
  options: PlanOptions,
): Promise<EvalPlan> {
  const settings = fillOptions(options);
  expectSuites(suites, 'planEvals');
  expectPorts(ports, { of: 'planEvals', needs: ['registry', 'sha256'] });
  checkSuites(suites);
  const digests = new OfferDigests(ports.sha256);
  const rows: Row[] = [];
  // One after another: a catalogue may have more files than can be open at once.
  for (const chosen of chosenCases(suites, options)) rows.push(await rowOf(chosen, ports, { settings, digests }));
  const jobs = interleave(rows, ports.sha256);
  if (jobs.length === 0) {
    throw new SkillsError('USAGE', 'There is nothing to run: no case is left.', {
      hint: 'Look at the filter and the arms: cases of the kind trigger have no arm without_skill.',
    });
  }
  return { formatVersion: 1, digest: planDigest(jobs, ports.sha256), variant: settings.variant, jobs };
}

interface Settings {
  readonly models: readonly string[];
  readonly arms: readonly EvalArm[];
  readonly trials: number;
  readonly variant: string;
}

function fillOptions(options: PlanOptions): Settings {
  expectOptions(options, { of: 'planEvals', names: optionNames });
  const { models, arms = ['with_skill'], trials = 1, filter, variant = '' } = options;
  checkList('models', models, (model) => typeof model === 'string' && model.trim() !== '' && model.length <= 512);
  checkList('arms', arms, (arm) => allArms.includes(arm));
  expectNumber(trials, 'trials', 'planEvals');
  if (typeof (variant as unknown) !== 'string') throw odd('variant', variant, 'A text');
  if (filter !== undefined && typeof (filter as unknown) !== 'function') throw odd('filter', filter, 'A function');
  if (!isTrials(trials)) {
    throw new SkillsError('USAGE', `There cannot be ${trials} trials: it is a whole number from 1 to ${mostTrials}.`);
  }
  return { models, arms: allArms.filter((arm) => arms.includes(arm)), trials, variant };
}

function checkList<Item extends string>(what: string, list: readonly Item[], fits: (item: Item) => boolean): void {
  // JavaScript gives anything.
  const given: unknown = list;
  if (!Array.isArray(given)) throw odd(what, given, 'A list');
  const first = given.findIndex((item) => typeof item !== 'string');
  if (first !== -1) throw odd(`${what}[${first}]`, given[first], 'A text');
  if (list.length === 0) {
    throw new SkillsError('USAGE', `planEvals is given no ${what}.`, { hint: 'Name at least one.' });
  }
  const wrong = list.find((item, at) => !fits(item) || list.indexOf(item) !== at);
  if (wrong === undefined) return;
  throw new SkillsError('USAGE', `The ${what} of planEvals name ${quoted(wrong)}, which is none, or twice there.`);
}

function odd(name: string, given: unknown, wanted: string): SkillsError {
  return unexpected(`${name} of planEvals`, { given, wanted });
}

interface ChosenCase {
  readonly suite: EvalSuite;
  readonly case: EvalCase;
}

function chosenCases(suites: readonly EvalSuite[], { filter }: PlanOptions): readonly ChosenCase[] {
  return suites.flatMap((suite) =>
    suite.cases
      .filter(({ id, tags }) => filter?.({ suite: suite.name, case: id, tags }) ?? true)
      .map((evalCase) => ({ suite, case: evalCase })),
  );
}

/** What the jobs of a case have in common, but for the trial. */
interface Row {
  readonly trials: number;
  readonly cells: readonly { readonly job: Omit<EvalJob, 'key' | 'trial'>; readonly parts: Omit<KeyParts, 'trial'> }[];
}

interface Planning {
  readonly settings: Settings;
  readonly digests: OfferDigests;
}

async function rowOf(
  { suite, case: whole }: ChosenCase,
  ports: PlanPorts,
  { settings, digests }: Planning,
): Promise<Row> {
  const { models, variant } = settings;
  const arms: { readonly arm: EvalArm; readonly parts: Omit<KeyParts, 'trial' | 'model'> }[] = [];
  for (const arm of armsOf({ suite, case: whole }, settings.arms)) {
    const { parts } = await measureCase({ suite, case: whole, arm }, ports, digests);
    arms.push({ arm, parts: { ...parts, variant } });
  }
  const place = { suite: suite.name, case: whole.id };
  return {
    trials: whole.trials ?? settings.trials,
    cells: models.flatMap((model) =>
      arms.map(({ arm, parts }) => ({ job: { ...place, arm, model }, parts: { ...parts, model } })),
    ),
  };
}

function armsOf({ suite, case: { kind } }: ChosenCase, arms: readonly EvalArm[]): readonly EvalArm[] {
  return arms.filter((arm) => {
    if (arm === 'with_skill') return true;
    return suite.skills.length > 0 && (kind === 'task' || arm !== 'without_skill');
  });
}

function interleave(rows: readonly Row[], sha256: Sha256): readonly EvalJob[] {
  const planned = rows.reduce((sum, { trials, cells }) => sum + trials * cells.length, 0);
  if (planned > mostJobs) {
    throw new SkillsError('USAGE', `These are ${planned} trials; a plan has at most ${mostJobs}.`, {
      hint: 'Take fewer trials, models or cases at a time.',
    });
  }
  const most = rows.reduce((longest, { trials }) => Math.max(longest, trials), 0);
  const numbers = Array.from({ length: most }, (_, at) => at + 1);
  return numbers.flatMap((trial) =>
    rows
      .filter(({ trials }) => trial <= trials)
      .flatMap(({ cells }) =>
        cells.map(({ job, parts }) => ({ key: jobKey({ ...parts, trial }, sha256), ...job, trial })),
      ),
  );
}
