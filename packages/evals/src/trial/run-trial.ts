import { createMemoryJournal, createRedactor, digestHex, SkillsError, type MemoryJournal } from '@skillpack/core';
import { checkTrial } from '../check/check-trial.js';
import type { CheckResult } from '../check/check-result.js';
import { firedSkills } from '../check/fired-skills.js';
import { wantedSkills } from '../check/wanted-skills.js';
import type { EvalResult, TrialOutcome } from '../results/eval-result.js';
import { formatResult } from '../results/format-result.js';
import { parseResult } from '../results/parse-results.js';
import { stepsOf } from '../transcript/steps-of.js';
import { bareResult } from './bare-result.js';
import type { OpenGround, OpenJob, OpenModel } from './eval-ports.js';
import { judgeEnd, type JudgedEnd } from './judge-end.js';
import { leftFiles } from './left-files.js';
import { lostChild } from './lost-child.js';
import { namePlaces, placesOf, type NamedPlace } from './name-places.js';
import { PatientJudge } from './patient-judge.js';
import { redactResult } from './redact-result.js';
import { spentOf } from './spent-of.js';
import { asSkillsError } from './as-skills-error.js';
import type { TrialPorts } from './trial-ports.js';
import { waitFor } from './wait-for.js';
import { workOnCase, type Worked } from './work-on-case.js';

/** How a trial is run. */
export interface TrialOptions {
  readonly signal?: AbortSignal | undefined;
  /** @default 1 */
  readonly attempt?: number | undefined;
  /** How often a judge is asked again that failed for want of an infrastructure. @default 0 */
  readonly judgeRetries?: number | undefined;
}

/** A result, and what broke the trial, for whoever decides whether it is begun again. */
export interface TriedTrial {
  readonly result: EvalResult;
  readonly error?: SkillsError | undefined;
  /** Whether the agent had done its part, and a judge failed for good: then it is not begun again. */
  readonly unjudged: boolean;
}

/**
 * Runs one trial, once: makes a workspace, opens a model, lets an agent of core work on the case, and holds what it did
 * to what is expected. In a trial of the kind `trigger` no text of a skill is ever read: it ends as soon as one would be.
 *
 * It never throws for what the model, the ground or the judge do: that is an `error`, or `stopped`.
 */
export async function runTrial(open: OpenJob, ports: TrialPorts, options: TrialOptions = {}): Promise<EvalResult> {
  return (await tryTrial(open, ports, options)).result;
}

/** As {@link runTrial}, with what broke the trial as it was thrown. */
export async function tryTrial(open: OpenJob, ports: TrialPorts, options: TrialOptions = {}): Promise<TriedTrial> {
  const trial = new Trial(open, ports, options);
  try {
    await trial.run();
  } catch (error) {
    trial.break(error);
  }
  return trial.end();
}

const inputLength = 2_000;
const answerLength = 20_000;
const mostSteps = 500;
/** UTF-16 code units of what all steps tell: a line of results has an end. */
const mostDetails = 500_000;

/** Collects what a trial comes to, as far as it gets. */
class Trial {
  readonly #open: OpenJob;
  readonly #ports: TrialPorts;
  readonly #signal: AbortSignal;
  readonly #attempt: number;
  readonly #begun: number;
  readonly #journal: MemoryJournal;
  #redact = createRedactor();
  #places: readonly NamedPlace[] = [];
  #model: OpenModel['model'] | undefined;
  #answer = '';
  #chosen = false;
  #outcome: TrialOutcome = 'error';
  #reason: EvalResult['reason'];
  #checks: readonly CheckResult[] = [];
  readonly #judge: PatientJudge | undefined;
  #files: EvalResult['files'] = [];
  #error: SkillsError | undefined;

