import type { AiSdkOptions, StructuredForm } from './ai-sdk-options.js';

/** How a provider is asked for a decision. */
export interface AskedForm {
  readonly form: StructuredForm;
  /** How earlier decisions, and what came of them, are told. */
  readonly earlier: 'calls' | 'text';
}

/** What of a form a provider does not take. */
export type RefusedPart = 'form' | 'earlier calls';

const asText: AskedForm = { form: 'text', earlier: 'text' };

const forms: readonly AskedForm[] = [
  { form: 'schema', earlier: 'text' },
  { form: 'tools', earlier: 'calls' },
  { form: 'tools', earlier: 'text' },
  asText,
];

/**
 * The forms in which a provider may be asked for a decision, the best first, and the one that it is asked in now. It only
 * ever moves on: calls at the same time cannot set it back.
 */
export class FormLadder {
  readonly #forms: readonly AskedForm[];
  #at = 0;

  constructor({ structured = 'auto', nativeTools }: AiSdkOptions) {
    const only = nativeTools === true ? 'tools' : structured;
    this.#forms = forms.filter(({ form }) => only === 'auto' || form === only);
  }

  /** The form to ask in. */
  get current(): AskedForm {
    return this.#forms[this.#at] ?? asText;
  }

  /** The form to try where a provider does not take this one; `undefined` where there is no other. */
  after(asked: AskedForm, refused: RefusedPart): AskedForm | undefined {
    const at = this.#forms.indexOf(asked);
    const next = this.#forms.findIndex(({ form, earlier }, index) => {
      if (index <= at) return false;
      return refused === 'form' ? form !== asked.form : form === asked.form && earlier === 'text';
    });
    return next === -1 ? undefined : this.#forms[Math.max(next, this.#at)];
  }

  /** The provider took this form: from now on it is asked in it, unless another call moved on further. */
  settle(asked: AskedForm | undefined): void {
    if (asked !== undefined) this.#at = Math.max(this.#at, this.#forms.indexOf(asked));
  }
}
