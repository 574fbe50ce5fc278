import type { Digest } from '../digest/is-digest.js';
import type { TreeFile } from '../digest/tree-digest.js';

/** What a skill is made of at one moment. */
export interface SkillMeasure {
  /** Of all files, as `treeDigestOf` makes it. */
  readonly digest: Digest;
  /** Every file below the skill's folder; paths are relative to it. */
  readonly files: readonly TreeFile[];
}
