import { SkillsError, splitPackName, type PackName } from '@skillpack/core';
import type { RegistrySetting, Settings } from './settings.js';

const hint =
  'Name one: --registry <url or folder>, the environment variable SKILLS_REGISTRY, or “registries”: { “default”: … } in skillpack.json.';

/**
 * The registry that a pack comes from: its organisation's own, else the default one, else the one it is `locked` to. An organisation's own registry
 * wins whoever chose the default, so that nobody can slip in a pack of that name from elsewhere.
 *
 * @throws `USAGE` when no registry is configured.
 */
export function registryOfPack(
  name: PackName,
  settings: Settings,
  locked?: (name: PackName) => RegistrySetting | undefined,
): RegistrySetting {
  const { org } = splitPackName(name);
  const setting = settings.registries.get(org) ?? settings.registry ?? locked?.(name);
  if (setting !== undefined) return setting;
  throw new SkillsError('USAGE', `No registry is configured, and ${name} comes from one.`, { hint });
}

/** The registry that is searched, and published to when nothing else is said. @throws `USAGE`. */
export function defaultRegistry(settings: Settings): RegistrySetting {
  if (settings.registry !== undefined) return settings.registry;
  throw new SkillsError('USAGE', 'No registry is configured.', { hint });
}
