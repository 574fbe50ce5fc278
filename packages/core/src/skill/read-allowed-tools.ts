import { quoted } from '../errors/quoted.js';
import { splitAllowedTools } from './allowed-tools.js';
import { cleanText } from './clean-text.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import type { Field } from './read-yaml.js';

const spellings = ['allowed-tools', 'allowed_tools', 'allowedTools'] as const;

/** The allowed tools of a skill, under whichever spelling; `undefined` when it says nothing of them. */
export function readAllowedTools(
  fields: ReadonlyMap<string, Field>,
  log: DiagnosticLog,
): readonly string[] | undefined {
  if (!spellings.some((key) => fields.has(key))) return undefined;
  const [field, second] = spellings.map((key) => fields.get(key)).filter((found) => found !== undefined);
  if (field === undefined) return undefined;
  if (field.key !== spellings[0] || second !== undefined) {
    const odd = second ?? field;
    log.report('allowed-tools-spelling', {
      at: { offset: odd.offset },
      message: `The allowed tools stand under ${quoted(odd.key)}.`,
      fix: second === undefined ? 'They count. Write allowed-tools.' : `Only ${field.key} counts.`,
    });
  }
  const texts = toolTexts(field);
  if (texts === undefined) {
    // Nothing is allowed rather than everything: the author did mean to say something.
    log.report('value-ignored', {
      at: { offset: field.offset },
      message: `The allowed tools cannot be read: ${quoted(field.source)}.`,
      fix: 'None are pre-approved. Write them in one line, separated by spaces.',
    });
    return [];
  }
  const split = texts.map((text) => splitAllowedTools(cleanText(text)));
  if (split.some(({ balanced }) => !balanced)) {
    log.report('allowed-tools-unbalanced', {
      at: { offset: field.offset },
      message: `The parentheses do not pair in ${quoted(field.source)}.`,
      fix: 'Close every parenthesis.',
    });
  }
  if (field.scalar === undefined || /,(?![^(]*\))/u.test(field.scalar.text.slice(0, 10_000))) {
    log.report('allowed-tools-form', {
      at: { offset: field.offset },
      message: 'The allowed tools are a list, or separated by commas.',
      fix: 'Separate them by spaces, in one line.',
    });
  }
  return [...new Set(split.flatMap(({ tools }) => tools))];
}

function toolTexts(field: Field): readonly string[] | undefined {
  if (field.scalar !== undefined) return [field.scalar.plain && field.value === null ? '' : field.scalar.text];
  if (!Array.isArray(field.value)) return undefined;
  const texts = field.value.filter((item) => typeof item === 'string' || typeof item === 'number');
  return texts.length === field.value.length ? texts.map(String) : undefined;
}
