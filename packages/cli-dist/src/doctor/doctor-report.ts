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
  readonly onEvent?: ((event: DoctorEvent) => void) | undefined;
}

/** What happens during a repair, as it happens. */
export type DoctorEvent =
  /** Another process works in the root; told once, when the waiting begins. `timeout`: for how long at most, in ms. */
  | { readonly kind: 'waiting'; readonly holder: number | undefined; readonly timeout: number }
  /** Nobody else works in the root from here on. */
  | { readonly kind: 'mending' };

/** Something that is not as it should be. */
export interface DoctorFinding {
  readonly kind:
    | 'blocked-path'
    | 'busy'
    | 'unfinished-install'
    | 'leftover-staging'
    | 'leftover-temporary-file'
    | 'broken-receipt'
    | 'lost-record'
    | 'orphan-receipt'
    | 'claimed-twice'
    | 'missing-skill'
    | 'changed-files'
    | 'shadowed-skill'
    | 'lock-drift'
    | 'lock-missing'
    | 'lock-unreadable'
    | 'project-drift'
    | 'project-unreadable'
    | 'broken-link'
    | 'orphan-backup'
    | 'revoked-pack'
    | 'damaged-archive'
    | 'not-readable'
    | 'not-writable';
  /** The pack or the path it is about. */
  readonly subject: string;
  /** What was found, as a sentence. */
  readonly message: string;
  /** What was done, or what to do, as a sentence. */
  readonly advice: string;
  /** Whether a repair mends it, or has mended it. */
  readonly repairable: boolean;
  readonly repaired: boolean;
}

/** Something that is no fault, and that somebody may not know. */
export interface DoctorNote {
  /** `unwanted-pack`: only the lock file keeps it. */
  readonly kind: 'unwanted-pack';
  /** The pack. */
  readonly subject: string;
  readonly message: string;
  readonly advice: string;
}

/** What an examination found. */
export interface DoctorReport {
  readonly root: string;
  /** Whether nothing is wrong, or everything found was repaired. */
  readonly ok: boolean;
  readonly findings: readonly DoctorFinding[];
  readonly notes: readonly DoctorNote[];
}
