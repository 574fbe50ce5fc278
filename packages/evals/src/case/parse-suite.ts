import type { CaseFiles } from '../trial/eval-ports.js';
import type { EvalSuite } from './eval-case.js';

/** How a file of cases is read. */
export interface ParseSuiteOptions {
  /** Names it in messages; `.json` is read as JSON, everything else as YAML, of which JSON is a part. */
  readonly fileName: string;
  /** Where the files are that cases take by `from`. @default a case that takes one is refused */
  readonly files?: CaseFiles | undefined;
  /** Of a suite that does not say its name. @default made of `fileName` */
  readonly name?: string | undefined;
  /** Of a suite that does not say its skills. @default [] */
  readonly skills?: readonly string[] | undefined;
}

/**
 * Reads a file of cases. Files that cases take by `from` are read at once.
 *
 * @throws `INVALID_CASE`, with the place in the file and what was expected there; `UNSUPPORTED_FORMAT`; what `files` throws.
 */
export async function parseSuite(text: string, options: ParseSuiteOptions): Promise<EvalSuite> {
  throw new Error(`Not there yet: ${options.fileName}, ${text.length}`);
}
