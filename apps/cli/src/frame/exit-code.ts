import { SkillsError, type ErrorKind } from '@skillpack/core';

const codes: Readonly<Record<ErrorKind, number>> = {
  usage: 2,
  invalid: 2,
  'not-found': 3,
  refused: 4,
  permission: 4,
  unavailable: 5,
  busy: 6,
  io: 74,
  failed: 1,
  internal: 70,
};

/** The exit code of a command that ended with this error. What nobody foresaw is a defect: 70 (EX_SOFTWARE of sysexits.h). */
export function exitCodeOf(error: unknown): number {
  return SkillsError.is(error) ? codes[error.kind] : codes.internal;
}
