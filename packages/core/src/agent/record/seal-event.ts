import type { Sha256 } from '../../digest/digest.js';
import type { Digest } from '../../digest/is-digest.js';
import { SkillsError } from '../../errors/skills-error.js';
import { canonicalJson } from '../../json/canonical-json.js';
import { recordable } from '../../json/recordable.js';
import type { RunEvent, RunEventBody } from '../run-event.js';
import { recordLimits } from './record-limits.js';

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
 * and with the hash that chains the next one to it. Of an observation whose `output` is too much for a line, only that
 * is said.
 *
 * @throws `FILE_TOO_LARGE` for any other event that is too long for a line of a record.
 */
export function sealEvent(body: RunEventBody, place: EventPlace, sha256: Sha256): RunEvent {
  const { seq, run, at, prev } = place;
  const unsealed = fitting(recordable({ ...body, seq, run, at, prev }));
  return { ...unsealed, hash: sha256(canonicalJson(unsealed)) };
}

type Unsealed = RunEventBody & EventPlace;

/** A line has limits, and the output of a tool has none: what is too much of it is left out, and said to be. */
function fitting(event: Unsealed): Unsealed {
  const excess = excessOf(event);
  if (excess === undefined) return event;
  const smaller = event.type === 'observation_recorded' ? { ...event, output: { omitted: excess } } : event;
  if (smaller !== event && excessOf(smaller) === undefined) return smaller;
  throw new SkillsError('FILE_TOO_LARGE', `The event ${event.type} cannot be recorded: it has ${excess}.`);
}

const maxValues = 150_000;

function excessOf(event: Unsealed): string | undefined {
  const open: unknown[] = [event];
  let values = 0;
  let length = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    values += 1;
    if (typeof next === 'string') length += next.length;
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, value] of Object.entries(next)) {
      length += key.length;
      open.push(value);
    }
  }
  if (values > maxValues) return `${values} values, where ${maxValues} are the limit`;
  // A line may be six times as long as its texts: each character may be an escape.
  const maxLength = recordLimits.line / 8;
  return length > maxLength ? `${length} characters, where ${maxLength} are the limit` : undefined;
}

/** What the first event of a record is chained to: the hash of its run's id. */
export function chainStart(run: string, sha256: Sha256): Digest {
  return sha256(run);
}
