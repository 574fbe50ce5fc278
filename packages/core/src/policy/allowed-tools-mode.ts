import type { AllowedToolsMode, Permissions } from './permissions.js';
import type { PolicySkill } from './tool-use.js';

/** Where a skill comes from. */
export type SkillOrigin = Pick<PolicySkill, 'pack' | 'scope' | 'location'>;

/**
 * How the `allowed-tools` of a skill count where nobody said it: those of a skill that a person wrote or that the project
 * holds itself are a `grant`; those of one that a pack brought, that lies elsewhere or whose origin is not known `restrict`
 * it; and of one that comes with the program they are to `ignore`, as nobody here has asked for them.
 */
export function defaultAllowedToolsMode({ pack, scope, location }: SkillOrigin): AllowedToolsMode {
  if (pack !== undefined || scope === 'other' || isRemote(location)) return 'restrict';
  if (scope === 'builtin') return 'ignore';
  return isFolder(location) ? 'grant' : 'restrict';
}

/** How the `allowed-tools` of a skill count. */
export function allowedToolsMode(
  skill: SkillOrigin & { readonly name: string },
  { allowedTools }: Permissions,
): AllowedToolsMode {
  if (typeof allowedTools === 'string') return allowedTools;
  const byDefault = defaultAllowedToolsMode(skill);
  if (allowedTools === undefined) return byDefault;
  const { name, pack } = skill;
  const chosen = (key: string): AllowedToolsMode | undefined =>
    Object.hasOwn(allowedTools, key) ? allowedTools[key] : undefined;
  const byPack = pack === undefined ? undefined : (chosen(pack) ?? chosen(`${pack.slice(0, pack.indexOf('/'))}/*`));
  const byName = chosen(name);
  // Any pack can bring a skill of any name: by its name alone, a skill that others brought loses, and never gains.
  if (byName === 'restrict' || (byName !== undefined && byDefault === 'grant')) return byName;
  return byPack ?? byDefault;
}

function isRemote(location: string): boolean {
  return /^(?!file:)[a-z][a-z0-9+.-]*:\/\/|^(?:\/\/|\\\\)|^https?:/iu.test(location);
}

function isFolder(location: string): boolean {
  return /^(?:\/|[a-z]:[\\/]|file:\/\/\/)/iu.test(location);
}
