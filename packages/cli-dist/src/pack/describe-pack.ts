import {
  SkillsError,
  comparePaths,
  isPackName,
  isVersion,
  quoted,
  treeDigestOf,
  type ArchiveInput,
  type PackFile,
  type PackManifest,
  type PackName,
  type ProjectFile,
} from '@skillpack/core';
import { sha256 } from '../archive/sha256.js';
import type { PackOptions } from './packed-pack.js';
import type { ReadSkill } from './read-skill-folder.js';

/** What a pack is made of. */
export interface PackParts {
  /** `undefined` when there is no skillpack.json. */
  readonly project: ProjectFile | undefined;
  readonly skills: readonly ReadSkill[];
  /** All files of all skills, with their paths in the pack. */
  readonly files: readonly ArchiveInput[];
}

const descriptionLength = 1_024;

/**
 * The manifest of a pack.
 *
 * @throws `USAGE` when nothing says what the pack is called or which version it is, `INVALID_PACK_NAME`,
 *   `INVALID_VERSION`.
 */
export function describePack(parts: PackParts, options: Pick<PackOptions, 'org' | 'version'>): PackManifest {
  const { project, skills } = parts;
  const only = skills.length === 1 ? skills[0] : undefined;
  const files = parts.files.map(describeFile).toSorted((left, right) => comparePaths(left.path, right.path));
  return {
    name: nameOf(parts, options.org),
    version: versionOf(parts, options.version),
    description: shorten(project?.description ?? only?.skill.description ?? ''),
    license: project?.license ?? shortLicense(only?.skill.license),
    keywords: project?.keywords ?? [],
    homepage: project?.homepage,
    repository: project?.repository,
    skills: skills
      .map(({ name, skill }) => ({ name, path: name, description: shorten(skill.description ?? '') }))
      .toSorted((left, right) => comparePaths(left.path, right.path)),
    dependencies: project?.dependencies ?? {},
    requires: project?.requires ?? {},
    files,
    treeDigest: treeDigestOf(files, sha256),
  };
}

function describeFile({ path, bytes, executable }: ArchiveInput): PackFile {
  return { path, size: bytes.length, digest: sha256(bytes), executable };
}

function nameOf({ project, skills }: PackParts, org: string | undefined): PackName {
  if (project?.name !== undefined) return project.name;
  const [only, ...others] = skills;
  if (org === undefined || only === undefined || others.length > 0) {
    throw new SkillsError('USAGE', 'Nothing says what the pack is called.', {
      hint: 'Write "name": "org/name" into skillpack.json; for a single skill, naming the organisation is enough.',
    });
  }
  const name = `${org}/${only.name}`;
  if (isPackName(name)) return name;
  throw new SkillsError('INVALID_PACK_NAME', `${quoted(org)} cannot be the organisation of a pack.`, {
    hint: 'It has 1 to 64 characters from a-z, 0-9 and single hyphens inside.',
    data: { name },
  });
}

function versionOf({ project, skills }: PackParts, wanted: string | undefined): string {
  const only = skills.length === 1 ? skills[0] : undefined;
  const version = wanted ?? project?.version ?? only?.skill.version;
  if (version === undefined) {
    throw new SkillsError('USAGE', 'Nothing says which version the pack is.', {
      hint: 'Write "version": "1.0.0" into skillpack.json, or for a single skill “version: 1.0.0” under metadata in its SKILL.md.',
    });
  }
  if (isVersion(version)) return version;
  const completed = /^v?(?<numbers>\d+(?:\.\d+)?)$/u.exec(version)?.groups?.['numbers'];
  const meant = completed === undefined ? undefined : completed + (completed.includes('.') ? '.0' : '.0.0');
  throw new SkillsError('INVALID_VERSION', `${quoted(version)} is not a version.`, {
    hint:
      meant !== undefined && isVersion(meant)
        ? `Write ${meant}.`
        : 'A version is three numbers, as in 1.2.0; see semver.org.',
    data: { version },
  });
}

/** A license in front matter may be a sentence; a manifest has room for a name. */
function shortLicense(license: string | undefined): string | undefined {
  return license === undefined || license.length > 256 ? undefined : license;
}

function shorten(description: string): string {
  if (description.length <= descriptionLength) return description;
  return `${description.slice(0, descriptionLength - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
