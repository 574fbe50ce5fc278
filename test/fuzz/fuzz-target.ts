import type fc from 'fast-check';
import { SkillsError, type ErrorCode } from '@skillpack/core';

/** One thing that takes what strangers send, and how it is fuzzed. */
export interface FuzzTarget<Input = unknown> {
  /** In the form of a file name, unique. */
  readonly name: string;
  readonly input: fc.Arbitrary<Input>;
  /**
   * Judges one input; whatever it throws is a finding.
   *
   * @returns whether the input was accepted, so that a campaign can tell that both answers occur.
   */
  readonly judge: (input: Input) => boolean | Promise<boolean>;
  /** How many inputs a test run of every day tries. */
  readonly sample: number;
  /** Whether nearly everything, or nearly nothing, is accepted by its nature. @default false */
  readonly oneSided?: boolean;
}

/** A target among others: the type of its inputs is its own affair. */
export function fuzzTarget<Input>(target: FuzzTarget<Input>): FuzzTarget {
  // Only its own inputs, or kept ones of it, are ever handed to a target.
  return target as unknown as FuzzTarget;
}

/**
 * What a call returns; `undefined` for a refusal with one of these codes that a person can read. Any other error is
 * thrown on.
 */
export function refusedOr<Result>(codes: readonly ErrorCode[], call: () => Result): Result | undefined {
  try {
    return call();
  } catch (error) {
    judgeRefusal(error, codes);
    return undefined;
  }
}

/** Throws an error on unless it is a readable refusal with one of these codes. */
export function judgeRefusal(error: unknown, codes: readonly ErrorCode[]): void {
  if (!SkillsError.is(error) || !codes.includes(error.code)) throw error;
  for (const text of [error.message, error.hint ?? '']) {
    if (hidden.test(text)) throw new Error(`A message holds hidden characters: ${JSON.stringify(text)}`);
    if (text.length > 4_000) throw new Error(`A message has ${text.length} characters.`);
  }
  if (error.message === '') throw new Error(`${error.code} has no message.`);
}

const hidden = /[^\P{Cc}\n\t]|[\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]/u;
