import { SkillsError, type Digest } from '@skillpack/core';
import type { Candidate, PackSource } from '../resolve/candidate.js';
import type { LoadedPack } from './load-pack.js';
import type { PackContent } from './pack-content.js';

/** The digest that the archive of a source has to have; a folder has none. */
export function integrityOf(source: PackSource): Digest | undefined {
  return source.kind === 'folder' ? undefined : source.integrity;
}

/** An archive at a path or a URL may be another one than when it was locked. @throws `INTEGRITY_MISMATCH`. */
export function checkIntegrity({ name, version, source }: Candidate, { candidate }: LoadedPack): void {
  const expected = integrityOf(source);
  const actual = integrityOf(candidate.source);
  if (expected === actual) return;
  throw new SkillsError(
    'INTEGRITY_MISMATCH',
    `The archive of ${name}@${version} has digest ${actual}, expected ${expected}.`,
    {
      hint: 'Nothing was installed. If the change is meant, install it by its path or URL again.',
      data: { name, version, expected, actual },
    },
  );
}

/**
 * Checks that a content is the one that was chosen: name, version, tree digest and skills.
 *
 * @throws `INTEGRITY_MISMATCH`.
 */
export function checkContent(candidate: Candidate, { manifest }: PackContent): void {
  const { name, version, treeDigest } = candidate;
  if (manifest.name !== name || manifest.version !== version) {
    throw new SkillsError(
      'INTEGRITY_MISMATCH',
      `The archive of ${name}@${version} says that it is ${manifest.name}@${manifest.version}.`,
      {
        hint: hintOf(candidate, 'Tell whoever runs the registry.'),
        data: { name, version, expected: `${name}@${version}`, actual: `${manifest.name}@${manifest.version}` },
      },
    );
  }
  const skills = manifest.skills.map((skill) => skill.name).toSorted();
  if (manifest.treeDigest !== treeDigest) {
    throw new SkillsError(
      'INTEGRITY_MISMATCH',
      `The files of ${name}@${version} have the tree digest ${manifest.treeDigest}, expected ${treeDigest}.`,
      {
        hint: hintOf(candidate, 'Tell whoever publishes it.'),
        data: { name, version, expected: treeDigest, actual: manifest.treeDigest },
      },
    );
  }
  const [actual, expected] = [skills, candidate.skills.toSorted()].map((names) => names.join(', '));
  if (actual === expected) return;
  throw new SkillsError('INTEGRITY_MISMATCH', `${name}@${version} has the skills ${actual}, expected ${expected}.`, {
    hint: hintOf(candidate, 'Tell whoever publishes it.'),
    data: { name, version, expected, actual },
  });
}

/** What was not asked of a registry now is what the lock file says, and that may have been changed. */
export function hintOf({ source }: Candidate, otherwise: string): string {
  const locked = source.kind !== 'registry' || source.size === undefined;
  return locked
    ? `Nothing was installed. Restore skillpack-lock.json from version control if it was changed. ${otherwise}`
    : `Nothing was installed. ${otherwise}`;
}
