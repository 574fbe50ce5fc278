import { canonicalJson, quoted } from '@skillpack/core';
import type { CaseProblem } from './case-place.js';
import { compileJsonSchema } from './compile-json-schema.js';
import { compilePattern } from './compile-pattern.js';
import type { OutputCheck } from './expectations.js';
import { pathProblem } from './path-problem.js';

interface OutputAround {
  /** Lines that the person says. */
  readonly turns: number;
  readonly at: string;
}

/** What is wrong with checks of an output: patterns and schemas that are none, and what no output fulfils. */
export function* outputProblems(checks: readonly OutputCheck[], { turns, at }: OutputAround): Iterable<CaseProblem> {
  for (const [index, check] of checks.entries()) {
    const place = `${at}.${index}`;
    if ('of' in check) yield* subjectProblems(check.of, { turns, at: `${place}.of` });
    yield* checkProblems(check, place);
  }
  yield* contradictions(checks, at);
}

function* subjectProblems(
  of: Extract<OutputCheck, { kind: 'equals' }>['of'],
  { turns, at }: OutputAround,
): Iterable<CaseProblem> {
  if (of.kind === 'file') {
    const problem = pathProblem(of.path);
    if (problem !== undefined) yield { path: `${at}.file`, message: problem };
  } else if (of.turn !== undefined && (!Number.isInteger(of.turn) || of.turn < 1 || of.turn > turns)) {
    yield { path: `${at}.turn`, message: `expected a line of the person, from 1 to ${turns}, found ${of.turn}` };
  }
}

function* checkProblems(check: OutputCheck, at: string): Iterable<CaseProblem> {
  const problem = problemOf(check);
  if (problem !== undefined) yield { path: `${at}.${problem.field}`, message: problem.message };
}

function problemOf(check: OutputCheck): { readonly field: string; readonly message: string } | undefined {
  switch (check.kind) {
    case 'contains':
      return check.texts.length === 0 || check.texts.includes('')
        ? { field: 'contains', message: 'expected texts, none of them empty' }
        : undefined;
    case 'starts_with':
      return check.value === '' ? { field: 'startsWith', message: 'expected a text that is not empty' } : undefined;
    case 'regex':
      return compileProblem('regex', () => compilePattern(check.pattern, check.flags));
    case 'json': {
      const { schema } = check;
      return schema === undefined ? undefined : compileProblem('json', () => compileJsonSchema(schema));
    }
    case 'words': {
      const { least = 0, most = Infinity } = check;
      return least > most
        ? { field: 'words', message: `expected least to be at most ${most}, found ${least}` }
        : undefined;
    }
    case 'file':
    case 'script': {
      const message = pathProblem(check.kind === 'file' ? check.path : check.script);
      return message === undefined ? undefined : { field: check.kind, message };
    }
    case 'rubric':
      return check.statement.trim() === '' ? { field: 'rubric', message: 'expected a statement' } : undefined;
    case 'equals':
    case 'similar':
      return undefined;
  }
}

function compileProblem(
  field: string,
  compile: () => unknown,
): { readonly field: string; readonly message: string } | undefined {
  try {
    compile();
    return undefined;
  } catch (error) {
    // Both libraries throw errors of their own, and what they throw is about the text that was given.
    return { field, message: quoted((error as Error).message, 300).slice(1, -1) };
  }
}

function* contradictions(checks: readonly OutputCheck[], at: string): Iterable<CaseProblem> {
  const wanted = new Map<string, boolean>();
  for (const [index, { negated, text: _, ...check }] of checks.entries()) {
    const key = keyOf(check);
    if (key === undefined) continue;
    const other = wanted.get(key);
    if (other !== undefined && other !== negated)
      yield { path: `${at}.${index}`, message: 'another check expects the contrary of it' };
    wanted.set(key, negated);
  }
}

function keyOf(check: object): string | undefined {
  try {
    return canonicalJson(check);
  } catch {
    // It holds what JSON has not, which is told elsewhere.
    return undefined;
  }
}
