import type { Sha256 } from '../../digest/digest.js';
import type { Digest } from '../../digest/is-digest.js';
import { canonicalJson } from '../../json/canonical-json.js';
import { recordable } from '../../json/recordable.js';
import type { RunEvent, RunEventBody } from '../run-event.js';

/** Where an event stands in its record. */
export interface EventPlace {
  /** From 1, one more than that of the event before. */
  readonly seq: number;
  /** The run or child run that it belongs to. */
  readonly run: string;
  /** When, in UTC: `2026-11-22T08:00:00.000Z`. */
  readonly at: string;
  /** The hash of the event before, or {@link chainStart}. */
  readonly prev: Digest;
}

/**
 * What happened, as an event of the record: in a form that reads back as the same from JSON (see {@link recordable}),
 * and with the hash that chains the next one to it.
 */
export function sealEvent(body: RunEventBody, place: EventPlace, sha256: Sha256): RunEvent {
  const { seq, run, at, prev } = place;
  const unsealed = recordable({ ...body, seq, run, at, prev });
  return { ...unsealed, hash: sha256(canonicalJson(unsealed)) };
}

/** What the first event of a record is chained to: the hash of its run's id. */
export function chainStart(run: string, sha256: Sha256): Digest {
  return sha256(run);
}
