import { quoted } from '@skillpack/core';
import { compilePattern } from '../case/compile-pattern.js';
import type { OutputCheck, OutputOf } from '../case/expectations.js';
import type { ForeignValue } from './foreign-value.js';
import type { ImportContext } from './import-context.js';

interface WrittenRegex {
  readonly pattern: string;
  readonly flags: string;
  readonly of: OutputOf;
  readonly negated: boolean;
}

/** A regular expression as a check; `undefined` for one that cannot be matched in linear time, which is then noted. */
export function regexCheck(
  value: ForeignValue,
  { notes }: ImportContext,
  { pattern, flags, of, negated }: WrittenRegex,
): OutputCheck | undefined {
  try {
    compilePattern(pattern, flags);
  } catch (cause) {
    notes.drop(
      value,
      `${quoted(pattern, 80)} cannot be matched here: ${(cause as Error).message.replace(/\.$/u, '')}.`,
    );
    return undefined;
  }
  value.take();
  return { kind: 'regex', of, pattern, flags, negated };
}