  constructor(open: OpenJob, ports: TrialPorts, { signal, attempt = 1, judgeRetries = 0 }: TrialOptions) {
    this.#open = open;
    this.#ports = ports;
    this.#signal = signal ?? new AbortController().signal;
    this.#attempt = attempt;
    this.#begun = ports.clock.now();
    this.#journal = createMemoryJournal(ports.sha256);
    const { judge, clock } = ports;
    this.#judge = judge === undefined ? undefined : new PatientJudge(judge, { clock, retries: judgeRetries });
  }

  async run(): Promise<void> {
    const signal = this.#signal;
    const { ground: grounds, models } = this.#ports;
    const ground = await this.#wait(async () => grounds.open(this.#open, { signal }), disposeOf);
    try {
      if (ground.options?.redact !== undefined) this.#redact = ground.options.redact;
      const workspace = ground.workspace.path;
      this.#places = placesOf(workspace);
      const model = await this.#wait(
        async () => models.open(this.#open, { workspace, signal }),
        async (late) => late.close?.(false),
      );
      this.#model = model.model;
      try {
        await this.#work(ground, model);
      } catch (error) {
        this.break(error);
      }
      // What it recorded is worth as much as the trial is; a recording that cannot be kept is told of.
      await this.#wait(async () => model.close?.(this.#error === undefined));
    } finally {
      await this.#letGo(ground);
    }
  }

  /** Of ports that do not end when they are told to, none keeps a trial from ending. */
  async #wait<Value>(work: () => Promise<Value>, late?: (value: Value) => Promise<void>): Promise<Value> {
    return waitFor(work, { clock: this.#ports.clock, signal: this.#signal }, late);
  }

  /** The trial has its result already: a folder that is left does not change it. */
  async #letGo(ground: OpenGround): Promise<void> {
    try {
      await this.#wait(async () => disposeOf(ground));
    } catch {
      // It was left behind.
    }
  }

