import type { CaseFormat, ImportedSuite } from '../formats/imported-suite.js';

/** How a file of cases is read from a disk. */
export interface ReadSuiteOptions {
  /** Which format it has. @default what it looks like */
  readonly format?: CaseFormat | undefined;
}

/** A suite that was read from a disk. */
export interface ReadSuite extends ImportedSuite {
  /** The file, absolute. */
  readonly path: string;
  /** What the paths of its files and scripts are relative to, absolute. */
  readonly folder: string;
}

/**
 * Reads a file of cases, ours or that of another tool. Where it lies in `evals/` of a skill, that skill is the one it is
 * about, unless it says otherwise.
 *
 * @throws `FILE_NOT_FOUND`, `FILE_TOO_LARGE`, `INVALID_CASE`, `UNSUPPORTED_FORMAT`, `PATH_TRAVERSAL_BLOCKED`.
 */
export async function readSuite(path: string, options: ReadSuiteOptions = {}): Promise<ReadSuite> {
  throw new Error(`Not there yet: ${path}, ${String(options.format)}`);
}
