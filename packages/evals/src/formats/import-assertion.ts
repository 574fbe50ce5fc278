import { quoted } from '@skillpack/core';
import type { OutputCheck, OutputOf } from '../case/expectations.js';
import type { ForeignValue } from './foreign-value.js';
import type { ImportContext } from './import-context.js';
import { regexCheck } from './regex-check.js';
import { safePath } from './safe-path.js';

export const answer: OutputOf = { kind: 'answer' };

/** A statement for a judge, noted as needing one. */
export function rubricCheck(
  value: ForeignValue,
  { notes }: ImportContext,
  statement: string,
): OutputCheck & { readonly kind: 'rubric' } {
  notes.keep(value, 'It takes a judge to say whether this holds.');
  return { kind: 'rubric', statement, negated: false };
}

/** An assertion of `evals.json`: a statement, or an object with one, or with what is checked by a program. */
export function importAssertion(item: ForeignValue, context: ImportContext): readonly OutputCheck[] {
  if (typeof item.value === 'string') {
    return item.value.trim() === '' ? [] : [rubricCheck(item, context, item.value)];
  }
  if (item.object === undefined) {
    context.notes.drop(item, 'An assertion that is neither a statement nor an object says nothing.');
    return [];
  }
  return programmed(item, context) ?? stated(item, context);
}

const words = (type: string): string => type.toLowerCase().replaceAll(/[\s_]+/gu, '-');

/** What a program can check, by its type; `undefined` for every other. */
function programmed(item: ForeignValue, context: ImportContext): readonly OutputCheck[] | undefined {
  const type = item.field('type', 'kind');
  const name = typeof type?.value === 'string' ? words(type.value) : '';
  const negated = /^(?:not-|no-)|-not-|does-not/u.test(name);
  const subject = name.replace(/^(?:output|response|answer|file)-/u, '').replace(/^(?:not-|no-|does-not-)/u, '');
  const path = item.field('path', 'file', 'filename');
  const value = item.field('value', 'text', 'pattern', 'expected', 'contains', 'substring');
  const of = path === undefined ? answer : fileOf(path, context);
  if (of === undefined) return [];
  // Only of what is taken over: of the rest it is noted.
  const text = () => textOf(item, value);
  if (
    path !== undefined &&
    value === undefined &&
    /^(?:file|exists|file-exists|not-exists|path-exists)?$/u.test(subject)
  ) {
    for (const each of [type, path]) each?.take();
    return of.kind === 'file' ? [{ kind: 'file', path: of.path, negated, ...text() }] : [];
  }
  const check = value === undefined ? undefined : comparisons[subject];
  const texts = check === undefined ? undefined : value?.texts();
  if (texts === undefined || value === undefined) return undefined;
  const checks = texts.flatMap((pattern): readonly OutputCheck[] => {
    if (check !== 'regex') return [];
    const regex = regexCheck(value, context, { pattern, flags: '', of, negated });
    return regex === undefined ? [] : [{ ...regex, ...text() }];
  });
  if (check === 'regex' && checks.length === 0) return [];
  for (const each of [type, path]) each?.take();
  if (check === 'contains') return [{ kind: 'contains', of, texts, mode: 'all', caseless: false, negated, ...text() }];
  if (check === 'equals') return [{ kind: 'equals', of, value: texts.join('\n'), caseless: false, negated, ...text() }];
  return checks;
}

const comparisons: Readonly<Partial<Record<string, 'contains' | 'equals' | 'regex'>>> = {
  contains: 'contains',
  contain: 'contains',
  includes: 'contains',
  equals: 'equals',
  exact: 'equals',
  regex: 'regex',
  matches: 'regex',
  match: 'regex',
  pattern: 'regex',
};

function stated(item: ForeignValue, context: ImportContext): readonly OutputCheck[] {
  const statement = item.field(
    'check',
    'assertion',
    'statement',
    'expectation',
    'criterion',
    'text',
    'description',
    'name',
  );
  if (typeof statement?.value !== 'string' || statement.value.trim() === '') {
    context.notes.drop(item, 'An assertion without a statement cannot be judged.');
    return [];
  }
  const check = rubricCheck(statement, context, statement.value);
  return [{ ...check, ...textOf(item, statement) }];
}

/** What a report calls it: its name, where that is not what it checks. */
function textOf(item: ForeignValue, used: ForeignValue | undefined): { readonly text?: string } {
  const name = [item.field('name'), item.field('description')].find((each) => each !== undefined && each !== used);
  return typeof name?.value === 'string' && name.value !== '' ? { text: name.text() ?? '' } : {};
}

function fileOf(path: ForeignValue, { notes }: ImportContext): OutputOf | undefined {
  const written = typeof path.value === 'string' ? path.value : '';
  const safe = safePath(written);
  if (safe === undefined) {
    notes.drop(path, `${quoted(written, 80)} is no path inside a workspace.`);
    return undefined;
  }
  return { kind: 'file', path: safe };
}
