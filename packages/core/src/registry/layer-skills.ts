/** Where skills come from, the one that wins first. */
export const skillScopes = ['project', 'other', 'user', 'builtin'] as const;

/**
 * The kind of a source of skills: of the project, of any other root that was configured, of the user, or part of the
 * distribution.
 */
export type SkillScope = (typeof skillScopes)[number];

/** Skills that come from one place. */
export interface SkillSource<Item extends { readonly name: string }> {
  readonly scope: SkillScope;
  readonly skills: readonly Item[];
}

/** One skill name that several sources offer. */
export interface SkillConflict<Item extends { readonly name: string }> {
  readonly name: string;
  readonly winner: Item;
  /** Those that are not offered, the next to win first. */
  readonly shadowed: readonly Item[];
  /** `scope`: a higher scope wins. `order`: within one scope the first one wins. `asked`: the caller asked for the scope. */
  readonly reason: 'scope' | 'order' | 'asked';
}

/** Sources laid over one another. */
export interface LayeredSkills<Item extends { readonly name: string }> {
  /** One skill a name, by name. */
  readonly skills: readonly Item[];
  /** Every name that more than one source offers, by name. */
  readonly conflicts: readonly SkillConflict<Item>[];
}

/** How sources are laid over one another. */
export interface LayerSkillsOptions {
  /** A scope whose skills win over all others. @default undefined */
  readonly source?: SkillScope | undefined;
}

interface Placed<Item> {
  readonly item: Item;
  readonly scope: SkillScope;
  readonly rank: number;
}

/**
 * Decides which skill a name means: that of the project over others, over the user's, over a builtin one; within a scope
 * that of the earlier source, and within a source the earlier skill.
 */
export function layerSkills<Item extends { readonly name: string }>(
  sources: readonly SkillSource<Item>[],
  options: LayerSkillsOptions = {},
): LayeredSkills<Item> {
  // Nearly every name is offered once: only the others get a list.
  const firsts = new Map<string, Item>();
  const contested = new Map<string, Placed<Item>[]>();
  for (const { skills } of sources) {
    for (const item of skills) {
      const key = keyOf(item);
      if (firsts.has(key)) contested.set(key, []);
      else firsts.set(key, item);
    }
  }
  for (const { scope, skills } of contested.size === 0 ? [] : sources) {
    const rank = scope === options.source ? -1 : skillScopes.indexOf(scope);
    for (const item of skills) contested.get(keyOf(item))?.push({ item, scope, rank });
  }
  const skills: Item[] = [];
  const conflicts: SkillConflict<Item>[] = [];
  // Without a comparison of its own, a sort is by UTF-16 code units.
  for (const name of [...firsts.keys()].toSorted()) {
    const rivals = contested.get(name);
    if (rivals === undefined) {
      const only = firsts.get(name);
      if (only !== undefined) skills.push(only);
      continue;
    }
    const [winner, ...shadowed] = rivals.toSorted(byRank);
    if (winner === undefined) continue;
    skills.push(winner.item);
    conflicts.push({
      name,
      winner: winner.item,
      shadowed: shadowed.map(({ item }) => item),
      reason: reasonOf(winner, shadowed[0]),
    });
  }
  return { skills, conflicts };
}

/** A name composed in two ways (NFC, NFD) looks the same, and is the same file name on some systems. */
function keyOf({ name }: { readonly name: string }): string {
  return name.normalize('NFC');
}

function byRank(left: { readonly rank: number }, right: { readonly rank: number }): number {
  return left.rank - right.rank;
}

function reasonOf<Item>(winner: Placed<Item>, next: Placed<Item> | undefined): 'scope' | 'order' | 'asked' {
  if (winner.scope === next?.scope) return 'order';
  return winner.rank === -1 ? 'asked' : 'scope';
}
