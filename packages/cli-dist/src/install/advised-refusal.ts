import { SkillsError, type ErrorCode } from '@skillpack/core';
import type { DoctorPorts } from '../doctor/symptom.js';
import type { InstallRoot } from '../root/install-root.js';
import { rootPaths } from '../root/root-paths.js';

/** What may come of a record, or of the lock file, that a repair mends. */
const mended: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'FOLDER_NOT_OWNED',
  'FILES_EDITED',
  'INTEGRITY_MISMATCH',
  'BLOB_NOT_FOUND',
  'PACK_NOT_FOUND',
  'VERSION_NOT_FOUND',
  'DEPENDENCY_CONFLICT',
  'FROZEN_MISMATCH',
]);

/** A refusal as it is to be told: where a repair ends what it comes of, that is what its hint tells to do. */
export async function advisedRefusal(
  refusal: SkillsError,
  { root, ports }: { readonly root: InstallRoot; readonly ports: DoctorPorts },
): Promise<SkillsError> {
  if (!mended.has(refusal.code)) return refusal;
  // What looks for the cause is loaded where something was refused.
  const { adviseOnRecord } = await import('../doctor/advise-on-record.js');
  const hint = adviseOnRecord(refusal, { paths: rootPaths(root), ports });
  return hint === undefined
    ? refusal
    : new SkillsError(refusal.code, refusal.message, { hint, cause: refusal, data: refusal.data });
}
