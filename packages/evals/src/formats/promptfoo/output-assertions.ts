import { parseJson, type JsonObject, type JsonValue } from '@skillpack/core';
import type { OutputCheck } from '../../case/expectations.js';
import { isObject } from '../foreign-value.js';
import { answer } from '../import-assertion.js';
import { regexCheck } from '../regex-check.js';
import type { Contribution } from './contribution.js';
import { isFile, textValue, textValues, type AssertionImporter } from './written-assertion.js';

/** Assertions on the answer that a program decides, by type. */
export const outputAssertions: Readonly<Partial<Record<string, AssertionImporter>>> = {
  equals: importEquals,
  contains: contains({ caseless: false }),
  icontains: contains({ caseless: true }),
  'contains-all': contains({ caseless: false, mode: 'all' }),
  'contains-any': contains({ caseless: false, mode: 'any' }),
  'icontains-all': contains({ caseless: true, mode: 'all' }),
  'icontains-any': contains({ caseless: true, mode: 'any' }),
  'starts-with': (written) => {
    const value = textValue(written);
    return value === undefined
      ? undefined
      : one({ kind: 'starts_with', of: answer, value, caseless: false, negated: written.negated });
  },
  regex: (written, context) => {
    const pattern = textValue(written);
    if (pattern === undefined || written.value === undefined) return undefined;
    const check = regexCheck(written.value, context, { pattern, flags: '', of: answer, negated: written.negated });
    return check === undefined ? [] : one(check);
  },
  'is-json': json(false),
  'contains-json': json(true),
  'word-count': importWords,
  'rouge-n': (written, { notes }) => {
    const reference = textValue(written);
    if (reference === undefined || reference.trim() === '') return undefined;
    notes.change(written.item.field('type') ?? written.item, 'It is compared by ROUGE-1 recall of words.');
    const least = written.item.field('threshold')?.number() ?? 0.75;
    if (least < 0 || least > 1) return undefined;
    return one({ kind: 'similar', of: answer, reference, least, negated: written.negated });
  },
  cost: limit('maxCost', 1),
  latency: limit('maxSeconds', 1000),
};

function one(check: OutputCheck): readonly Contribution[] {
  return [{ kind: 'output', check }];
}

function contains({
  caseless,
  mode,
}: {
  readonly caseless: boolean;
  readonly mode?: 'all' | 'any';
}): AssertionImporter {
  return (written) => {
    const single = mode === undefined ? textValue(written) : undefined;
    const texts = mode === undefined ? (single === undefined ? undefined : [single]) : textValues(written);
    if (texts === undefined || texts.length === 0 || texts.some((text) => text === '')) return undefined;
    return one({ kind: 'contains', of: answer, texts, mode: mode ?? 'all', caseless, negated: written.negated });
  };
}

const importEqual = (value: JsonValue): JsonObject => ({ const: value });

function importEquals(written: Parameters<AssertionImporter>[0]): readonly Contribution[] | undefined {
  const { value, negated } = written;
  if (value !== undefined && typeof value.value === 'object') {
    return one({ kind: 'json', of: answer, schema: importEqual(value.take()), within: false, negated });
  }
  const text = textValue(written);
  return text === undefined ? undefined : one({ kind: 'equals', of: answer, value: text, caseless: false, negated });
}

function json(within: boolean): AssertionImporter {
  return ({ value, negated }) => {
    if (value === undefined) return one({ kind: 'json', of: answer, within, negated });
    const schema = typeof value.value === 'string' && !isFile(value.value) ? parsed(value.value) : value.value;
    if (!isObject(schema)) return undefined;
    value.take();
    return one({ kind: 'json', of: answer, schema, within, negated });
  };
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text) as JsonValue; // JSON says nothing else
  } catch {
    return undefined;
  }
}

function importWords({ value, negated }: Parameters<AssertionImporter>[0]): readonly Contribution[] | undefined {
  const exact = value?.number();
  const least = exact ?? value?.field('min')?.number();
  const most = exact ?? value?.field('max')?.number();
  const bounds = [least, most].filter((bound) => bound !== undefined);
  if (bounds.length === 0 || bounds.some((bound) => !Number.isInteger(bound) || bound < 0)) return undefined;
  const range = { ...(least === undefined ? {} : { least }), ...(most === undefined ? {} : { most }) };
  return one({ kind: 'words', of: answer, ...range, negated });
}

function limit(name: 'maxCost' | 'maxSeconds', unit: number): AssertionImporter {
  return ({ item, negated }, { notes }) => {
    const threshold = negated ? undefined : item.field('threshold')?.number();
    if (threshold === undefined || threshold <= 0) return undefined;
    notes.change(
      item.field('type') ?? item,
      'It is a limit of the whole trial here, which ends a trial that goes beyond it.',
    );
    return [{ kind: 'limit', limit: { [name]: threshold / unit } }];
  };
}
