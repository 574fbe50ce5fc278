import type { Digest } from '../digest/is-digest.js';
import { measureSkill, type MeasureOptions, type MeasurePorts } from './measure-skill.js';
import type { SkillRegistry } from './skill-registry.js';

/**
 * The digest of all files of each skill that a registry has, by name: what a recording compares, to be stale once a skill
 * is another one.
 *
 * @param options how much is measured of each skill.
 * @throws what `measureSkill` throws for a skill, and what `SkillRegistry.index` throws.
 * @example
 * ```ts
 * const model = await recorded(undefined, cassette, { skills: () => measureSkills(registry, { sha256 }) });
 * ```
 */
export async function measureSkills(
  registry: Pick<SkillRegistry, 'index' | 'files' | 'bytes'>,
  { sha256 }: Pick<MeasurePorts, 'sha256'>,
  options: MeasureOptions = {},
): Promise<Readonly<Record<string, Digest>>> {
  const { skills } = await registry.index({ signal: options.signal });
  const digests: Array<readonly [name: string, digest: Digest]> = [];
  for (const skill of skills) {
    const { digest } = await measureSkill(skill, { registry, sha256 }, options);
    digests.push([skill.name, digest]);
  }
  return Object.fromEntries(digests);
}
