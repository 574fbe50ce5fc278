import type { SkillsError } from '@skillpack/core';
import { describeSymptom } from './describe-symptom.js';
import { examineRecords } from './examine-records.js';
import type { Patient } from './symptom.js';

/**
 * What to do about a refusal that comes of a record which a repair mends: without its record, a pack's own folder looks
 * like a stranger's, without its manifest every file of it looks edited, and an entry of the lock file that was changed
 * asks for what there is not.
 *
 * @returns `undefined` where no repair helps.
 */
export function adviseOnRecord(refusal: SkillsError, patient: Patient): string | undefined {
  const { code, data } = refusal;
  const mendable = examineRecords(patient).filter(({ remedy }) => remedy !== undefined);
  const symptom =
    mendable.find(({ subject }) => subject === data['name']) ??
    mendable.find(({ kind }) => kind === 'lock-drift' || code === 'FILES_EDITED');
  return symptom === undefined ? undefined : describeSymptom(symptom).advice;
}
