import type { Digest } from '../digest/is-digest.js';

/** One regular file of a pack. */
export interface PackFile {
  /** Relative to the pack, slash-separated. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly digest: Digest;
  /** Whether any execute bit is set. */
  readonly executable: boolean;
}
