import { isDigest, visibleText } from '@skillpack/core';
import { isPackNamePart } from '@skillpack/core/listing';
import type { InstalledNow } from '../install/install-report.js';

// As of semver.org; the library that compares versions takes longer to load than the rest of the call.
const versionPattern = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/u;
const longestVersion = 256;
const longestFolder = 64;

/** Whether a value can be what a report says of a pack that a seal tells of: nothing is told that no install would tell. */
export function isSealedPack(value: unknown): value is InstalledNow {
  if (typeof value !== 'object' || value === null) return false;
  const { name, version, skills, treeDigest, origin, neededBy } = value as Partial<Record<keyof InstalledNow, unknown>>;
  return (
    isText(name) &&
    isName(name) &&
    isText(version) &&
    isVersion(version) &&
    isText(treeDigest) &&
    isDigest(treeDigest) &&
    isTexts(skills) &&
    skills.every(isFolder) &&
    isTexts(neededBy) &&
    neededBy.every(isNeed) &&
    isOrigin(origin)
  );
}

function isName(text: string): boolean {
  const parts = text.split('/');
  return parts.length === 2 && parts.every(isPackNamePart);
}

function isVersion(text: string): boolean {
  return text.length <= longestVersion && versionPattern.test(text);
}

// Packs hold skills of other names than the specification has, but none that leads elsewhere.
function isFolder(text: string): boolean {
  return text.length <= longestFolder && /^[^./\\][^/\\]*$/u.test(text) && visibleText(text) === text;
}

/** `org/a@1.0.0`. */
function isNeed(text: string): boolean {
  const at = text.indexOf('@');
  return at !== -1 && isName(text.slice(0, at)) && isVersion(text.slice(at + 1));
}

// A folder or an archive on this machine is looked at anew each time: no seal tells of one.
function isOrigin(value: unknown): boolean {
  const { kind, location } = (value ?? {}) as { readonly kind?: unknown; readonly location?: unknown };
  return (kind === 'registry' || kind === 'url') && isText(location) && visibleText(location) === location;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}
