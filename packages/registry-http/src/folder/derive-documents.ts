import {
  discoveryIndexPath,
  formatDiscoveryIndex,
  formatRegistryInfo,
  formatRevocations,
  formatSearchCatalogue,
  formatSearchPointer,
  isPackName,
  isPackNamePart,
  offeredVersion,
  parseRegistryInfo,
  searchCatalogueLimit,
  searchCatalogueLocation,
  SkillsError,
  summarisePack,
  type DiscoverySkill,
  type PackManifest,
  type PackName,
  type PackSummary,
  type RegistryInfo,
  type VersionRecord,
} from '@skillpack/core';
import { sha256 } from '../sha256.js';
import { artifactFolder, discoveryFolder, offerSkills } from './discovery-artifacts.js';
import { readManifest } from './folder-blobs.js';
import type { FolderContext } from './folder-context.js';
import type { FolderFiles } from './folder-files.js';
import { indexPath, readIndex, writeIfChanged } from './rebuild-pack.js';
import { keepFolder, retireFolder } from './retire-folder.js';

/** Something in a registry's folder that could not be used. */
export interface FolderProblem {
  /** The pack or the skill. */
  readonly subject: string;
  readonly message: string;
}

/** What the documents that are made from the indexes came out as. */
export interface DerivedDocuments {
  readonly packs: number;
  /** Skills that discovery clients are offered. */
  readonly skills: number;
  readonly problems: readonly FolderProblem[];
}

/** Who a registry says it is. */
export interface FolderIdentity {
  readonly id: string;
  readonly name: string;
}

interface OfferedPack {
  readonly summary: PackSummary;
  readonly manifest: PackManifest;
  readonly record: VersionRecord;
}

/** Discovery clients read one document whole, so only registries up to this many packs have one. */
const discoveryLimit = 1_000;
const maxRounds = 5;

/** Every pack that has an index, in byte order. */
export async function listPacks(files: FolderFiles, folder: 'packs' | 'versions' = 'packs'): Promise<PackName[]> {
  const names: PackName[] = [];
  for (const org of await files.list(folder)) {
    if (org.kind !== 'folder') continue;
    for (const entry of await files.list(`${folder}/${org.name}`)) {
      const name = `${org.name}/${entry.name.replace(/\.ndjson$/u, '')}`;
      if (isPackName(name)) names.push(name);
    }
  }
  return names.toSorted();
}

/**
 * Makes what is derived from the packs' indexes: registry.json, the search catalogue, the discovery index with its
 * artifacts, and an empty list of revocations where there is none. When an index changes meanwhile it begins anew, so
 * the last of several processes leaves documents of the present indexes.
 */
export async function deriveDocuments(context: FolderContext, identity: FolderIdentity): Promise<DerivedDocuments> {
  const { files } = context;
  for (let round = 1; ; round += 1) {
    const mark = await markOf(files);
    const { offered, problems } = await readOffered(files);
    const discovery = await offerToDiscovery(offered, context);
    await writeCatalogue(
      offered.map(({ summary }) => summary),
      context,
    );
    await writeInfo(files, identity);
    if ((await files.facts('revocations/latest.json')) === undefined) {
      await files.create('revocations/latest.json', formatRevocations([]));
    }
    if (round < maxRounds && (await markOf(files)) !== mark) continue;
    return { packs: offered.length, skills: discovery.skills, problems: [...problems, ...discovery.problems] };
  }
}

/** The summaries of all packs, read from their indexes: the slow way, for a folder that has no catalogue. */
export async function readSummaries(files: FolderFiles): Promise<readonly PackSummary[]> {
  return (await readOffered(files)).offered.map(({ summary }) => summary);
}

async function markOf(files: FolderFiles): Promise<string> {
  const marks: string[] = [];
  for (const name of await listPacks(files)) marks.push(`${name} ${(await files.facts(indexPath(name)))?.mark}`);
  return marks.join('\n');
}