  async #work(ground: OpenGround, { model }: OpenModel): Promise<void> {
    const { clock, sha256 } = this.#ports;
    const place = { ground, model, journal: this.#journal, redact: this.#redact };
    const id = `eval-${digestHex(this.#open.job.key).slice(0, 32)}`;
    const how = { clock, sha256, id, signal: this.#signal };
    const worked = await this.#wait(async () => workOnCase(this.#open, place, how));
    await this.#nameSkills();
    this.#chosen = worked.end?.kind === 'chosen';
    this.#answer = worked.answers[this.#open.case.conversation.length - 1] ?? '';
    const end = judgeEnd(this.#open.case, worked);
    if (end.kind === 'broken') return this.break(end.error);
    const lost = lostChild(this.#journal.events);
    if (lost !== undefined) return this.break(lost);
    this.#files = await this.#wait(async () => leftFiles(ground.workspace, this.#open.case.files));
    this.#reason = end.reason;
    if (end.kind === 'inconclusive') this.#outcome = 'inconclusive';
    else await this.#check(worked, end, ground);
  }

  /** Where skills lie says nothing of them, and differs from machine to machine. */
  async #nameSkills(): Promise<void> {
    const { registry, case: evalCase } = this.#open;
    const names = new Set([...firedSkills(this.#journal.events), ...evalCase.offer.preload]);
    const found = await Promise.all([...names].map(async (name) => this.#wait(async () => registry.get(name))));
    this.#places = [...this.#places, ...placesOf(undefined, found)];
  }

  async #check(worked: Worked, end: JudgedEnd & { readonly kind: 'checked' }, ground: OpenGround): Promise<void> {
    const { answers, streamed } = worked;
    const trial = {
      case: this.#open.case,
      events: this.#journal.events,
      answers,
      streamed,
      spent: this.#spent(),
      left: this.#files,
    };
    const ports = { workspace: ground.workspace, runCheck: ground.runCheck?.bind(ground), judge: this.#judge };
    const checked = await this.#wait(async () => checkTrial(trial, ports, { signal: this.#signal }));
    this.#checks = end.failed ? withFault(checked.checks, end.reason?.message) : checked.checks;
    this.#outcome = outcomeOf(this.#checks);
  }

  /** What it ran on failed: nothing of it is scored. */
  break(thrown: unknown): void {
    // The first thing that broke is the reason; what breaks by that says less.
    if (this.#error !== undefined) return;
    const error = asSkillsError(thrown, this.#signal);
    this.#error = error;
    const cancelled = error.code === 'INTERRUPTED' && this.#signal.aborted;
    this.#outcome = error.code === 'BUDGET_EXHAUSTED' || cancelled ? 'stopped' : 'error';
    this.#reason = { code: error.code, message: error.message };
    this.#checks = [];
  }

  /** A result that cannot be written, or not be read again, is an error: it would cost all others. */
  end(): TriedTrial {
    const unjudged = this.#judge?.failed ?? false;
    try {
      const result = redactResult(this.#result(), (text) => namePlaces(this.#redact(text), this.#places));
      parseResult(formatResult(result), 'The result');
      return { result, error: this.#error, unjudged };
    } catch (thrown) {
      const why = new SkillsError(
        'INTERNAL',
        `What it came to cannot be kept: ${asSkillsError(thrown, this.#signal).message}`,
      );
      const error = this.#outcome === 'stopped' ? (this.#error ?? why) : why;
      return {
        result: bareResult(this.#open, { error, attempts: this.#attempt, stopped: error !== why }),
        error,
        unjudged,
      };
    }
  }

  #result(): EvalResult {
    const { job, case: evalCase } = this.#open;
    const { events } = this.#journal;
    const judge = this.#judge?.spent;
    return {
      formatVersion: 1,
      key: job.key,
      suite: job.suite,
      case: job.case,
      arm: job.arm,
      model: job.model,
      trial: job.trial,
      kind: evalCase.kind,
      tags: evalCase.tags,
      input: (evalCase.conversation[0]?.input ?? '').slice(0, inputLength).toWellFormed(),
      outcome: this.#outcome,
      fired: firedSkills(events),
      wanted: wantedSkills(evalCase),
      checks: this.#checks,
      answer: this.#answer.slice(0, answerLength).toWellFormed(),
      steps: this.#steps(),
      spent: { ...this.#spent(), ...(judge !== undefined && { judge }) },
      ...(this.#reason !== undefined && { reason: this.#reason }),
      at: new Date(this.#begun).toISOString(),
      attempts: this.#attempt,
      files: this.#files,
    };
  }

  #steps(): EvalResult['steps'] {
    const steps = stepsOf(this.#journal.events).slice(0, mostSteps);
    const shown = this.#chosen ? steps.filter(({ kind }) => kind !== 'answer') : steps;
    let left = mostDetails;
    return shown.map(({ detail, ...step }) => {
      left -= detail?.length ?? 0;
      return detail === undefined || left < 0 ? step : { ...step, detail };
    });
  }

  #spent(): Omit<EvalResult['spent'], 'judge'> {
    const duration = Math.max(0, this.#ports.clock.now() - this.#begun);
    return { ...spentOf(this.#journal.events, this.#model ?? {}), duration };
  }
}

async function disposeOf(ground: OpenGround): Promise<void> {
  try {
    await ground[Symbol.asyncDispose]();
  } catch {
    // Whoever made it knows where it is.
  }
}

/** What ended a task without an answer is a failed check, also where each check that was made passes. */
function withFault(checks: readonly CheckResult[], message: string = 'It came to no end.'): readonly CheckResult[] {
  if (checks.some(({ kind, verdict }) => kind === 'limits' && verdict === 'failed')) return checks;
  return [...checks, { kind: 'limits', text: 'it comes to an answer', verdict: 'failed', evidence: message }];
}

function outcomeOf(checks: readonly CheckResult[]): TrialOutcome {
  if (checks.some(({ verdict }) => verdict === 'failed')) return 'failed';
  return checks.some(({ verdict }) => verdict === 'not_judged') ? 'inconclusive' : 'passed';
}
