import { discoveryIndexPath, formatDiscoveryIndex, isPackNamePart, type DiscoverySkill } from '@skillpack/core';
import { artifactFolder, discoveryFolder, offerSkills } from './discovery-artifacts.js';
import type { FolderContext, OfferedPack } from './folder-context.js';
import { problemOf, type FolderProblem } from './folder-problem.js';
import { mapConcurrently } from './map-concurrently.js';
import { writeIfChanged } from './rebuild-pack.js';
import { keepFolder, retireFolder } from './retire-folder.js';

/** Discovery clients read one document whole, so only registries up to this many packs have one. */
const discoveryLimit = 1_000;

/**
 * Makes the discovery index of what packs offer, and the artifacts it names. Of two skills of one name, that of the
 * first pack is offered.
 */
export async function offerToDiscovery(
  packs: readonly OfferedPack[],
  context: FolderContext,
): Promise<{ skills: number; problems: FolderProblem[]; notes: FolderProblem[] }> {
  if (packs.length > discoveryLimit) {
    await context.files.remove(discoveryIndexPath);
    const message = `${packs.length} packs are more than the ${discoveryLimit} that a discovery index lists; there is none.`;
    return { skills: 0, problems: [], notes: [{ subject: discoveryIndexPath, message }] };
  }
  const skills = new Map<string, DiscoverySkill>();
  const problems: FolderProblem[] = [];
  const notes: FolderProblem[] = [];
  const outcomes = await mapConcurrently(packs, async (pack) => {
    try {
      return { pack, offered: await skillsOf(pack, context) };
    } catch (error) {
      return { pack, offered: [], problem: problemOf(pack.manifest.name, error) };
    }
  });
  for (const { pack, offered, problem: failed } of outcomes) {
    if (failed !== undefined) problems.push(failed);
    for (const skill of offered) {
      const reason = skills.has(skill.name) ? 'another pack offers a skill of this name' : whyNotOffered(skill);
      if (reason === undefined) skills.set(skill.name, skill);
      else {
        const subject = `${pack.manifest.name} ${skill.name}`;
        notes.push({ subject, message: `Not in the discovery index: ${reason}.` });
      }
    }
  }
  await writeIfChanged(discoveryIndexPath, formatDiscoveryIndex([...skills.values()]), context.files);
  await removeStaleArtifacts(new Set(packs.map(({ manifest }) => artifactFolder(manifest))), context);
  return { skills: skills.size, problems, notes };
}

async function skillsOf(pack: OfferedPack, context: FolderContext): Promise<readonly DiscoverySkill[]> {
  const skills = pack.skills ?? (await offerSkills(pack.manifest, pack.record, context));
  context.memory?.set(pack.manifest.name, { ...pack, skills });
  return skills;
}

function whyNotOffered(skill: DiscoverySkill): string | undefined {
  if (!isPackNamePart(skill.name)) return 'its name is not of a-z, 0-9 and single hyphens';
  return skill.description === '' ? 'it has no description' : undefined;
}

async function removeStaleArtifacts(present: ReadonlySet<string>, { files, now }: FolderContext): Promise<void> {
  for (const org of await files.list(discoveryFolder)) {
    if (org.kind !== 'folder') continue;
    for (const pack of await files.list(`${discoveryFolder}/${org.name}`)) {
      for (const version of await files.list(`${discoveryFolder}/${org.name}/${pack.name}`)) {
        const folder = `${org.name}/${pack.name}/${version.name}`;
        if (present.has(folder)) await keepFolder(`${discoveryFolder}/${folder}`, files);
        else await retireFolder(`${discoveryFolder}/${folder}`, files, now());
      }
    }
  }
}
