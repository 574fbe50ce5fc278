import type { JsonValue } from '@skillpack/core';
import type { ForeignValue } from '../foreign-value.js';
import type { ImportContext } from '../import-context.js';
import type { Contribution } from './contribution.js';
import { renderTemplate, type Variables } from './render-template.js';

/** One assertion of a test. */
export interface WrittenAssertion {
  readonly item: ForeignValue;
  /** Without `not-`. */
  readonly type: string;
  readonly negated: boolean;
  readonly value: ForeignValue | undefined;
  /** `value`, with the variables of the test filled in; taken only by {@link texts} and {@link text}. */
  readonly variables: Variables;
}

/** Makes of an assertion what it adds to a case; `undefined` where its value cannot be used. */
export type AssertionImporter = (
  written: WrittenAssertion,
  context: ImportContext,
) => readonly Contribution[] | undefined;

/** The value as a text, filled in, and taken; `undefined` for none, and for one that stands in a file. */
export function textValue({ value, variables }: WrittenAssertion): string | undefined {
  if (value === undefined || typeof value.value === 'object' || isFile(value.value)) return undefined;
  return renderTemplate(value.text() ?? '', variables).text;
}

/** The value as texts: a list, or one text with commas between them. */
export function textValues(written: WrittenAssertion): readonly string[] | undefined {
  const { value, variables } = written;
  if (value?.list !== true)
    return textValue(written)
      ?.split(',')
      .map((text) => text.trim());
  if (!value.items().every((item) => typeof item.value !== 'object')) return undefined;
  return value.items().map((item) => renderTemplate(item.text() ?? '', variables).text);
}

/** Whether a value is only named, and stands in a file. */
export function isFile(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && /^(?:file|package):\/?\/?/u.test(value);
}
