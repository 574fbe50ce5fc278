import { quoted } from '../errors/quoted.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import type { Field } from './read-yaml.js';

/** Reports every field whose key or value contains `<` or `>`. The signs by which YAML folds lines are no part of a value. */
export function reportAngleBrackets(fields: ReadonlyMap<string, Field>, log: DiagnosticLog): void {
  for (const { key, value, offset } of fields.values()) {
    const text = [key, ...textsIn(value)].find((one) => /[<>]/u.test(one));
    if (text === undefined) continue;
    log.report('rule-angle-brackets', {
      at: { offset },
      message: `The field ${quoted(key)} contains < or >: ${quoted(text)}.`,
      fix: 'Write it in words, or turn the rule noAngleBrackets off.',
    });
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}
