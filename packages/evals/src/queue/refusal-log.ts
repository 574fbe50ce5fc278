import { visibleText } from '@skillpack/core';

/** What a worker leaves with a job that is not in its plan. */
export interface Refusal {
  readonly refusedBy: string;
  readonly plan: string;
}

/** Which workers did not take a job because they have another plan. */
export class RefusalLog {
  readonly #refusals = new Map<string, string>();
  readonly #queue: string;

  constructor(queue: string) {
    this.#queue = queue;
  }

  /** Takes the progress of a job as BullMQ tells it: whoever can write to the queue wrote it. */
  note(progress: unknown): void {
    if (typeof progress !== 'object' || progress === null) return;
    if (!('refusedBy' in progress) || !('plan' in progress)) return;
    const { refusedBy, plan } = progress;
    if (typeof refusedBy !== 'string' || typeof plan !== 'string' || this.#refusals.size >= 100) return;
    this.#refusals.set(visibleText(refusedBy).slice(0, 200), visibleText(plan).slice(0, 100));
  }

  /** A sentence; `undefined` where nobody refused anything. */
  describe(plan: string | undefined): string | undefined {
    const [first] = this.#refusals;
    if (first === undefined) return undefined;
    const others = this.#refusals.size > 1 ? ` and ${this.#refusals.size - 1} more` : '';
    const wanted = plan === undefined ? '' : ` instead of ${plan}`;
    return `The worker ${first[0]}${others} on the queue ${this.#queue} has the plan ${first[1]}${wanted}.`;
  }
}
