import { keyMark, redactTokens, tokenMark } from './redact-tokens.js';
import { redactUrls } from './redact-urls.js';
import { rememberForms } from './redactor-forms.js';
import { secretForms } from './secret-forms.js';

/** What a redactor knows. */
export interface RedactorOptions {
  /**
   * Secrets, such as the values of environment variables that hold one (`secretValuesOf`). Those of fewer than four
   * characters are left alone: they stand in every text. @default []
   */
  readonly values?: readonly string[] | undefined;
}

const valueMark = '[redacted:value]';
const marks = [valueMark, tokenMark, keyMark];

/**
 * Makes a function that takes secrets out of a text: those that are given, however they are written (as they are, within
 * JSON, encoded for a URL or in base64), tokens and private keys that are told by their shape, and credentials of URLs.
 * In the place of each stands a mark in brackets, the same for all of a kind, so that it says nothing of the secret.
 *
 * What it returns has no more to redact. Its time is proportional to the text, and to how many secrets there are.
 */
export function createRedactor(options: RedactorOptions = {}): (text: string) => string {
  const forms = [...new Set((options.values ?? []).flatMap(secretForms))]
    // Else each redaction would have something to redact.
    .filter((form) => !marks.some((mark) => mark.includes(form)))
    .toSorted((left, right) => right.length - left.length);
  // Tokens first: where a part of one is a secret, too, the rest would not be told by its shape any more.
  const redactOnce = (text: string): string => redactUrls(redactValues(redactTokens(text), forms));
  const redact = (text: string): string => {
    let redacted = redactOnce(text);
    // What is left beside a mark, or of a URL that was shortened, may be something to redact again.
    for (let before = text, round = 1; redacted !== before && round < maxRounds; round += 1) {
      before = redacted;
      redacted = redactOnce(before);
    }
    return redactValues(redacted, forms);
  };
  rememberForms(redact, forms);
  return redact;
}

// What was made to need more is left as it is, without the secrets that were given.
const maxRounds = 10;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Of secrets that overlap, all is taken: the end of one would give it away. */
function redactValues(text: string, forms: readonly string[]): string {
  const spans = forms.flatMap((form) => spansOf(text, form)).toSorted((left, right) => left.start - right.start);
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < spans.length;) {
    const { start } = spans[at] ?? { start: text.length };
    let end = start;
    for (; at < spans.length && (spans[at]?.start ?? 0) <= end; at += 1) end = Math.max(end, spans[at]?.end ?? 0);
    parts.push(text.slice(from, start), valueMark);
    from = end;
  }
  // What is left and the marks may together be a secret again.
  return redactValues(parts.join('') + text.slice(from), forms);
}

function spansOf(text: string, form: string): readonly Span[] {
  const spans: Span[] = [];
  for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + 1)) {
    spans.push({ start, end: start + form.length });
  }
  return spans;
}
