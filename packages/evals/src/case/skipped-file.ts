/** A file that was passed over. */
export interface SkippedFile {
  /** Absolute. */
  readonly path: string;
  /** In a sentence. */
  readonly reason: string;
}
