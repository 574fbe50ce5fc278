import type { CaseFiles } from '../trial/eval-ports.js';

/** How files of cases are read. */
export interface CaseFilesOptions {
  /** Bytes of one file. @default 16 MiB */
  readonly maxBytes?: number | undefined;
}

/**
 * The files below a folder. No path and no link leads out of it, and nothing is read that is no regular file.
 *
 * @throws its `read`: `FILE_NOT_FOUND`, `PATH_TRAVERSAL_BLOCKED`, `FILE_TOO_LARGE`, `IO_ERROR`.
 */
export function caseFilesIn(folder: string, options: CaseFilesOptions = {}): CaseFiles {
  return {
    async read(path) {
      throw new Error(`Not there yet: ${folder}, ${path}, ${String(options.maxBytes)}`);
    },
  };
}
