import { SkillsError, type ErrorCode } from '@skillpack/core';
import type { InstallRoot } from '../root/install-root.js';
import { rootPaths } from '../root/root-paths.js';
import type { DoctorPorts } from './symptom.js';

/** What may come of a record, or of an entry of the lock file, that a repair mends. */
const mended: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'FOLDER_NOT_OWNED',
  'NAME_COLLISION',
  'FILES_EDITED',
  'INTEGRITY_MISMATCH',
  'BLOB_NOT_FOUND',
  'PACK_NOT_FOUND',
  'VERSION_NOT_FOUND',
  'DEPENDENCY_CONFLICT',
  'FROZEN_MISMATCH',
]);

/** Where something was refused, and what a diagnosis of it works with. */
interface RefusedAt {
  readonly root: InstallRoot;
  /** Without them only the governing files are looked at. */
  readonly ports?: DoctorPorts | undefined;
}

/** A refusal as it is to be told: where a diagnosis knows what ends it, that is what its hint tells to do. */
export async function advisedRefusal(refusal: SkillsError, at: RefusedAt): Promise<SkillsError> {
  const hint = await adviceOn(refusal, at);
  return hint === undefined
    ? refusal
    : new SkillsError(refusal.code, refusal.message, { hint, cause: refusal, data: refusal.data });
}

/** What looks for the cause is loaded where something was refused. */
async function adviceOn(refusal: SkillsError, { root, ports }: RefusedAt): Promise<string | undefined> {
  if (refusal.code === 'LOCK_CONFLICT') {
    const { adviseOnConflict } = await import('./advise-on-conflict.js');
    return adviseOnConflict(rootPaths(root));
  }
  if (ports === undefined || !mended.has(refusal.code)) return undefined;
  const { adviseOnRecord } = await import('./advise-on-record.js');
  return adviseOnRecord(refusal, { paths: rootPaths(root), ports });
}
