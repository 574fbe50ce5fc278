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

const interrupted = 130;

/** The exit code of a command that ended with this error: that of its kind, and of Ctrl-C what shells expect. What nobody foresaw is a defect: 70 (EX_SOFTWARE of sysexits.h). */
export function exitCodeOf(error: unknown): number {
  // Also where the terminal hands over the key instead of sending the signal.
  if (SkillsError.is(error, 'INTERRUPTED')) return interrupted;
  return SkillsError.is(error) ? codes[error.kind] : codes.internal;
}
