import type { AiSdkOptions, StructuredForm } from './ai-sdk-options.js';

const forms = ['schema', 'tools', 'text'] as const satisfies readonly StructuredForm[];

/**
 * The forms in which a provider may be asked for a decision, the best first, and the one that it is asked in now. It only
 * ever moves on: calls at the same time cannot set it back.
 */
export class FormLadder {
  readonly #forms: readonly StructuredForm[];
  #at = 0;

  constructor({ structured = 'auto', nativeTools }: AiSdkOptions) {
    if (nativeTools === true) this.#forms = ['tools'];
    else this.#forms = structured === 'auto' ? forms : [structured];
  }

  /** The form to ask in. */
  get current(): StructuredForm {
    return this.#forms[this.#at] ?? 'text';
  }

  /** The form to try where a provider does not take this one; `undefined` where there is no other. */
  after(form: StructuredForm): StructuredForm | undefined {
    return this.#forms[Math.max(this.#forms.indexOf(form) + 1, this.#at)];
  }

  /** The provider took this form: from now on it is asked in it, unless another call moved on further. */
  settle(form: StructuredForm | undefined): void {
    if (form !== undefined) this.#at = Math.max(this.#at, this.#forms.indexOf(form));
  }
}