async function readOffered(files: FolderFiles): Promise<{ offered: OfferedPack[]; problems: FolderProblem[] }> {
  const offered: OfferedPack[] = [];
  const problems: FolderProblem[] = [];
  for (const name of await listPacks(files)) {
    try {
      const document = await readIndex(name, files);
      const record = offeredVersion(document);
      if (record === undefined) continue;
      const manifest = await readManifest(record.manifest, files);
      offered.push({ summary: summarisePack(document, manifest), manifest, record });
    } catch (error) {
      problems.push(problemOf(name, error));
    }
  }
  return { offered, problems };
}

/** What an error says of a pack or a skill; anything that is no SkillsError is thrown on. */
export function problemOf(subject: string, error: unknown): FolderProblem {
  if (SkillsError.is(error)) return { subject, message: error.message };
  throw error;
}

async function offerToDiscovery(
  packs: readonly OfferedPack[],
  context: FolderContext,
): Promise<{ skills: number; problems: FolderProblem[] }> {
  if (packs.length > discoveryLimit) {
    await context.files.remove(discoveryIndexPath);
    const message = `${packs.length} packs are more than the ${discoveryLimit} that a discovery index lists; there is none.`;
    return { skills: 0, problems: [{ subject: discoveryIndexPath, message }] };
  }
  const skills = new Map<string, DiscoverySkill>();
  const problems: FolderProblem[] = [];
  for (const { manifest, record } of packs) {
    try {
      for (const skill of await offerSkills(manifest, record, context)) {
        const problem = skills.has(skill.name) ? 'another pack offers a skill of this name' : discoveryProblem(skill);
        if (problem === undefined) skills.set(skill.name, skill);
        else
          problems.push({
            subject: `${manifest.name} ${skill.name}`,
            message: `Not in the discovery index: ${problem}.`,
          });
      }
    } catch (error) {
      problems.push(problemOf(manifest.name, error));
    }
  }
  await writeIfChanged(discoveryIndexPath, formatDiscoveryIndex([...skills.values()]), context.files);
  await removeStaleArtifacts(new Set(packs.map(({ manifest }) => artifactFolder(manifest))), context);
  return { skills: skills.size, problems };
}

function discoveryProblem(skill: DiscoverySkill): string | undefined {
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

async function writeCatalogue(summaries: readonly PackSummary[], { files, now }: FolderContext): Promise<void> {
  if (summaries.length > searchCatalogueLimit) return files.remove('search/latest.json');
  const catalogue = formatSearchCatalogue(summaries);
  const generation = sha256(catalogue).slice('sha256:'.length, 'sha256:'.length + 16);
  const location = searchCatalogueLocation(generation);
  await files.create(location, catalogue);
  const pointer = formatSearchPointer({ generation, catalogue: location, packs: summaries.length });
  await writeIfChanged('search/latest.json', pointer, files);
  for (const { name, kind } of await files.list('search')) {
    if (kind !== 'folder') continue;
    if (name === generation) await keepFolder(`search/${name}`, files);
    else await retireFolder(`search/${name}`, files, now());
  }
  return undefined;
}

async function writeInfo(files: FolderFiles, identity: FolderIdentity): Promise<void> {
  const present = await readInfo(files);
  const info: RegistryInfo = {
    packs: 'packs/',
    blobs: 'blobs/',
    revocations: 'revocations/latest.json',
    keys: [],
    auth: 'none',
    publish: null,
    ...identity,
    ...present,
    search: (await files.facts('search/latest.json')) === undefined ? null : 'search/latest.json',
  };
  await writeIfChanged('registry.json', formatRegistryInfo(info), files);
}

/** The registry.json of a folder, where there is one. @throws `INVALID_INDEX`. */
export async function readInfo(files: FolderFiles): Promise<RegistryInfo | undefined> {
  const bytes = await files.read('registry.json');
  return bytes === undefined ? undefined : parseRegistryInfo(new TextDecoder().decode(bytes), 'registry.json');
}
