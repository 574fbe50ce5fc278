import { blockedRoots } from './blocked-roots.js';
import { interruptedRoots } from './interrupted-roots.js';
import { sickFiles } from './sick-files.js';
import { sickGoverningFiles } from './sick-governing-files.js';
import { sickRecords } from './sick-records.js';
import { sickStores } from './sick-stores.js';
import type { Sickness } from './sickness.js';

/** Every state that a root or the store can be in and should not be, in the order of docs/doctor.md. */
export const sicknesses: readonly Sickness[] = [
  ...interruptedRoots,
  ...blockedRoots,
  ...sickGoverningFiles,
  ...sickRecords,
  ...sickFiles,
  ...sickStores,
];
