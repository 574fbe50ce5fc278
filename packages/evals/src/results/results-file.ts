import type { ResultsLog } from './results-log.js';

/** A log in a file. */
export interface ResultsFile extends ResultsLog, AsyncDisposable {
  readonly path: string;
}

/**
 * A log in a file, one result a line. The first `append` takes a lock, which goes with the process or with disposing, and
 * mends a line that a crash cut off; each result is on the disk when its `append` ends. A file that is not there is made,
 * with its folder, for its owner alone.
 *
 * Reading takes no lock. `append` throws `BUSY` while another process writes to the file, `INVALID_RESULTS` for a file
 * that holds something else, and `IO_ERROR`.
 */
export function resultsFile(path: string): ResultsFile {
  void path;
  throw new Error('not yet');
}
