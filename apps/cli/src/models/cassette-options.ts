import { join } from 'node:path';
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

/**
 * One folder may be several of these: where a run works counts before whose it is, since the one is the same wherever it is
 * played, and the other is not.
 */
function replacedFolders({ workspace, builtin, skillsHome, home }: ModelRun): RecordedOptions['replace'] {
  const folders = [
    { from: workspace, to: '{workspace}' },
    { from: withoutEnd(builtin), to: '{builtin}' },
    // Of the project, it is called the same where it is not the person’s.
    ...(withoutEnd(skillsHome) === join(workspace, '.agents') ? [] : [{ from: skillsHome, to: '{skills-home}' }]),
    { from: home, to: '{home}' },
  ];
  const named = new Set(['']);
  return folders.filter(({ from }) => {
    const first = !named.has(withoutEnd(from));
    named.add(withoutEnd(from));
    return first;
  });
}

function withoutEnd(folder: string): string {
  return folder.replace(/[\\/]+$/u, '');
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
