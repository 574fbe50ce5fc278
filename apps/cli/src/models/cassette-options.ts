import { measureSkill, SkillsError, type SkillRegistry } from '@skillpack/core';
import { sha256 } from '@skillpack/cli-dist';
import type { RecordedOptions, SkillDigests } from '@skillpack/model-adapters';
import type { ModelRun } from './model-provider.js';

/**
 * How the calls of a run are recorded, and found again: whatever the folders are called and however fast it is, with the
 * same skills, without secrets.
 */
export function cassetteOptions(run: ModelRun): Pick<RecordedOptions, 'replace' | 'redact' | 'skills'> {
  const { registry, redact, signal } = run;
  return {
    replace: replacedFolders(run),
    redact,
    skills: async () => digestsOf(registry, signal),
  };
}

/** One inside another comes first. */
function replacedFolders({ workspace, builtin, skillsHome, home }: ModelRun): RecordedOptions['replace'] {
  const folders = [
    { from: workspace, to: '{workspace}' },
    { from: builtin.replace(/[\\/]+$/u, ''), to: '{builtin}' },
    { from: skillsHome, to: '{skills-home}' },
    { from: home, to: '{home}' },
  ];
  return folders.toSorted((left, right) => right.from.length - left.from.length);
}

/** What of a skill cannot be measured, is not compared. */
async function digestsOf(registry: SkillRegistry, signal: AbortSignal): Promise<SkillDigests> {
  const { skills } = await registry.index({ signal });
  const digests = await Promise.all(
    skills.map(async (skill) => {
      try {
        const { digest } = await measureSkill(skill, { registry, sha256 }, { signal });
        return [[skill.name, digest] as const];
      } catch (error) {
        if (!SkillsError.is(error) || signal.aborted) throw error;
        return [];
      }
    }),
  );
  return Object.fromEntries(digests.flat());
}
