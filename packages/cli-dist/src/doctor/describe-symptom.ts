import { SkillsError } from '@skillpack/core';
import { asIoError } from '../disk/io-error.js';
import type { DoctorFinding } from './doctor-report.js';
import type { Symptom } from './symptom.js';

/** A symptom as it is told of when nothing is done about it. */
export function describeSymptom({ kind, subject, message, advice, remedy }: Symptom): DoctorFinding {
  const found = { kind, subject, message, repaired: false } as const;
  if (remedy === undefined) return { ...found, advice, repairable: false };
  return { ...found, advice: `Run \`skills doctor --repair\`: it ${remedy.does}.`, repairable: true };
}

/** Does what can be done about a symptom, and tells of it. What cannot be done is left to a person. */
export async function mendSymptom(symptom: Symptom): Promise<DoctorFinding> {
  const { kind, subject, message, advice, remedy } = symptom;
  if (remedy === undefined) return describeSymptom(symptom);
  try {
    return { kind, subject, message, advice: await remedy.apply(), repairable: true, repaired: true };
  } catch (error) {
    const failure: unknown = asIoError(error);
    if (!SkillsError.is(failure) || failure.kind === 'busy') throw failure;
    const why = [failure.message, failure.hint].filter((text) => text !== undefined).join(' ');
    return {
      kind,
      subject,
      message: `${message} It could not be mended: ${why}`,
      advice,
      repairable: false,
      repaired: false,
    };
  }
}
