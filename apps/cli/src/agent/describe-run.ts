import { effectiveEvents, type RunEvent, type StopReason } from '@skillpack/core';
import { describeAnswer, describeJudgement, describeOutcome, describeStep, oneLine } from '../render/describe-step.js';
import { duration } from '../render/duration.js';
import { forPerson } from '../render/for-person.js';
import { lastOfStderr } from '../render/last-of-stderr.js';
import { entryFor } from './approval-entry.js';
import { ActivatedSkills } from './activated-skills.js';
import { GoneSkills } from './gone-skills.js';
import { RunSteps, type Question, type Step } from './run-steps.js';

/** A line of what happened in a run. */
export type RunLine =
  | { readonly kind: 'request' | 'answer'; readonly text: string; readonly note: string }
  | { readonly kind: 'step'; readonly text: string; readonly depth: number };

/** What happened in a run. */
export interface RunStory {
  readonly lines: readonly RunLine[];
  /** Each question for a yes, and what was answered. */
  readonly approvals: readonly string[];
  /** What `--approve` says yes to what it waits for by; `undefined` where it waits for none. */
  readonly wanted: string | undefined;
}

/**
 * What happened in a run, in its order: what was asked, each step with its approval, what was answered. What was begun
 * and not ended is told where the run was cut off, or ends.
 *
 * @param cutOff whether nobody works on it, though it was not finished.
 */
export function describeRun(events: readonly RunEvent[], { cutOff }: { readonly cutOff: boolean }): RunStory {
  const teller = new Teller(events);
  for (const event of events) teller.tell(event);
  teller.end(cutOff);
  return teller.story;
}

// A question of a person takes longer; what is approved beforehand, less.
const worthTelling = 1000;

class Teller {
  readonly #lines: RunLine[] = [];
  readonly #steps = new RunSteps();
  readonly #skills = new ActivatedSkills();
  readonly #gone = new GoneSkills();
  /** What is told of skills with the request for which they were read. */
  readonly #news: string[] = [];
  /** Of those events that no resume has left out. */
  readonly #counting: ReadonlySet<RunEvent>;
  readonly #run: string;
  #model = '';
  /** How the newest request ended; `undefined` while it is worked on. */
  #stop: StopReason | undefined;

  constructor(events: readonly RunEvent[]) {
    this.#counting = new Set(effectiveEvents(events));
    this.#run = events[0]?.run ?? '';
  }

  get story(): RunStory {
    const { questions } = this.#steps;
    const open = questions.at(-1);
    const waits = this.#stop === 'approval_required' && open?.decision?.kind === 'unavailable';
    return {
      lines: this.#lines,
      approvals: questions.map(approvalOf),
      wanted: waits ? entryFor(open.asked) : undefined,
    };
  }

