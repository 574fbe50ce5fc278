import type { PackName } from '@skillpack/core';
import type { InstallWarning } from './install-report.js';

/** What happens during an install, as it happens. */
export type InstallEvent =
  /** Another process works in the root; told once, when the waiting begins. `timeout`: for how long at most, in ms. */
  | { readonly kind: 'waiting'; readonly holder: number | undefined; readonly timeout: number }
  /** An interrupted install was finished, or what it left was removed. */
  | { readonly kind: 'recovered'; readonly outcome: 'finished' | 'discarded' }
  /** `documents`: index documents read so far. */
  | { readonly kind: 'resolving'; readonly documents: number }
  /** An archive that is no registry's is downloaded; `received` in bytes, the URL without credentials. */
  | { readonly kind: 'downloading'; readonly url: string; readonly received: number }
  /** `packs`: in the solution; `changes`: of them to be added, updated or removed. */
  | { readonly kind: 'resolved'; readonly packs: number; readonly changes: number }
  /** `received` and `total` in bytes; `total` is `undefined` where nobody stated it. */
  | {
      readonly kind: 'fetching';
      readonly name: PackName;
      readonly version: string;
      readonly received: number;
      readonly total: number | undefined;
    }
  | {
      readonly kind: 'fetched';
      readonly name: PackName;
      readonly version: string;
      readonly bytes: number;
      readonly from: 'network' | 'store' | 'disk';
    }
  /** A pack's files lie in the staging folder. `done` of `total` packs. */
  | { readonly kind: 'staged'; readonly name: PackName; readonly done: number; readonly total: number }
  /** From here on a crash leads to the new state. */
  | { readonly kind: 'committed' }
  | { readonly kind: 'applied'; readonly packs: number }
  | { readonly kind: 'warning'; readonly warning: InstallWarning };
