import { SkillsError } from '@skillpack/core';
import { errorChain } from '../http/error-chain.js';
import { readFailure } from '../http/provider-failure.js';
import type { StructuredForm } from './ai-sdk-options.js';
import type { AskedForm, RefusedPart } from './form-ladder.js';

const schemaWords =
  /response[_ ]?(?:format|schema)|json[_ ]?(?:schema|mode|object)|structured[_ ]?output|output_(?:config|format)|grammar|guided/iu;
const toolWords = /\btool[_ ]?choice\b|\btools?\b|\bfunction[_ -]?call/iu;

/** The field that a validator names, where its message does not. */
const fieldWords = /"(?:loc|param)"\s*:\s*["[][^\]}]{0,200}?(response_format|output_config|tools|tool_choice)\b/u;

/** A provider that took the form, and whose model did not keep to it. */
const tookForm = /^(?:json_validate_failed|tool_use_failed)$/u;

/** A model that thinks before it calls a tool, whose provider wants the thoughts back with the call: nobody has them. */
const thoughtWords = /\bthinking\b|thought[_ ]?signature|reasoning[_ ]?content/iu;

/**
 * What of a form a provider does not take, by what it says: an answer with 400, 404 or 422 that names it, or an error of
 * the provider's package that says so without asking. `undefined` where it says something else.
 *
 * @param means the error as it would be told.
 */
export function refusedPart(error: unknown, { form, earlier }: AskedForm, means: SkillsError): RefusedPart | undefined {
  if (SkillsError.is(means, 'CONTEXT_TOO_LONG') || SkillsError.is(means, 'MODEL_REFUSED')) return undefined;
  try {
    const { status, message } = readFailure(errorChain(error), error);
    if (earlier === 'calls' && status === 400 && thoughtWords.test(message)) return 'earlier calls';
    return refusesForm(error, form) ? 'form' : undefined;
  } catch {
    // Foreign code throws what it likes: objects that cannot even be asked.
    return undefined;
  }
}

function refusesForm(error: unknown, form: StructuredForm): boolean {
  if (form === 'text') return false;
  const chain = errorChain(error);
  const unsupported = chain.find(({ name }) => name === 'AI_UnsupportedFunctionalityError');
  if (unsupported !== undefined) return names(String(unsupported['functionality']), form);
  const { status, message, said, words } = readFailure(chain, error);
  if (words.some((word) => tookForm.test(word))) return false;
  if (status === 404) return /\bsupport/iu.test(message) && names(message, form);
  if (status !== 400 && status !== 422) return false;
  return names(message, form) || names(fieldWords.exec(said)?.[1] ?? '', form);
}

/** Where a schema is asked for, a provider's package may bring it about by a tool. */
function names(text: string, form: StructuredForm): boolean {
  return (form === 'schema' && schemaWords.test(text)) || toolWords.test(text);
}

/** Whether a provider tells that it left a form out of what it asked. */
export function warnsOfForm(warnings: readonly CallWarning[], { form }: AskedForm): boolean {
  const left = form === 'schema' ? /^response_?format$/iu : /^(?:function )?tools?$/iu;
  return form !== 'text' && warnings.some(({ type, feature }) => type === 'unsupported' && left.test(feature ?? ''));
}

/** A warning of a call, in any specification. */
export interface CallWarning {
  readonly type: string;
  readonly feature?: string | undefined;
}
