import type { SkillsError } from '@skillpack/core';
import { describeSymptom } from './describe-symptom.js';
import { examineRecords } from './examine-records.js';
import type { Patient } from './symptom.js';

/**
 * What to do about a refusal that comes of a record which a repair mends, or of an entry of the lock file that has to go:
 * without its record, a pack's own folder looks like a stranger's, without its manifest every file of it looks edited, and
 * an entry that was changed asks for what there is not, or for a skill that another pack brought.
 *
 * @returns `undefined` where neither helps.
 */
export function adviseOnRecord(refusal: SkillsError, patient: Patient): string | undefined {
  const { code, data } = refusal;
  const symptoms = examineRecords(patient);
  const claim = symptoms.find(({ kind, subject }) => kind === 'claimed-twice' && concerns(data, subject));
  if (claim !== undefined) return describeSymptom(claim).advice;
  const mendable = symptoms.filter(({ remedy }) => remedy !== undefined);
  const symptom =
    mendable.find(({ subject }) => subject === data['name']) ??
    mendable.find(({ kind }) => kind === 'lock-drift' || code === 'FILES_EDITED');
  return symptom === undefined ? undefined : describeSymptom(symptom).advice;
}

/** Whether a refusal is about a pack, by its data. */
function concerns({ name, owners }: SkillsError['data'], pack: string): boolean {
  return (
    name === pack ||
    (Array.isArray(owners) && owners.some((owner) => typeof owner === 'string' && owner.startsWith(`${pack}@`)))
  );
}
