import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isPackNamePart, parseReceipt, SkillsError } from '@skillpack/core';

const largestReceipt = 1024 * 1024;

/**
 * Which pack brought which skill folder of a root, by the receipts of installs. A receipt that cannot be read owns
 * nothing: `skills doctor` is who complains about it.
 */
export function readOwners(root: string): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const base = join(root, '.skillpack');
  for (const organisation of namesIn(base)) {
    for (const name of namesIn(join(base, organisation))) {
      for (const skill of skillsOf(join(base, organisation, name, 'receipt.json'))) {
        owners.set(skill, `${organisation}/${name}`);
      }
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

function skillsOf(file: string): readonly string[] {
  try {
    const stat = statSync(file);
    if (!stat.isFile() || stat.size > largestReceipt) return [];
    return parseReceipt(readFileSync(file, 'utf8'), file).skills;
  } catch (error) {
    if (SkillsError.is(error) || (error instanceof Error && 'errno' in error)) return [];
    throw error;
  }
}
