import type { PackName } from '@skillpack/core';
import type { InstallRoot } from '../root/install-root.js';
import type { RevokedPack } from '../trust/revoked-packs.js';

/** Which root is to be looked at. */
export interface OutdatedRequest {
  readonly root: InstallRoot;
}

/** How it is looked at. */
export interface OutdatedOptions {
  /** Told when what an interrupted change had left was dealt with first. */
  readonly onRecovered?: ((outcome: 'finished' | 'discarded') => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A pack for which something newer exists, or of which something should be known. */
export interface OutdatedPack {
  readonly name: PackName;
  readonly current: string;
  /** What was asked for; `undefined` for a dependency. */
  readonly range: string | undefined;
  /** The newest version that everything that wants the pack allows. */
  readonly wanted: string;
  /** The version tagged `latest`. */
  readonly latest: string;
  readonly yanked: string | null;
  readonly deprecated: string | null;
}

/** What is newer elsewhere. */
export interface OutdatedReport {
  /** How many installed packs were looked up. */
  readonly checked: number;
  readonly outdated: readonly OutdatedPack[];
  /** Packs that are locked and not installed: of these nothing was looked up. */
  readonly notInstalled: readonly { readonly name: PackName; readonly version: string }[];
  /** Installed packs whose very content was revoked: they are to be updated or removed. */
  readonly revoked: readonly RevokedPack[];
  /** Packs that could not be looked up, with the reason. */
  readonly failed: readonly { readonly name: PackName; readonly reason: string }[];
}
