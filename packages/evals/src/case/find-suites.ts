/** A file of cases that was found. */
export interface FoundSuite {
  /** Absolute. */
  readonly path: string;
  /** Whether the file is in our own format, or in one of another tool. */
  readonly kind: 'own' | 'foreign';
  /** The folder of the skill that it lies in, absolute. @default it lies in none */
  readonly skillFolder?: string | undefined;
}

/** A file that was passed over. */
export interface SkippedFile {
  readonly path: string;
  /** In a sentence. */
  readonly reason: string;
}

/** Files of cases, by path. */
export interface FoundSuites {
  readonly suites: readonly FoundSuite[];
  readonly skipped: readonly SkippedFile[];
}

/**
 * Finds files of cases: the file itself; `evals/` of a skill, or of a project; and those of every skill below a folder.
 *
 * @param path a file or a folder. @throws `FILE_NOT_FOUND`, `IO_ERROR`.
 */
export async function findSuites(path: string): Promise<FoundSuites> {
  throw new Error(`Not there yet: ${path}`);
}
