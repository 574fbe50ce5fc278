import type { Digest, RecordedError, RunEvent, RunJournal, RunSummary } from '@skillpack/core';

/** The record of a run that this process writes, and nobody else. */
export interface OpenRun extends RunJournal, AsyncDisposable {
  readonly id: string;
  /** Where it lies. */
  readonly folder: string;
  /**
   * Writes `run.json` and `final.md` from the events that are on the disk, and lets the record go.
   *
   * @throws `IO_ERROR`, of these two files only where nobody is told of it otherwise; `INVALID_RECORD` where the events were
   * changed meanwhile.
   */
  finish(): Promise<RunSummary>;
  /** Lets the record go as it is: everything is on the disk, and another process may resume it. */
  close(): Promise<void>;
}

/** A record, as it was read. Its chain is right. */
export interface StoredRun {
  readonly id: string;
  readonly folder: string;
  readonly events: readonly RunEvent[];
  /** A line that was being written when the writer was cut off; it counts for nothing. */
  readonly torn: string | undefined;
  /** Whether whoever wrote it is gone, and it was not finished: it can be resumed. */
  readonly cutOff: boolean;
  /**
   * What is wrong with `run.json`: it cannot be read, is of another run, or says otherwise than the events, which are the
   * truth. Nothing here is taken from it.
   *
   * @default it says what the events come to, or is missing
   */
  readonly summaryProblem: RecordedError | undefined;
  /**
   * What was kept beside the events; `undefined` where it is missing.
   *
   * @throws `INVALID_RECORD` where it has another digest now; `IO_ERROR`.
   */
  kept(digest: Digest): Promise<Uint8Array | undefined>;
}

/** A record that goes on. */
export interface ResumedRun extends StoredRun {
  readonly journal: OpenRun;
}

/** One run of a list. */
export type ListedRun =
  | {
      readonly kind: 'run';
      readonly id: string;
      readonly folder: string;
      readonly summary: RunSummary;
      /** As of {@link StoredRun}; `false` while somebody writes to it. */
      readonly cutOff: boolean;
    }
  /** Something that is in the folder of the runs, and cannot be read as one. */
  | { readonly kind: 'broken'; readonly id: string; readonly folder: string; readonly error: RecordedError };

/** How a record is made. */
export interface CreateRunOptions {
  /**
   * Whether it is made only with the first request: what comes before is held in memory, and a run in which nothing is
   * asked leaves nothing. The folder is then made, and refused, by the journal.
   *
   * @default false
   */
  readonly deferred?: boolean | undefined;
}

/** The folder in which runs are recorded, each in a folder of its own. */
export interface RunFolder {
  /**
   * Makes the record of a new run. With the first one, the folder of the runs gets a `.gitignore` that names everything.
   *
   * @throws `USAGE` for an id that no run can have, or that one has; `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`.
   */
  create(id: string, options?: CreateRunOptions): Promise<OpenRun>;
  /**
   * Reads a record, while it is written, too.
   *
   * @throws `RUN_NOT_FOUND`, `INVALID_RECORD`, `USAGE`, `FILE_TOO_LARGE`, `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`.
   */
  read(id: string): Promise<StoredRun>;
  /**
   * All runs, the newest first. Of one that is finished only `run.json` and the end of its events are read. Those that
   * were cut off before anything was asked are passed over.
   *
   * @throws `IO_ERROR`.
   */
  list(): Promise<readonly ListedRun[]>;
  /**
   * Opens a record that was not finished, so that it can go on. A torn line is put aside, into a file beside the events.
   *
   * @throws as `read`; `BUSY` while somebody writes to it.
   */
  resume(id: string): Promise<ResumedRun>;
}
