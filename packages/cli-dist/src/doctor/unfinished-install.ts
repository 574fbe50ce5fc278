import { asIoError } from '../disk/io-error.js';
import type { InstallRoot } from '../root/install-root.js';
import { rootPaths } from '../root/root-paths.js';
import { describeSymptom } from './describe-symptom.js';
import type { DoctorFinding } from './doctor-report.js';
import { examineJournal } from './examine-leftovers.js';

/**
 * The journal of an install that was decided, but not carried out whole, or that this version cannot read: until it is
 * dealt with, nothing in the root can be relied on to stay as it is, and changes may be refused. Changes nothing.
 *
 * @throws `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`.
 */
export function unfinishedInstall(root: InstallRoot): DoctorFinding | undefined {
  try {
    const found = examineJournal(rootPaths(root)).find(({ kind }) => kind === 'unfinished-install');
    return found === undefined ? undefined : describeSymptom(found);
  } catch (error) {
    throw asIoError(error);
  }
}
