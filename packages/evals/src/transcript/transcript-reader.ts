import { visibleLines, visibleText, type RecordedError, type RunEvent } from '@skillpack/core';
import { actionLabel } from '../check/action-label.js';
import { shortText } from '../check/short-text.js';
import type { RunStep } from '../trial/run-step.js';

type EventOf<Type extends RunEvent['type']> = RunEvent & { readonly type: Type };

/** UTF-16 code units. */
const longestLabel = 200;
const longestDetail = 2_000;

/** A step that may yet get an end. */
interface OpenStep extends Omit<RunStep, 'start' | 'duration' | 'label' | 'detail'> {
  readonly run: string;
  readonly at: string;
  readonly label: string;
  readonly detail?: string | undefined;
  /** Milliseconds; `undefined` where it has no end. */
  readonly duration?: number | undefined;
}

/** Makes the steps of a transcript out of one event after another. */
export class TranscriptReader {
  readonly #root: string | undefined;
  readonly #begun: number;
  /** By the event that they begin with. */
  readonly #steps = new Map<number, OpenStep>();
  /** Of each run, the call of its model that is under way, by run. */
  readonly #calls = new Map<string, number>();
  /** By run and action. */
  readonly #actions = new Map<string, number>();
  readonly #questions = new Map<string, number>();
  /** Of each run, its model; of a child run, its skill. */
  readonly #models = new Map<string, string>();
  readonly #skills = new Map<string, string>();

  constructor(events: readonly RunEvent[]) {
    this.#root = events[0]?.run;
    this.#begun = timeOf(events[0]?.at);
  }

  /** @returns what the steps are, each with the time at which it began. */
  end(): readonly RunStep[] {
    return [...this.#steps.values()].toSorted((left, right) => left.seq - right.seq).map((step) => this.#finish(step));
  }

  take(event: RunEvent): void {
    switch (event.type) {
      case 'run_started':
        this.#models.set(event.run, event.model);
        break;
      case 'run_resumed':
        this.#models.set(event.run, event.with?.model ?? this.#models.get(event.run) ?? '');
        this.#add(event, { kind: 'problem', label: 'the run was cut off, and goes on', detail: lostText(event) });
        break;
      case 'request_received':
        this.#add(event, { kind: 'request', label: event.request.text, detail: event.request.text });
        break;
      case 'model_requested':
        this.#calls.set(event.run, event.seq);
        this.#add(event, { kind: 'model', label: this.#models.get(event.run) ?? 'model' });
        break;
      case 'model_answered':
        this.#answerModel(event);
        break;
      case 'model_failed':
        this.#failModel(event);
        break;
      case 'decision_rejected':
        this.#add(event, {
          kind: 'problem',
          label: 'the answer is no decision',
          ok: false,
          detail: errorText(event.error),
        });
        break;
      case 'skill_activated': {
        const { name, by, reason } = event.activation;
        this.#add(event, { kind: 'skill', label: by === 'model' ? name : `${name} (${by})`, ok: true, detail: reason });
        break;
      }
      case 'subagent_started':
        this.#skills.set(event.child, event.skill);
        break;
      case 'request_answered':
        this.#add(event, {
          kind: 'answer',
          label: event.stop === 'final_answer' ? 'answer' : `ends with ${event.stop}`,
          ok: !event.degraded,
          detail: event.answer,
        });
        break;
      default:
        this.#takeOfAction(event);
    }
  }

  #takeOfAction(event: RunEvent): void {
    switch (event.type) {
      case 'action_started': {
        const { action } = event;
        // What ends a request is told as its answer.
        if (action.kind === 'final_answer' || action.kind === 'ask_user') break;
        this.#actions.set(keyOf(event.run, event.id), event.seq);
        this.#add(event, { kind: 'action', label: actionLabel(action) });
        break;
      }
      case 'tool_judged':
        if (event.verdict === 'refuse') this.#refuse(event);
        break;
      case 'approval_requested': {
        const { id, summary } = event.request;
        this.#questions.set(keyOf(event.run, id), event.seq);
        this.#add(event, { kind: 'approval', label: `asked: ${summary}` });
        break;
      }
      case 'approval_decided': {
        const { decision } = event;
        const detail =
          decision.kind === 'approved'
            ? `yes, for ${decision.scope}, by ${decision.by}`
            : `${decision.kind}: ${decision.reason}`;
        this.#close(this.#questions.get(keyOf(event.run, event.id)), event, {
          ok: decision.kind === 'approved',
          detail,
        });
        break;
      }
      case 'observation_recorded': {
        const { ok, content, duration } = event;
        this.#close(this.#actions.get(keyOf(event.run, event.id)), event, { ok, detail: content, duration });
        break;
      }
      default:
    }
  }

  #answerModel(event: EventOf<'model_answered'>): void {
    const { inputTokens, outputTokens, cost } = event.usage;
    this.#close(this.#calls.get(event.run), event, {
      ok: event.finish === 'stop' || event.finish === 'other',
      detail: event.text,
      tokens: [inputTokens, outputTokens],
      ...(cost !== undefined && { cost }),
    });
  }

  #failModel(event: EventOf<'model_failed'>): void {
    const detail = errorText(event.error);
    const call = this.#calls.get(event.run);
    // A request that does not fit is never sent.
    if (call === undefined || this.#steps.get(call)?.ok !== undefined) {
      this.#add(event, { kind: 'problem', label: 'the model was not asked', ok: false, detail });
    } else this.#close(call, event, { ok: false, detail });
  }

  #refuse(event: EventOf<'tool_judged'>): void {
    const by = event.rule === undefined ? event.by : `${event.by}: ${event.rule}`;
    this.#add(event, { kind: 'approval', label: 'refused without asking', ok: false, detail: `by ${by}` });
  }

  #add({ run, seq, at }: RunEvent, step: Omit<OpenStep, 'run' | 'seq' | 'at'>): void {
    this.#steps.set(seq, { run, seq, at, ...step });
  }

  #close(seq: number | undefined, { at }: RunEvent, end: Partial<OpenStep>): void {
    const step = seq === undefined ? undefined : this.#steps.get(seq);
    if (step === undefined) return;
    const duration = Math.max(0, timeOf(at) - timeOf(step.at));
    this.#steps.set(step.seq, { ...step, duration, ...end });
  }

  #finish({ run, at, label, detail, duration, ...step }: OpenStep): RunStep {
    const skill = run === this.#root ? undefined : this.#skills.get(run);
    const where = run === this.#root ? '' : `[${skill ?? run}] `;
    return {
      ...step,
      label: shortText(visibleText(`${where}${shortText(label, longestLabel)}`), longestLabel),
      start: Math.max(0, timeOf(at) - this.#begun),
      duration: duration ?? 0,
      ...(detail !== undefined &&
        detail !== '' && { detail: shortText(visibleLines(shortText(detail, longestDetail)), longestDetail) }),
    };
  }
}

function lostText({ after, uncertain }: EventOf<'run_resumed'>): string {
  const lost = `What came after #${after} is left out.`;
  if (uncertain === undefined) return lost;
  return `${lost} Whether ${actionLabel(uncertain.action)} took effect is not known.`;
}

function errorText({ code, message, hint }: RecordedError): string {
  return `${code}: ${message}${hint === undefined ? '' : ` ${hint}`}`;
}

function keyOf(run: string, id: string): string {
  return JSON.stringify([run, id]);
}

/** A record may hold a time that is none. */
function timeOf(at: string | undefined): number {
  const time = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isFinite(time) ? time : 0;
}
