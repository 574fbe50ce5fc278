import { archiveTargets } from './archive-targets.js';
import { confinedTargets } from './confined-target.js';
import { documentTargets } from './document-targets.js';
import type { FuzzTarget } from './fuzz-target.js';
import { lockMergeTarget } from './lock-merge-target.js';
import { modelTargets } from './model-targets.js';
import { programTargets } from './program-targets.js';
import { shellTargets } from './shell-targets.js';
import { skillTargets } from './skill-targets.js';
import { textTargets } from './text-targets.js';

/** Everything that takes what strangers send. */
export const fuzzTargets: readonly FuzzTarget[] = [
  ...archiveTargets,
  ...programTargets,
  ...documentTargets,
  ...skillTargets,
  ...shellTargets,
  lockMergeTarget,
  ...modelTargets,
  ...textTargets,
  ...confinedTargets,
];
