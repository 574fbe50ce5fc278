import { messageOf } from '../errors/message-of.js';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { skillScopes } from './layer-skills.js';
import { nameKind } from './name-kind.js';
import type { SkillListing } from './skill-backend.js';

const checked = new WeakSet<object>();

/**
 * What a registry or a backend gave for its skills, as it is declared: everything that is read of an entry without asking
 * for its files. One that was checked before is not looked at again.
 *
 * @param kind what the registry calls itself.
 * @throws `REGISTRY_ERROR`, which names the registry, for what is no listing of skills.
 */
export function checkListing<Listing extends SkillListing>(listing: Listing, kind: string): Listing {
  if (typeof listing === 'object' && listing !== null && checked.has(listing)) return listing;
  const problem = judge(listing);
  if (problem !== undefined) {
    const name = typeof kind === 'string' ? quoted(kind) : 'without a kind';
    throw new SkillsError('REGISTRY_ERROR', `The registry ${name} gave ${problem}.`, {
      hint: 'Let it return { skills }, a list of entries with name, scope, location and head, as `parseSkillHead` makes one.',
      data: { kind },
    });
  }
  checked.add(listing);
  return listing;
}

function judge(listing: unknown): string | undefined {
  try {
    if (!isRecord(listing)) return `${nameKind(listing)} instead of its skills`;
    const { skills, shadowed = [], problems = [] } = listing;
    return (
      judgeList('skills', skills, judgeEntry) ??
      judgeList('shadowed skills', shadowed, judgeShadowed) ??
      judgeList('problems', problems, judgeProblem)
    );
  } catch (error) {
    // A getter, or a proxy that was revoked.
    return `skills that cannot be read, ${quoted(messageOf(error))}`;
  }
}

function judgeList(what: string, list: unknown, judgeItem: (item: unknown) => string | undefined): string | undefined {
  if (!Array.isArray(list)) return `${nameKind(list)}, not a list, as its ${what}`;
  // Not by a method: that passes over the holes of a list.
  for (let at = 0; at < list.length; at += 1) {
    const problem = judgeItem(list[at]);
    if (problem !== undefined) return `${problem} as number ${at + 1} of its ${what}`;
  }
  return undefined;
}

function judgeEntry(entry: unknown): string | undefined {
  if (!isRecord(entry)) return nameKind(entry);
  const { name, scope, location, pack, head } = entry;
  if (typeof name !== 'string' || name === '') return 'a skill without a name';
  const skill = `the skill ${quoted(name)}`;
  if (typeof location !== 'string') return `${skill} with ${nameKind(location)} as its location`;
  const scopes: readonly unknown[] = skillScopes;
  // One that is not known would win over all others.
  if (!scopes.includes(scope)) {
    return `${skill} with ${typeof scope === 'string' ? quoted(scope) : nameKind(scope)} as its scope`;
  }
  if (!isOptionalText(pack)) return `${skill} with ${nameKind(pack)} as its pack`;
  if (!isRecord(head)) return `${skill} with ${nameKind(head)} as its head`;
  if (typeof head['name'] !== 'string') return `${skill} with ${nameKind(head['name'])} as the name in its head`;
  const { description } = head;
  if (description === undefined || typeof description === 'string') return undefined;
  return `${skill} with ${nameKind(description)} as its description`;
}

function judgeShadowed(shadowed: unknown): string | undefined {
  if (!isRecord(shadowed)) return nameKind(shadowed);
  const { entry, by } = shadowed;
  if (typeof by !== 'string') return `a skill that ${nameKind(by)} shadows`;
  return judgeEntry(entry);
}

function judgeProblem(problem: unknown): string | undefined {
  if (!isRecord(problem)) return nameKind(problem);
  const wrong = (['code', 'location', 'message'] as const).find((field) => typeof problem[field] !== 'string');
  return wrong === undefined ? undefined : `a problem with ${nameKind(problem[wrong])} as its ${wrong}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A database says `null` of what it does not have. */
function isOptionalText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}
