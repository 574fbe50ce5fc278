import type * as z from 'zod/mini';
import { quoted } from '../errors/quoted.js';
import { textWithoutCredentials } from '../errors/without-credentials.js';

type Issue = z.core.$ZodIssue;

/** What a schema says of a problem that it has no words of its own for. */
const noWords = 'Invalid input';

/**
 * How something is read whose problems are described. The words of zod depend on what else the process has loaded, and
 * on its language: none of them is told, so that what a record holds is the same everywhere.
 */
export const forDescription = { reportInput: true, error: () => noWords } as const;

const nouns: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const mostKeys = 5;

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };

/** Where a schema found a problem: `packs.org/pdf.version`, or the empty text for the value as a whole. */
export function issuePath(issue: Issue): string {
  return issue.path.map((key) => String(key).slice(0, 100)).join('.');
}

/** What a schema expected and what came: `expected a version (SemVer 2), found “1”`. It was read with {@link forDescription}. */
export function describeIssue(issue: Issue): string {
  if (issue.code === 'invalid_key') {
    return `${expectation(issue.issues[0] ?? issue)}, found ${shown(String(issue.path.at(-1)))}`;
  }
  if (issue.code === 'unrecognized_keys') return describeUnknownKeys(issue.keys);
  return `${expectation(issue)}${describeFound(issue.input)}`;
}

/** What came instead of what was expected: `, found “1”`. */
export function describeFound(input: unknown): string {
  return input === undefined ? ', which is missing' : `, found ${shown(input)}`;
}

/** That these keys are not known: `there is no “permit”`. */
export function describeUnknownKeys(keys: readonly string[]): string {
  const names = keys.slice(0, mostKeys).map((key) => quoted(key, 60));
  const more = keys.length > mostKeys ? ` and ${keys.length - mostKeys} more` : '';
  return `there is no ${names.join(', ')}${more}`;
}

function expectation(issue: Issue): string {
  // The messages that a schema gives itself say more than its code.
  if (issue.message !== '' && issue.message !== noWords) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${nouns[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `expected ${issue.values.map(String).join(' or ')}`;
    case 'too_big':
      return `expected ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${units[issue.origin] ?? ''}`;
    case 'too_small':
      return `expected ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${units[issue.origin] ?? ''}`;
    case 'invalid_union':
      // Of the two kinds of this issue, only the one without a match lists what it knows.
      return 'options' in issue
        ? `expected ${issue.options?.map(String).join(' or ') ?? ''}`
        : 'expected another value';
    default:
      return 'expected another value';
  }
}

function shown(input: unknown): string {
  if (typeof input === 'string') return quoted(textWithoutCredentials(input.slice(0, 4_000)), 60);
  if (Array.isArray(input)) return `a list of ${input.length} items`;
  if (typeof input === 'object' && input !== null) return 'an object';
  return String(input);
}
