import { SkillsError, type PackName } from '@skillpack/core';
import { readStoredManifest } from '../lock/root-state.js';
import type { RootPaths } from '../root/root-paths.js';
import { compareSkill } from './compare-skill.js';
import { isByProduct } from './is-by-product.js';
import type { FileFinding } from './verify-report.js';

/** An installed skill, and what a person made of it. */
export interface SkillEdits {
  readonly skill: string;
  /** Files that are not, or no longer, those of the pack, by-products aside; paths begin with the skill. */
  readonly edited: readonly string[];
  /** Whether every file of the pack is there and as it was installed, and nothing else. */
  readonly intact: boolean;
  /** Whether a file of the pack is missing, or is no program any more. */
  readonly lacking: boolean;
}

/**
 * Finds what would be lost if installed skills were replaced or removed. Where the manifest of the install is missing,
 * every file counts as a person's.
 */
export function findEdits(
  { name, skills }: { readonly name: PackName; readonly skills: readonly string[] },
  paths: RootPaths,
): readonly SkillEdits[] {
  const files = installedFiles(paths, name);
  return skills.map((skill) => {
    const own = files.filter(({ path }) => path.startsWith(`${skill}/`));
    const { findings } = compareSkill({ skillsDir: paths.skillsDir, skill, files: own });
    // Two names that are not valid Unicode may read the same.
    const edited = [...new Set(findings.flatMap(editedPath))];
    const lacking = findings.some(({ kind }) => kind === 'missing' || kind === 'mode');
    return { skill, edited, intact: findings.length === 0, lacking };
  });
}

function installedFiles(paths: RootPaths, name: PackName) {
  try {
    return readStoredManifest(paths, name)?.files ?? [];
  } catch (error) {
    if (SkillsError.isKind(error, 'invalid')) return [];
    throw error;
  }
}

function editedPath(finding: FileFinding): readonly string[] {
  switch (finding.kind) {
    case 'missing':
    case 'mode':
      return [];
    case 'renamed':
      return [finding.actual];
    case 'extra':
      return isByProduct(finding.path) ? [] : [finding.path];
    case 'modified':
    case 'link':
    case 'kind':
    case 'unreadable':
      return [finding.path];
  }
}