  tell(event: RunEvent): void {
    const step = this.#steps.take(event);
    const { run } = event;
    for (const line of this.#gone.take(event)) this.#step(run, line);
    switch (event.type) {
      case 'run_started':
        if (run === this.#run) this.#model = event.model;
        break;
      case 'observation_recorded':
        if (step !== undefined) this.#tellEnded(event, step);
        break;
      case 'skill_activated':
        if (this.#counting.has(event)) this.#takeSkill(event);
        break;
      case 'request_received':
        this.#tellRequest(event);
        break;
      case 'turn_started':
        if (run === this.#run) this.#stop = undefined;
        this.#tellSkills(run);
        break;
      case 'skill_disabled':
      case 'skill_enabled':
        if (event.by === 'user') this.#tellSwitched(event);
        break;
      case 'model_failed':
        this.#step(run, `the model could not be asked: ${oneLine(event.error.message)}`);
        break;
      case 'decision_rejected':
        this.#step(run, `the model’s answer was no decision: ${oneLine(event.error.message)}`);
        break;
      case 'run_resumed':
        this.#tellResumed(event);
        break;
      case 'request_answered':
        if (run === this.#run) this.#tellAnswer(event);
        break;
      default:
    }
  }

  end(cutOff: boolean): void {
    this.#tellSkills(this.#run);
    this.#tellOpen(cutOff);
  }

  #tellEnded(event: RunEvent & { readonly type: 'observation_recorded' }, step: Step): void {
    this.#step(event.run, `${describeStep(step.action)} … ${outcomeOf(event, step)}`);
    for (const line of forPerson(event.contentForUser)) this.#step(event.run, line);
    for (const line of lastOfStderr(event)) this.#step(event.run, line);
  }

  /** A skill that was called is read before the record says that it was asked for. */
  #tellRequest({ run, request }: RunEvent & { readonly type: 'request_received' }): void {
    const { text, skill } = request;
    if (run === this.#run) this.#stop = undefined;
    if (run === this.#run) this.#say('request', skill === undefined ? text : `/${oneLine(skill)} ${text}`);
    this.#tellSkills(run);
  }

  #takeSkill({ run, at, activation }: RunEvent & { readonly type: 'skill_activated' }): void {
    const { by } = activation;
    const name = oneLine(activation.name);
    const changed = this.#skills.take(activation);
    if (changed !== undefined) this.#news.push(changed);
    else if (by === 'user') this.#news.push(`read ${name}, which the person called at ${timeOf(at)}`);
    else if (by === 'preload') this.#news.push(`read ${name}, with which the run begins`);
    if (by !== 'user') this.#tellSkills(run);
  }

  #tellSkills(run: string): void {
    for (const text of this.#news.splice(0)) this.#step(run, text);
  }

  #tellResumed({ run, uncertain, with: terms }: RunEvent & { readonly type: 'run_resumed' }): void {
    // What was missing is told once, where the run stopped for good: such an answer repeats all that was done.
    const last = this.#lines.at(-1);
    if (last?.kind === 'answer' && last.note === 'approval_required') this.#lines.pop();
    this.#tellOpen(true);
    const model = terms === undefined || terms.model === this.#model ? '' : ` with ${oneLine(terms.model)}`;
    this.#model = terms?.model ?? this.#model;
    const unknown = uncertain === undefined ? '' : '; the model was told that nobody knows whether that took effect';
    this.#step(run, `${howItWentOn(this.#stop)}${model}${unknown}`);
  }

  #tellAnswer({ answer, stop }: RunEvent & { readonly type: 'request_answered' }): void {
    this.#stop = stop;
    this.#say('answer', answer, stop === 'final_answer' ? '' : stop);
  }

  #tellSwitched(event: RunEvent & { readonly type: 'skill_disabled' | 'skill_enabled' }): void {
    const reason = event.type === 'skill_disabled' && event.reason !== undefined ? `: ${oneLine(event.reason)}` : '';
    const how = event.type === 'skill_disabled' ? 'off' : 'on';
    this.#step(event.run, `the person switched ${oneLine(event.name)} ${how}${reason}`);
  }

  #tellOpen(cutOff: boolean): void {
    for (const step of this.#steps.takeOpen()) {
      // Their end is that of the request.
      if (step.action.kind === 'final_answer' || step.action.kind === 'ask_user') continue;
      this.#step(step.run, `${describeStep(step.action)} … ${cutOff ? cutOffOf(step) : underWay(step)}`);
    }
  }

  #say(kind: 'request' | 'answer', text: string, note = ''): void {
    this.#lines.push({ kind, text, note });
  }

  #step(run: string, text: string): void {
    const depth = run.split('/').length - 1;
    this.#lines.push({ kind: 'step', text, depth });
  }
}

function approvalOf(question: Question): string {
  const of = question.asked.skill === undefined ? '' : ` of ${oneLine(question.asked.skill.name)}`;
  return `${oneLine(question.summary)}${of}: ${describeAnswer(question)}`;
}

/** @param stop how the newest request had ended; `undefined` where it was worked on. */
function howItWentOn(stop: StopReason | undefined): string {
  switch (stop) {
    case undefined:
      return 'it was cut off here, and went on';
    case 'question':
      return 'it waited here for an answer, and went on';
    case 'approval_required':
      return 'it waited here for a yes, and went on';
    case 'final_answer':
      return 'it was taken up again here';
    default:
      return 'it was given up here, and went on';
  }
}

/** Of `2026-11-22T08:00:00.000Z`, `08:00:00 UTC`. */
function timeOf(at: string): string {
  return `${at.slice(at.indexOf('T') + 1, -'.000Z'.length)} UTC`;
}

function outcomeOf(event: RunEvent & { readonly type: 'observation_recorded' }, step: Step): string {
  const { question, judged, waited } = step;
  if (question?.decision?.kind !== 'approved') return describeOutcome(event, step, describeJudgement(judged));
  const after = waited < worthTelling ? '' : ` after ${duration(waited)}`;
  return describeOutcome(event, step, `, ${describeAnswer(question)}${after}`);
}

function underWay({ question }: Step): string {
  return question !== undefined && question.decision === undefined ? 'waits for a yes' : 'under way';
}

/** Only what needs no yes may have been done without one; of all that changes nothing, it is of no consequence. */
function cutOffOf({ action, question }: Step): string {
  if (question !== undefined && question.decision === undefined) return 'cut off at the question: not done';
  if (question !== undefined && question.decision?.kind !== 'approved') return describeAnswer(question);
  const changing = action.kind === 'run_script' || action.kind === 'call_tool';
  return changing ? 'started, cut off: how it ended is not known' : 'cut off';
}
