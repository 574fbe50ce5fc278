import { checkPermissions, SkillsError, type Digest, type Permissions, type ToolRules } from '@skillpack/core';
import type { StoredRun } from '@skillpack/runs-fs';

/** What scripts of a run could do, and what its tools could be used for, when it was last worked on. */
export interface RecordedTerms {
  /** What kept scripts from harm; `null` where nothing did. */
  readonly confinement: string | null;
  /** What scripts could do that a sandbox would keep from them; `null` where the record does not say. */
  readonly leaves: readonly string[] | null;
  /** `null` where the record has none: the usual ones held. */
  readonly permissions: Permissions | null;
}

/** What the record of a run says of these. @throws `INVALID_RECORD` where what it kept of them is not there. */
export async function recordedTerms({ events, kept }: Pick<StoredRun, 'events' | 'kept'>): Promise<RecordedTerms> {
  const terms = events.flatMap((event) => {
    if (event.type === 'run_started') return [event.options];
    return event.type === 'run_resumed' && event.with !== undefined ? [event.with.options] : [];
  });
  const digest = terms.at(-1)?.setup?.digest;
  return digest === undefined ? nothing : termsIn(await textOf(kept, digest));
}

/** As {@link recordedTerms}; of a record that has lost what it kept of them, nothing. */
export async function shownTerms(stored: Pick<StoredRun, 'events' | 'kept'>): Promise<RecordedTerms> {
  try {
    return await recordedTerms(stored);
  } catch (error) {
    if (!SkillsError.is(error, 'INVALID_RECORD')) throw error;
    return nothing;
  }
}

/** Rules as a person reads them: `allow risk:low; ask risk:medium, write_file`. */
export function describeRules({ allow = [], ask = [], deny = [] }: ToolRules): string {
  const lists = [
    ['allow', allow],
    ['ask', ask],
    ['deny', deny],
  ] as const;
  return lists.flatMap(([name, rules]) => (rules.length === 0 ? [] : [`${name} ${rules.join(', ')}`])).join('; ');
}

const nothing: RecordedTerms = { confinement: null, leaves: null, permissions: null };

async function textOf(kept: StoredRun['kept'], digest: Digest): Promise<string> {
  return new TextDecoder().decode(await kept(digest));
}

function termsIn(json: string): RecordedTerms {
  const { runner, settings } = fieldsOf(parse(json));
  const { confinement, leaves } = fieldsOf(runner);
  const { name } = fieldsOf(confinement);
  const { permissions } = fieldsOf(settings);
  return {
    confinement: typeof name === 'string' ? name : null,
    leaves: Array.isArray(leaves) ? leaves.filter((one): one is string => typeof one === 'string') : null,
    permissions: permissions === undefined ? null : readPermissions(permissions),
  };
}

/** Who wrote a record may have written anything into it. */
function readPermissions(value: unknown): Permissions | null {
  try {
    return checkPermissions(value);
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return null;
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // What cannot be read says nothing; whoever goes on with the run is told so by core.
    return undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  // Cast: an object has fields, of which nothing is known.
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
