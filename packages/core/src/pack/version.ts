import semverMaxSatisfying from 'semver/ranges/max-satisfying.js';
import semverValidRange from 'semver/ranges/valid.js';
import semverCompare from 'semver/functions/compare.js';
import semverParse from 'semver/functions/parse.js';
import semverPrerelease from 'semver/functions/prerelease.js';
import semverSatisfies from 'semver/functions/satisfies.js';
import * as z from 'zod/mini';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';

const maxLength = 256;

// Source: the regular expression that semver.org suggests. It stands in the JSON Schemas; `isVersion` decides.
const number = '(?:0|[1-9][0-9]*)';
const identifier = `(?:${number}|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)`;
const pattern = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-${identifier}(?:\\.${identifier})*)?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
  'u',
);

/**
 * Reads a version. Source: SemVer 2.0.0.
 *
 * @returns the version without a leading `v` and without surrounding space.
 * @throws `INVALID_VERSION`.
 */
export function parseVersion(text: string): string {
  const parsed = text.length > maxLength ? null : semverParse(text.trim());
  if (parsed !== null)
    return parsed.build.length === 0 ? parsed.version : `${parsed.version}+${parsed.build.join('.')}`;
  throw new SkillsError('INVALID_VERSION', `${quoted(text)} is not a version.`, {
    hint: 'A version is three numbers, as in 1.2.0; see semver.org.',
    data: { version: text.slice(0, maxLength) },
  });
}

/** Whether `text` is a version as it stands: exactly what {@link parseVersion} returns for it. */
export function isVersion(text: string): boolean {
  if (text.length > maxLength) return false;
  const parsed = semverParse(text);
  return parsed !== null && (text === parsed.version || text === `${parsed.version}+${parsed.build.join('.')}`);
}

/** Whether `text` is a version range in npm's syntax. The empty text is one: any version. */
export function isVersionRange(text: string): boolean {
  return text.length <= maxLength && semverValidRange(text) !== null;
}

/**
 * Negative, zero or positive as `left` is older than, as old as, or newer than `right`. Build metadata does not count.
 * Both have to be versions.
 */
export function compareVersions(left: string, right: string): number {
  return semverCompare(left, right);
}

/** Whether a version is a prerelease (`2.0.0-rc.1`). */
export function isPrerelease(version: string): boolean {
  return semverPrerelease(version) !== null;
}

/** Whether `version` is in `range`. A prerelease is only when the range names a prerelease of the same three numbers. */
export function satisfiesRange(version: string, range: string): boolean {
  return semverSatisfies(version, range);
}

/** The newest of `versions` in `range`, or `undefined`. */
export function newestInRange(versions: readonly string[], range: string): string | undefined {
  return semverMaxSatisfying([...versions], range) ?? undefined;
}

const versionError = 'expected a version (SemVer 2)';
export const versionSchema = z
  .string()
  .check(
    z.maxLength(maxLength, { abort: true }),
    z.regex(pattern, { error: versionError, abort: true }),
    z.refine(isVersion, { error: versionError }),
  );
export const versionRangeSchema = z
  .string()
  .check(z.maxLength(maxLength, { abort: true }), z.refine(isVersionRange, { error: 'expected a version range' }));
