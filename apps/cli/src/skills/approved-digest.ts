import { sha256 } from '@skillpack/cli-dist';
import { createSkillRegistry, measureSkill, type Digest } from '@skillpack/core';
import { folderSkills, type FoundSkill } from '@skillpack/registry-fs';

/**
 * The digest of a skill's folder that a yes to its scripts is for, as an agent measures it; `null` where it cannot be
 * measured, so that no script of it is run either.
 */
export async function approvedDigest({ root, scope, path }: FoundSkill, signal: AbortSignal): Promise<Digest | null> {
  const registry = createSkillRegistry(folderSkills([{ path: root, scope }], performance), { sha256 });
  try {
    const entry = await registry.getByPath(path, { signal });
    if (entry === undefined) return null;
    return (await measureSkill(entry, { registry, sha256 }, { signal })).digest;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
