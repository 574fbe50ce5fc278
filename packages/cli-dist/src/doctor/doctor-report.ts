import type { InstallRoot } from '../root/install-root.js';

/** Which root is to be looked at. */
export interface DoctorRequest {
  readonly root: InstallRoot;
}

/** What is done about what is found. */
export interface DoctorOptions {
  /** Mend what can be mended without losing anything. @default false */
  readonly repair?: boolean | undefined;
  /** Milliseconds to wait for another process in the same root. @default 60,000 */
  readonly lockTimeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Something that is not as it should be. */
export interface DoctorFinding {
  readonly kind:
    | 'unfinished-install'
    | 'leftover-staging'
    | 'leftover-temporary-file'
    | 'broken-receipt'
    | 'orphan-receipt'
    | 'missing-skill'
    | 'changed-files'
    | 'lock-drift'
    | 'lock-unreadable'
    | 'project-unreadable'
    | 'broken-link'
    | 'damaged-archive'
    | 'not-writable';
  /** The pack, the path or the archive it is about. */
  readonly subject: string;
  /** What was found, as a sentence. */
  readonly message: string;
  /** What was done, or what to do, as a sentence. */
  readonly advice: string;
  readonly repaired: boolean;
}

/** What an examination found. */
export interface DoctorReport {
  readonly root: string;
  /** Whether nothing is wrong, or everything found was repaired. */
  readonly ok: boolean;
  readonly findings: readonly DoctorFinding[];
}
