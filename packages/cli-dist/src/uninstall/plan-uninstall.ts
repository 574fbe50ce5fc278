import { isPackName, SkillsError, type LockFile, type PackName } from '@skillpack/core';
import { nearestText } from '../text/nearest-text.js';

/** What a plan to remove packs is made from. */
export interface UninstallInput {
  /** Packs (`org/pdf`) or skills (`pdf`). */
  readonly names: readonly string[];
  readonly force: boolean;
  /** Installed packs and their skills. */
  readonly installed: ReadonlyMap<PackName, readonly string[]>;
  readonly lock: LockFile | undefined;
  /** What `skillpack.json` wants. */
  readonly wanted: ReadonlySet<PackName>;
}

/** Which packs go, and why. */
export type UninstallPlan = ReadonlyMap<PackName, 'requested' | 'orphan'>;

/**
 * Decides which packs are removed: those asked for, and those that are only there because one of them needed them.
 * Pure.
 *
 * @throws `PACK_NOT_INSTALLED`, `SKILL_NOT_FOUND`, `STILL_NEEDED`, and `USAGE` for one skill of a pack of several.
 */
export function planUninstall(input: UninstallInput): UninstallPlan {
  const requested = new Set(input.names.map((name) => packOf(name, input)));
  const locked = input.lock?.packs ?? {};
  const rest = Object.entries(locked).filter(([name]) => !requested.has(name as PackName));
  if (!input.force) {
    for (const [dependent, { version, dependencies }] of rest) {
      const needed = [...requested].find((name) => Object.hasOwn(dependencies, name));
      if (needed !== undefined && !isOrphanOf(dependent as PackName, requested, input)) {
        throw stillNeeded(needed, `${dependent}@${version}`);
      }
    }
  }
  const orphans = [...orphansOf(requested, input)].map((name) => [name, 'orphan'] as const);
  return new Map([...[...requested].map((name) => [name, 'requested'] as const), ...orphans]);
}

function packOf(name: string, { force, installed, lock, wanted }: UninstallInput): PackName {
  const all = new Set([...installed.keys(), ...(Object.keys(lock?.packs ?? {}) as PackName[]), ...wanted]); // keys of a record of pack names
  if (isPackName(name)) {
    if (all.has(name)) return name;
    throw unknown('PACK_NOT_INSTALLED', `The pack ${name} is not installed here.`, nearestText(name, [...all]));
  }
  const owner = [...installed].find(([, skills]) => skills.includes(name));
  if (owner === undefined) {
    throw unknown(
      'SKILL_NOT_FOUND',
      `No installed pack has a skill ${name}.`,
      nearestText(name, [...installed.values()].flat()),
    );
  }
  const [pack, skills] = owner;
  if (skills.length === 1 || force) return pack;
  const others = skills.filter((skill) => skill !== name);
  throw new SkillsError(
    'USAGE',
    `The skill ${name} belongs to ${pack}, which also has ${others.join(', ')}; they are removed together.`,
    {
      hint: `Run \`skills uninstall ${pack}\` if that is meant.`,
      data: { skill: name, pack, others },
    },
  );
}

/** Packs that nobody asked for, and that nothing which stays needs, directly or by others. */
function orphansOf(removed: ReadonlySet<PackName>, { lock, wanted }: UninstallInput): ReadonlySet<PackName> {
  const packs = lock?.packs ?? {};
  const needed = new Set<PackName>();
  const visit = (name: PackName): void => {
    if (removed.has(name) || needed.has(name)) return;
    needed.add(name);
    for (const dependency of Object.keys(packs[name]?.dependencies ?? {}) as PackName[]) visit(dependency); // keys of a record of pack names
  };
  const names = Object.keys(packs) as PackName[]; // keys of a record of pack names
  for (const name of names) if (packs[name]?.range !== undefined || wanted.has(name)) visit(name);
  return new Set(names.filter((name) => !needed.has(name) && !removed.has(name)));
}

function isOrphanOf(name: PackName, removed: ReadonlySet<PackName>, input: UninstallInput): boolean {
  return orphansOf(removed, input).has(name);
}

function stillNeeded(name: PackName, dependent: string): SkillsError {
  return new SkillsError('STILL_NEEDED', `${dependent} needs ${name}.`, {
    hint: 'Uninstall that one too, or run it again with --force.',
    data: { name, dependent },
  });
}

function unknown(
  code: 'PACK_NOT_INSTALLED' | 'SKILL_NOT_FOUND',
  message: string,
  nearest: string | undefined,
): SkillsError {
  return new SkillsError(code, message, {
    hint: nearest === undefined ? '`skills list` shows what is here.' : `Did you mean ${nearest}?`,
  });
}
