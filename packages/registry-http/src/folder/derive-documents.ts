import { isDeepStrictEqual } from 'node:util';
import {
  formatRegistryInfo,
  formatRevocations,
  formatSearchCatalogue,
  formatSearchPointer,
  isPackName,
  offeredVersion,
  parseRegistryInfo,
  searchCatalogueLimit,
  searchCatalogueLocation,
  summarisePack,
  type PackName,
  type PackSummary,
  type RegistryInfo,
} from '@skillpack/core';
import { sha256 } from '../sha256.js';
import { readManifest } from './folder-blobs.js';
import type { FolderContext, OfferedPack } from './folder-context.js';
import type { FolderFiles } from './folder-files.js';
import { problemOf, type FolderProblem } from './folder-problem.js';
import { mapConcurrently } from './map-concurrently.js';
import { offerToDiscovery } from './offer-to-discovery.js';
import { indexPath, readIndex, writeIfChanged } from './rebuild-pack.js';
import { keepFolder, retireFolder } from './retire-folder.js';

/** What the documents that are made from the indexes came out as. */
export interface DerivedDocuments {
  readonly packs: number;
  /** Skills that discovery clients are offered. */
  readonly skills: number;
  readonly problems: readonly FolderProblem[];
  /** What clients of the discovery index do not find there, though nothing is wrong with it. */
  readonly notes: readonly FolderProblem[];
}

/** Who a registry says it is. */
export interface FolderIdentity {
  readonly id: string;
  readonly name: string;
}

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
    const marks = await readMarks(files);
    const { offered, problems } = await readOffered(marks, context);
    const discovery = await offerToDiscovery(offered, context);
    await writeCatalogue(
      offered.map(({ summary }) => summary),
      context,
    );
    await writeInfo(files, identity);
    if ((await files.facts('revocations/latest.json')) === undefined) {
      await files.create('revocations/latest.json', formatRevocations([]));
    }
    if (round < maxRounds && !isDeepStrictEqual(await readMarks(files), marks)) continue;
    return {
      packs: offered.length,
      skills: discovery.skills,
      problems: [...problems, ...discovery.problems],
      notes: discovery.notes,
    };
  }
}

/** The summaries of all packs, read from their indexes: the slow way, for a folder that has no catalogue. */
export async function readSummaries(context: FolderContext): Promise<readonly PackSummary[]> {
  const { offered } = await readOffered(await readMarks(context.files), context);
  return offered.map(({ summary }) => summary);
}

/** Every pack with the mark of its index, which changes when the index does. */
async function readMarks(files: FolderFiles): Promise<ReadonlyMap<PackName, string>> {
  const marked = await mapConcurrently(
    await listPacks(files),
    async (name) => [name, (await files.facts(indexPath(name)))?.mark ?? ''] as const,
  );
  return new Map(marked);
}

async function readOffered(
  marks: ReadonlyMap<PackName, string>,
  { files, memory }: FolderContext,
): Promise<{ offered: OfferedPack[]; problems: FolderProblem[] }> {
  const offered: OfferedPack[] = [];
  const problems: FolderProblem[] = [];
  await mapConcurrently([...marks], async ([name, mark]) => {
    const remembered = memory?.get(name);
    if (remembered?.mark === mark) {
      offered.push(remembered);
      return;
    }
    try {
      const document = await readIndex(name, files);
      const record = offeredVersion(document);
      if (record === undefined) return;
      const manifest = await readManifest(record.manifest, files);
      const pack = { mark, summary: summarisePack(document, manifest), manifest, record };
      memory?.set(name, pack);
      offered.push(pack);
    } catch (error) {
      problems.push(problemOf(name, error));
    }
  });
  return {
    offered: offered.toSorted((left, right) => (left.summary.name < right.summary.name ? -1 : 1)),
    problems: problems.toSorted((left, right) => (left.subject < right.subject ? -1 : 1)),
  };
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
