import type { Digest } from '../../digest/is-digest.js';
import type { SkillScope } from '../../registry/layer-skills.js';
import type { ActivatedBy } from '../activation.js';
import type { RecordedError, RunEvent } from '../run-event.js';

/** A skill that was activated, as often as it was. */
export interface SkillSummary {
  readonly run: string;
  readonly name: string;
  readonly scope: SkillScope;
  readonly location: string;
  readonly pack: string | undefined;
  /** Of the SKILL.md that was read. */
  readonly digest: Digest;
  readonly by: ActivatedBy;
  readonly reason: string;
}

/** A file of a skill that was read, once for each content that it had. */
export interface ResourceSummary {
  readonly location: string;
  readonly path: string;
  /** Where it could be read. */
  readonly digest: Digest | undefined;
  /** Bytes, where it could be read. */
  readonly size: number | undefined;
  /** Where it could not be read. */
  readonly error: RecordedError | undefined;
}

/** The skills that were activated, in their order. */
export function listSkills(events: readonly RunEvent[]): readonly SkillSummary[] {
  return events.flatMap((event) => {
    if (event.type !== 'skill_activated') return [];
    const { name, scope, location, pack, digest, by, reason } = event.activation;
    return [{ run: event.run, name, scope, location, pack, digest, by, reason }];
  });
}

/** The files of skills that were read, in the order of the first reading. */
export function listResources(events: readonly RunEvent[]): readonly ResourceSummary[] {
  const resources = new Map<string, ResourceSummary>();
  for (const event of events) {
    // The list of a skill's files is no file.
    if (event.type !== 'skill_read' || event.path === '') continue;
    const { location, path, kept, error } = event;
    const key = JSON.stringify([location, path, kept?.digest, error?.code]);
    if (!resources.has(key)) resources.set(key, { location, path, digest: kept?.digest, size: kept?.size, error });
  }
  return [...resources.values()];
}
