import type { AgentAction, ApprovalDecision, RecordedJudgement, RunEvent } from '@skillpack/core';
import type { AskedFor } from './approval-entry.js';

/** Something that an agent began to do. */
export interface Step {
  readonly run: string;
  readonly action: AgentAction;
  /** The question for a yes, where there was one. */
  readonly question: Question | undefined;
  /** By what it was allowed or refused without a question; `undefined` where it is no use of a tool. */
  readonly judged: RecordedJudgement | undefined;
  /** Milliseconds that passed with questions: its own, and those of a child run that works for it. */
  readonly waited: number;
}

/** A question for a yes. */
export interface Question {
  readonly summary: string;
  /** What a yes would be to. */
  readonly asked: AskedFor;
  /** `undefined` as long as there is no answer. */
  readonly decision: ApprovalDecision | undefined;
}

/** The steps of a run, by the events that came so far. */
export class RunSteps {
  readonly #open = new Map<string, OpenStep>();
  readonly #questions: OpenQuestion[] = [];
  #waited = 0;

  /** Takes the next event. @returns the step that ends with it. */
  take(event: RunEvent): Step | undefined {
    switch (event.type) {
      case 'action_started': {
        const { run, action } = event;
        this.#open.set(keyOf(run, event.id), {
          run,
          action,
          question: undefined,
          judged: undefined,
          before: this.#waited,
        });
        return undefined;
      }
      case 'tool_judged': {
        const step = this.#open.get(keyOf(event.run, event.id));
        if (step !== undefined) step.judged = { verdict: event.verdict, by: event.by };
        return undefined;
      }
      case 'approval_requested':
        this.#ask(event);
        return undefined;
      case 'approval_decided':
        this.#answer(event);
        return undefined;
      case 'observation_recorded': {
        const key = keyOf(event.run, event.id);
        const step = this.#open.get(key);
        this.#open.delete(key);
        return step === undefined ? undefined : this.#stepOf(step);
      }
      default:
        return undefined;
    }
  }

  /** Takes away the steps that were begun and have not ended, in the order in which they were begun. */
  takeOpen(): readonly Step[] {
    const steps = [...this.#open.values()].map((step) => this.#stepOf(step));
    this.#open.clear();
    return steps;
  }

  /** All questions, in their order. They follow the events that are still to come. */
  get questions(): readonly Question[] {
    return this.#questions;
  }

  #ask({ run, at, request }: RunEvent & { readonly type: 'approval_requested' }): void {
    const { id, summary } = request;
    const question: OpenQuestion = { summary, asked: request, at: Date.parse(at), decision: undefined };
    this.#questions.push(question);
    const step = this.#open.get(keyOf(run, id));
    if (step !== undefined) step.question = question;
  }

  #answer({ run, id, at, decision }: RunEvent & { readonly type: 'approval_decided' }): void {
    const question = this.#open.get(keyOf(run, id))?.question;
    if (question === undefined) return;
    question.decision = decision;
    // A clock may go back, and a record may hold a time that is none.
    this.#waited += Math.max(0, Date.parse(at) - question.at) || 0;
  }

  #stepOf({ run, action, question, judged, before }: OpenStep): Step {
    return { run, action, question, judged, waited: this.#waited - before };
  }
}

interface OpenQuestion extends Question {
  readonly at: number;
  decision: ApprovalDecision | undefined;
}

interface OpenStep {
  readonly run: string;
  readonly action: AgentAction;
  question: OpenQuestion | undefined;
  judged: RecordedJudgement | undefined;
  /** What had passed with questions when it was begun. */
  readonly before: number;
}

function keyOf(run: string, id: string): string {
  return `${run} ${id}`;
}
