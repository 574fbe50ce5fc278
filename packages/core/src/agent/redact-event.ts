import type { JsonValue } from '../json/json-value.js';
import { recordable } from '../json/recordable.js';

/** Where a record holds what others made: there, no name of a field says anything. */
const openFields = new Set(['output', 'input', 'constraints']);

/** Where a model chooses the ids of steps. */
const planFields = new Set(['plan', 'plan_update']);

/** Fields whose values are those of the protocol, which no secret is. */
const closedFields = new Set([
  'type',
  'kind',
  'digest',
  'hash',
  'stop',
  'finish',
  'code',
  'op',
  'status',
  'how',
  'id',
  'run',
  'child',
  'runMode',
  'scope',
  'source',
  'risk',
]);

/** What happened, in a form that a record can hold, with every text that somebody wrote redacted. */
export function redactEvent<Body extends object>(body: Body, redact: (text: string) => string): Body {
  // Only texts are replaced.
  return redactValue(recordable(body), redact, 'event') as Body;
}

/** As {@link redactEvent}, for what a tool or a registry made: names of fields too. */
export function redactOutput(value: object, redact: (text: string) => string): JsonValue {
  return redactValue(recordable(value), redact, 'open') as JsonValue;
}

/** Where a value stands: that decides which of its fields say what somebody wrote. */
type Place = 'event' | 'plan' | 'open';

function redactValue(value: unknown, redact: (text: string) => string, place: Place): unknown {
  if (typeof value === 'string') return redact(value).toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact, place));
  const fields = Object.entries(value).map(([key, inner]): readonly [string, unknown] => {
    if (typeof inner === 'string' && isClosed(key, place)) return [key, inner];
    const name = place === 'open' ? redact(key).toWellFormed() : key;
    return [name, redactValue(inner, redact, placeIn(key, place))];
  });
  return Object.fromEntries(fields);
}

function isClosed(key: string, place: Place): boolean {
  return place !== 'open' && closedFields.has(key) && !(place === 'plan' && key === 'id');
}

function placeIn(key: string, place: Place): Place {
  if (place === 'open' || openFields.has(key)) return 'open';
  return planFields.has(key) ? 'plan' : place;
}
