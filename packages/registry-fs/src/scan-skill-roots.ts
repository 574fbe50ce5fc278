import { relative, sep } from 'node:path';
import type { Digest } from '@skillpack/core';
import { layerSkills, skillScopes, type LayeredSkills } from '@skillpack/core/listing';
import { RootScan } from './root-scan.js';
import type { ScanCachePort } from './scan-cache.js';
import type { ScanOptions } from './scan-options.js';
import type { FoundSkill, IgnoredFolder, ScanReport, SkillRoot } from './scan-report.js';
import { sha256 } from './sha256.js';

/** What a scan takes from its surroundings. */
export interface ScanPorts {
  /** Milliseconds of a clock that never goes back, as `performance.now()`. */
  readonly now: () => number;
  /** Makes the next scan of the same roots cheaper. @default undefined, every file is read */
  readonly cache?: ScanCachePort | undefined;
}

/**
 * Finds the skills below some roots, and decides which one each name means. Of each SKILL.md only the front matter is
 * read. Of two skills of one name in one root, that of a pack wins over that of nobody. A root that is not there holds no skills; a folder that cannot be read or is no valid skill is reported and
 * keeps no other from loading.
 *
 * @throws `USAGE` for a root that is not an absolute path, `INTERRUPTED` when the signal is aborted.
 * @example
 * ```ts
 * const report = await scanSkillRoots([{ path: '/project/.agents/skills', scope: 'project' }], performance);
 * for (const { name, head } of report.skills) console.log(name, head.description);
 * ```
 */
export async function scanSkillRoots(
  roots: readonly SkillRoot[],
  ports: ScanPorts,
  options: ScanOptions = {},
): Promise<ScanReport> {
  const begun = ports.now();
  const scans: RootScan[] = [];
  for (const root of roots) {
    const scan = new RootScan(root, ports.cache, options);
    const rootBegun = ports.now();
    await scan.run();
    scan.duration = ports.now() - rootBegun;
    scans.push(scan);
  }
  const found = scans.flatMap(({ skills }) => skills);
  const ignored = scans.flatMap((scan) => scan.ignored);
  const scanned = scans.map((scan) => scan.report());
  const layered = withoutSelfConflicts(
    layerSkills(
      scans.map((scan) => ({ scope: scan.root.scope, skills: ownedFirst(scan.skills) })),
      { source: options.source },
    ),
  );
  let indexHash: Digest | undefined;
  return {
    ...layered,
    found,
    ignored,
    roots: scanned,
    counts: {
      folders: scanned.reduce((sum, { folders }) => sum + folders, 0),
      found: found.length,
      offered: layered.skills.length,
      shadowed: layered.conflicts.reduce((sum, { shadowed }) => sum + shadowed.length, 0),
      ignored: ignored.length,
      diagnostics: countDiagnostics(found) + countDiagnostics(ignored),
    },
    // To write thousands of skills out takes as long as to read them, and few callers ask.
    get indexHash() {
      return (indexHash ??= hashIndex(layered.skills));
    },
    duration: ports.now() - begun,
  };
}

function countDiagnostics(items: readonly (FoundSkill | IgnoredFolder)[]): number {
  return items.reduce((sum, { diagnostics }) => sum + diagnostics.length, 0);
}

/** A folder that somebody puts beside an installed skill does not take its name over. */
function ownedFirst(skills: readonly FoundSkill[]): readonly FoundSkill[] {
  const owned = skills.filter(({ pack }) => pack !== undefined);
  if (owned.length === 0 || owned.length === skills.length) return skills;
  return [...owned, ...skills.filter(({ pack }) => pack === undefined)];
}

/** The same without shadowed skills that are the winner, reached another way. */
function withoutSelfConflicts({ skills, conflicts }: LayeredSkills<FoundSkill>): LayeredSkills<FoundSkill> {
  const real = conflicts
    .map((conflict) => ({
      ...conflict,
      shadowed: conflict.shadowed.filter(({ realPath }) => realPath !== conflict.winner.realPath),
    }))
    .filter(({ shadowed }) => shadowed.length > 0);
  return { skills, conflicts: real };
}

function hashIndex(skills: readonly FoundSkill[]): Digest {
  const lines = skills.map(({ name, scope, root, path, pack, head }) =>
    JSON.stringify([name, skillScopes.indexOf(scope), relative(root, path).split(sep).join('/'), pack ?? null, head]),
  );
  return sha256(lines.join('\n'));
}
