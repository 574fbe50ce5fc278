import type { CompareOptions, CompareRanksOptions } from '@skillpack/evals';
import { isFree } from './free-models.js';

/** What a command line says of when a change is too much, in percent. */
export interface GateShares {
  /** A difference that does not matter. */
  readonly margin?: number | undefined;
  /** Of the requests of a skill, those that it may lose. */
  readonly maxLost?: number | undefined;
}

/** How results are compared: what plays a script or a recording answers the same each time. */
export function compareOptionsOf({ margin }: GateShares = {}): CompareOptions {
  return { deterministic: isFree, ...(margin === undefined ? {} : { margin: margin / 100 }) };
}

/** How ranks are compared. */
export function rankOptionsOf({ margin, maxLost }: GateShares): CompareRanksOptions {
  return {
    ...(margin === undefined ? {} : { margin: margin / 100 }),
    ...(maxLost === undefined ? {} : { maxLost: maxLost / 100 }),
  };
}
