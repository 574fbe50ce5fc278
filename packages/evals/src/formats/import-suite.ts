import { SkillsError } from '@skillpack/core';
import type { CaseFiles } from '../trial/eval-ports.js';
import type { CaseFormat, ImportedSuite } from './imported-suite.js';

/** How cases of another tool are read. */
export interface ImportOptions {
  /** Names the file in messages. Its end says how it is read: `.json`, `.jsonl`, `.csv`; everything else as YAML. */
  readonly fileName: string;
  /** @default what {@link detectFormat} says */
  readonly format?: CaseFormat | undefined;
  /** Of the suite. @default what the file says, else made of the name of the file */
  readonly name?: string | undefined;
  /** The skill that the cases are about. @default what the file says, else the folder around `evals` in its name */
  readonly skill?: string | undefined;
  /** Reads the files that cases name, by their paths as they are written there. @default none can be read: each is noted */
  readonly files?: CaseFiles | undefined;
}

/**
 * Reads cases of another tool. What cannot be taken over, or not as it was, is in the notes: each value of the file is
 * either in the suite or in a note.
 *
 * @throws `INVALID_CASE` for a text that is none of the formats, or not what its format says; `USAGE`.
 */
export function importSuite(_text: string, options: ImportOptions): Promise<ImportedSuite> {
  return Promise.reject(new SkillsError('INVALID_CASE', `${options.fileName} cannot be read.`));
}
