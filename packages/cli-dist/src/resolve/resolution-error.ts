import {
  compareVersions,
  isPrerelease,
  isVersion,
  quoted,
  SkillsError,
  type PackDocument,
  type PackName,
} from '@skillpack/core';
import type { PackManagerPorts } from '../install/pack-manager-ports.js';
import { nearestText } from '../text/nearest-text.js';
import type { Candidate } from './candidate.js';
import type { KnownDocument } from './document-source.js';
import { describeRequirement } from './requirement.js';
import type { Conflict } from './solve-packs.js';

type Ports = Pick<PackManagerPorts, 'registryFor'>;

/** What was known when a search failed. */
export interface SearchedIn {
  readonly pinned: ReadonlyMap<PackName, Candidate>;
  readonly documents: ReadonlyMap<PackName, KnownDocument | undefined>;
}

/** The error for packs that cannot be had together. */
export async function explainConflict(conflict: Conflict, searched: SearchedIn, ports: Ports): Promise<SkillsError> {
  const pinned = searched.pinned.get(conflict.name);
  const known = searched.documents.get(conflict.name);
  if (pinned === undefined && known === undefined) return packNotFound(conflict, ports);
  const [only, second] = conflict.requirements;
  if (only !== undefined && second === undefined && known !== undefined) {
    return versionNotFound(conflict.name, only.range, { document: known.document, why: describeRequirement(only) });
  }
  const reasons = [...new Set(conflict.requirements.map(describeRequirement))];
  if (pinned !== undefined) reasons.push(`what was given is ${pinned.name}@${pinned.version}`);
  return new SkillsError('DEPENDENCY_CONFLICT', `No version of ${conflict.name} fits all: ${reasons.join(', ')}.`, {
    hint: 'Ask for other versions of what needs it, or remove one of them.',
    data: {
      name: conflict.name,
      reasons,
      available: known === undefined ? [] : newest(known.document.versions.map(({ version }) => version)),
    },
  });
}

/** The error for a pack that its registry does not have; names the nearest that it has. */
export async function packNotFound(conflict: Conflict, ports: Ports): Promise<SkillsError> {
  const { name } = conflict;
  const registry = ports.registryFor(name);
  const suggestion = await suggestName(name, ports);
  const dependency = conflict.requirements.find(({ path }) => path.length > 0);
  const why = dependency === undefined ? '' : ` (${describeRequirement(dependency)})`;
  return new SkillsError('PACK_NOT_FOUND', `${registry.location} has no pack ${name}${why}.`, {
    hint:
      suggestion === undefined
        ? `Look at the spelling, or try \`skills search ${name.slice(name.indexOf('/') + 1)}\`.`
        : `Did you mean ${suggestion}?`,
    data: { name, registry: registry.location, suggestion },
  });
}

async function suggestName(name: PackName, ports: Ports): Promise<string | undefined> {
  const words = name.split(/[/-]/u).join(' ');
  try {
    const found = await ports.registryFor(name).search(words, { limit: 20, signal: AbortSignal.timeout(3_000) });
    return nearestText(
      name,
      found.map((summary) => summary.name),
    );
  } catch {
    return undefined; // A suggestion is a kindness; that the pack is missing is the answer.
  }
}

function versionNotFound(
  name: PackName,
  range: string,
  { document, why }: { readonly document: PackDocument; readonly why: string },
): SkillsError {
  const offered = document.versions.filter(({ yanked }) => yanked === null).map(({ version }) => version);
  const withdrawn = document.versions.find(({ version, yanked }) => version === range && yanked !== null);
  const data = { name, range, available: newest(offered) };
  if (withdrawn !== undefined) {
    return new SkillsError('VERSION_NOT_FOUND', `${name}@${range} was withdrawn: ${withdrawn.yanked ?? ''}.`, {
      hint: offered.length === 0 ? undefined : sentence('There', newest(offered)),
      data,
    });
  }
  if (range === '*' && offered.length > 0 && offered.every(isPrerelease)) {
    return new SkillsError('VERSION_NOT_FOUND', `${name} has only prereleases so far.`, {
      hint: `Ask for one by its version: ${name}@${newest(offered)[0] ?? ''}.`,
      data,
    });
  }
  return new SkillsError('VERSION_NOT_FOUND', `No version of ${name} is in ${quoted(range)} (${why}).`, {
    hint:
      offered.length === 0
        ? 'No version of it is offered any more.'
        : sentence('The nearest', nearestVersions(range, offered)),
    data,
  });
}

/** The error for a tag that a pack does not have. */
export function missingTag(name: PackName, tag: string, { head }: PackDocument): SkillsError {
  const tags = Object.keys(head.tags);
  const nearest = nearestText(tag, tags);
  return new SkillsError('VERSION_NOT_FOUND', `${name} has no version tagged ${quoted(tag)}.`, {
    hint: nearest === undefined ? `Its tags are ${tags.join(', ') || 'none'}.` : `Did you mean ${name}@${nearest}?`,
    data: { name, tag, tags },
  });
}

/** The error for a graph that is larger than anybody's who means well. */
export function tooComplex(data: { readonly steps: number; readonly found: number }): SkillsError {
  return new SkillsError(
    'DEPENDENCY_CONFLICT',
    `The dependencies are too many to resolve: gave up after ${data.steps} steps, with ${data.found} packs that others need.`,
    { hint: 'Ask for exact versions of some packs, or for fewer packs.', data },
  );
}

function sentence(subject: string, versions: readonly string[]): string {
  return `${subject} ${versions.length === 1 ? 'is' : 'are'} ${versions.join(', ')}.`;
}

function newest(versions: readonly string[]): readonly string[] {
  return versions.toSorted((left, right) => compareVersions(right, left)).slice(0, 5);
}

/** Those just below and above the first version that a range names; the newest where it names none. */
function nearestVersions(range: string, versions: readonly string[]): readonly string[] {
  const named = /\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?/u.exec(range)?.[0];
  const point = named === undefined ? undefined : [named, `${named}.0`, `${named}.0.0`].find(isVersion);
  if (point === undefined) return newest(versions);
  const sorted = versions.toSorted(compareVersions);
  const above = sorted.findIndex((version) => compareVersions(version, point) > 0);
  const at = above === -1 ? sorted.length : above;
  return sorted.slice(Math.max(0, at - 2), at + 2);
}
