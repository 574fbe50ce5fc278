import { quoted } from '@skillpack/core';
import { nearestName } from '../frame/nearest-name.js';
import { approvedEntries } from './approval-entry.js';
import type { OfferedSkills } from './offer-skills.js';

/** Who is told. */
export interface EntriesPorts {
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
}

/** Tells of skills that `--approve` names and nobody has: that yes is for nothing. @throws `USAGE` for what is no list. */
export async function warnOfEntries(
  approve: string | undefined,
  { registry, withheld }: OfferedSkills,
  { signal, warn }: EntriesPorts,
): Promise<void> {
  const named = new Set(approvedEntries(approve).flatMap(({ skill }) => skill?.normalize('NFC') ?? []));
  if (named.size === 0) return;
  const { skills } = await registry.index({ signal });
  const known = [...skills.map(({ name }) => name), ...withheld];
  const names = new Set(known.map((name) => name.normalize('NFC')));
  for (const name of named) {
    if (names.has(name)) continue;
    const nearest = nearestName(name, known);
    const like = nearest === undefined ? '.' : `; did you mean ${quoted(nearest)}?`;
    const path = nearest === undefined && /[/.:]/u.test(name) ? ` ${aboutPaths}` : '';
    warn(`--approve names the skill ${quoted(name)}, and none here is called so${like}${path}`);
  }
}

const aboutPaths =
  'In its parentheses stands the name of a skill; a script by its path is a rule, for `permissions` or --allow.';
