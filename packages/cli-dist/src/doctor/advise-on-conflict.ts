import type { RootPaths } from '../root/root-paths.js';
import { describeSymptom } from './describe-symptom.js';
import { examineGoverningFiles } from './examine-governing-files.js';

/**
 * What to do about a lock file with conflict markers: a repair where it merges anything, and what a person has to decide
 * where it does not.
 *
 * @returns `undefined` where the lock file can be read by now.
 */
export function adviseOnConflict(paths: RootPaths): string | undefined {
  const symptom = examineGoverningFiles(paths).find(({ kind }) => kind === 'lock-unreadable');
  return symptom === undefined ? undefined : describeSymptom(symptom).advice;
}
