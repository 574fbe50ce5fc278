import { readdirSync } from 'node:fs';
import { isPackNamePart } from '@skillpack/core/listing';
import { entryPath } from './entry-path.js';
import { lstatOrNothing } from './lstat-or-nothing.js';
import type { ScanCache } from './scan-cache.js';

// As of semver.org; the library that compares versions takes longer to load than a listing.
const versionPattern = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/u;
const longestVersion = 256;

/** The pack that brought a skill, by its receipt. */
export interface OwningPack {
  readonly name: string;
  readonly version: string;
}

/** What a receipt says of the skills of a pack. */
interface Ownership {
  readonly version: string;
  readonly skills: readonly string[];
}

/**
 * Which pack brought which skill folder of a root, by the receipts of installs. A receipt that cannot be read owns
 * nothing: `skills doctor` is who complains about it.
 */
export async function readOwners(root: string, cache: ScanCache | undefined): Promise<ReadonlyMap<string, OwningPack>> {
  const owners = new Map<string, OwningPack>();
  const base = entryPath(root, '.skillpack');
  for (const organisation of namesIn(base)) {
    const packs = entryPath(base, organisation);
    for (const name of namesIn(packs)) {
      const place = `.skillpack/${organisation}/${name}/receipt.json`;
      const file = entryPath(entryPath(packs, name), 'receipt.json');
      const ownership = recall(file, place, cache) ?? (await readOwnership(file, place, cache));
      if (ownership === undefined) continue;
      const owner = { name: `${organisation}/${name}`, version: ownership.version };
      for (const skill of ownership.skills) owners.set(skill, owner);
    }
  }
  return owners;
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path).filter(isPackNamePart).toSorted();
  } catch {
    return [];
  }
}

function recall(file: string, place: string, cache: ScanCache | undefined): Ownership | undefined {
  const known = cache?.find(place);
  if (known === undefined) return undefined;
  const stat = lstatOrNothing(file);
  return stat?.isFile() === true ? ownershipOf(cache?.recall(known, stat)) : undefined;
}

// The schema of receipts is loaded only for those that nothing is known of.
async function readOwnership(
  file: string,
  place: string,
  cache: ScanCache | undefined,
): Promise<Ownership | undefined> {
  const stat = cache === undefined ? undefined : lstatOrNothing(file);
  const { readReceipt } = await import('./read-receipt.js');
  const receipt = readReceipt(file);
  if (receipt === undefined) return undefined;
  const { version, skills } = receipt;
  if (stat?.isFile() === true) cache?.remember(place, stat, [version, ...skills]);
  return { version, skills };
}

/** What {@link readOwnership} wrote down, or anything else: then it is as good as nothing. */
function ownershipOf(words: unknown): Ownership | undefined {
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return undefined;
  const [version = '', ...skills] = words;
  if (version.length > longestVersion || !versionPattern.test(version)) return undefined;
  return { version, skills };
}
