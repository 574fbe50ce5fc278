import { quoted } from '../errors/quoted.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import { canonicalText, plainKind } from './plain-scalar.js';
import type { Field } from './read-yaml.js';

/** The text of a field that has to be text; empty for an empty one. */
export function requiredText(field: Field, log: DiagnosticLog): string {
  if (field.scalar === undefined) {
    log.report('field-not-text', {
      at: { offset: field.offset },
      message: `The ${field.key} is ${quoted(field.source)}, not text.`,
      fix: 'It was taken as it is written. Put it on one line, in quotes.',
    });
    return field.source;
  }
  const { text, plain } = field.scalar;
  const kind = plain ? plainKind(text) : 'text';
  if (kind === 'null') return '';
  if (kind === 'text') return text;
  log.report('value-as-text', {
    at: { offset: field.offset },
    message: `The ${field.key} is a ${kind} (${quoted(text)}).`,
    fix: `It was taken as text. Write ${field.key}: "${canonicalText(text)}".`,
  });
  return text;
}
