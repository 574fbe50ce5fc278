import type { Digest } from '../../digest/is-digest.js';
import { SkillsError } from '../../errors/skills-error.js';
import type { KeptText, RunEvent, RunTerms } from '../run-event.js';

/** The record of a run, whose chain is right: what `readRunEvents` gives, and a way to what was kept beside it. */
export interface RunRecord {
  readonly events: readonly RunEvent[];
  /** What was kept; `undefined` where it is missing. Whether it has this digest is judged by whoever uses it. */
  kept(digest: Digest): Promise<Uint8Array | undefined>;
}

/** @throws `INVALID_RECORD` where it is missing. */
export async function keptBytes(record: RunRecord, { digest }: KeptText): Promise<Uint8Array> {
  const bytes = await record.kept(digest);
  if (bytes !== undefined) return bytes;
  throw new SkillsError('INVALID_RECORD', `What the record keeps as ${digest} is missing.`, { data: { digest } });
}

/** @throws `INVALID_RECORD` where it is missing. */
export async function keptText(record: RunRecord, kept: KeptText): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await keptBytes(record, kept));
}

/** Everything that an event says is kept beside it. */
export function keptBy(event: RunEvent): readonly KeptText[] {
  switch (event.type) {
    case 'run_started':
      return [event.index.kept, ...keptByTerms(event)];
    case 'run_resumed':
      return event.with === undefined ? [] : keptByTerms(event.with);
    case 'index_changed':
      return [event.index.kept];
    case 'skill_read':
    case 'skill_measured':
      return event.kept === undefined ? [] : [event.kept];
    case 'observation_recorded':
      return event.kept;
    default:
      return [];
  }
}

function keptByTerms({ system, options: { setup } }: RunTerms): readonly KeptText[] {
  return [system, ...(setup === undefined ? [] : [setup])];
}
