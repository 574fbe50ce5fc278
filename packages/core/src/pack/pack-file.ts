import type { TreeFile } from '../digest/tree-digest.js';

/** One regular file of a pack; its path is relative to the pack. */
export type PackFile = TreeFile;
