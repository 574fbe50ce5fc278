import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isPackNamePart, parseReceipt, SkillsError, type InstallReceipt } from '@skillpack/core';

const largestReceipt = 1024 * 1024;

/** The pack that brought a skill, by its receipt. */
export interface OwningPack {
  readonly name: string;
  readonly version: string;
}

/**
 * Which pack brought which skill folder of a root, by the receipts of installs. A receipt that cannot be read owns
 * nothing: `skills doctor` is who complains about it.
 */
export function readOwners(root: string): ReadonlyMap<string, OwningPack> {
  const owners = new Map<string, OwningPack>();
  const base = join(root, '.skillpack');
  for (const organisation of namesIn(base)) {
    for (const name of namesIn(join(base, organisation))) {
      const receipt = readReceipt(join(base, organisation, name, 'receipt.json'));
      if (receipt === undefined) continue;
      const owner = { name: `${organisation}/${name}`, version: receipt.version };
      for (const skill of receipt.skills) owners.set(skill, owner);
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

function readReceipt(file: string): InstallReceipt | undefined {
  try {
    const stat = statSync(file);
    if (!stat.isFile() || stat.size > largestReceipt) return undefined;
    return parseReceipt(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (SkillsError.is(error) || (error instanceof Error && 'errno' in error)) return undefined;
    throw error;
  }
}
