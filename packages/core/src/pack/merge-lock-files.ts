import { SkillsError } from '../errors/skills-error.js';
import { conflictSides, type ConflictSides } from './conflict-sides.js';
import { emptyLockFile, formatLockFile, parseLockFile, type LockEntry, type LockFile } from './lock-file.js';
import type { PackName } from './pack-name.js';
import { parseJson } from '../json/parse-json.js';

/** A pack that both sides of a merge lock, each otherwise. */
export interface LockClash {
  readonly name: PackName;
  readonly ours: LockEntry;
  readonly theirs: LockEntry;
}

/** What becomes of a lock file with conflicts. */
export interface MergedLockFile {
  /** A lock file; while there are clashes, one that holds a conflict for each of them and nothing else. */
  readonly text: string;
  readonly packs: readonly PackName[];
  /** What only a person can decide. */
  readonly clashes: readonly LockClash[];
}

/**
 * Merges a lock file that a merge left with conflict markers, entry by entry: a pack that one side alone has is kept, and
 * so is what one side alone changed, where the conflict states what both began with. Packs that both sides lock otherwise
 * stay a conflict, of two whole entries. Nothing that either side locks gets lost but what the other side is known to
 * have removed or replaced.
 *
 * @returns `undefined` where there is no conflict, or its sides are not lock files.
 */
export function mergeLockFiles(conflicted: string): MergedLockFile | undefined {
  const sides = conflictSides(conflicted.replaceAll('\r\n', '\n'));
  const ours = sides && sideOf(sides.ours);
  const theirs = sides && sideOf(sides.theirs);
  if (sides === undefined || ours === undefined || theirs === undefined) return undefined;
  const base = sides.base === undefined ? undefined : sideOf(sides.base);
  const packs: Record<PackName, LockEntry> = {};
  const clashes: LockClash[] = [];
  for (const key of new Set([...Object.keys(ours.packs), ...Object.keys(theirs.packs)])) {
    const name = key as PackName; // a key of a record of pack names
    const entry = { ours: ours.packs[name], theirs: theirs.packs[name] };
    const merged = mergeEntries(entry, base?.packs[name]);
    if (merged !== 'clash') {
      if (merged !== undefined) packs[name] = merged;
    } else if (entry.ours !== undefined && entry.theirs !== undefined) {
      clashes.push({ name, ours: entry.ours, theirs: entry.theirs });
    }
  }
  return {
    text: textOf({ packs }, clashes, sides),
    packs: [...Object.keys(packs), ...clashes.map(({ name }) => name)].toSorted() as PackName[], // keys of packs
    clashes: clashes.toSorted((left, right) => (left.name < right.name ? -1 : 1)),
  };
}

/** A repeated key hides an entry: whoever wrote it had begun to merge by hand. */
function sideOf(text: string): LockFile | undefined {
  try {
    const lock = parseLockFile(text);
    const strings = (json: string): number => json.match(/"(?:[^"\\]|\\.)*"/gu)?.length ?? 0;
    const json = text.replace(/^\uFEFF/u, '');
    return strings(json) === strings(JSON.stringify(parseJson(json))) ? lock : undefined;
  } catch (error) {
    if (SkillsError.is(error)) return undefined;
    throw error;
  }
}

function mergeEntries(
  { ours, theirs }: { readonly ours: LockEntry | undefined; readonly theirs: LockEntry | undefined },
  base: LockEntry | undefined,
): LockEntry | 'clash' | undefined {
  if (isSame(ours, theirs)) return ours;
  if (base !== undefined && isSame(ours, base)) return theirs;
  if (base !== undefined && isSame(theirs, base)) return ours;
  // One that a side removed and the other changed is kept: to remove it again is easier than to find it.
  return ours === undefined || theirs === undefined ? (ours ?? theirs) : 'clash';
}

function isSame(one: LockEntry | undefined, other: LockEntry | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return formatEntry(one) === formatEntry(other);
}

const anyName = 'x/x' as PackName; // a pack name

/** As it stands in a lock file, from its opening brace to its closing one. */
function formatEntry(entry: LockEntry): string {
  const text = formatLockFile({ packs: { [anyName]: entry } });
  return text.slice(text.indexOf(`"${anyName}": `) + anyName.length + 4, text.lastIndexOf('\n  }\n}'));
}

function textOf({ packs }: LockFile, clashes: readonly LockClash[], { labels: [ours, theirs] }: ConflictSides): string {
  if (clashes.length === 0) return formatLockFile({ packs });
  const entries = new Map<string, readonly string[]>(
    Object.entries(packs).map(([name, entry]) => [name, [formatEntry(entry)]]),
  );
  for (const clash of clashes) entries.set(clash.name, [formatEntry(clash.ours), formatEntry(clash.theirs)]);
  const names = [...entries.keys()].toSorted();
  const rows = names.map((name, index) => {
    const comma = index === names.length - 1 ? '' : ',';
    const [first, second] = (entries.get(name) ?? []).map((entry) => `    "${name}": ${entry}${comma}`);
    return second === undefined
      ? first
      : [`<<<<<<< ${ours}`.trimEnd(), first, '=======', second, `>>>>>>> ${theirs}`.trimEnd()].join('\n');
  });
  const [opening = '', closing = ''] = formatLockFile(emptyLockFile).split('{}');
  return `${opening}{\n${rows.join('\n')}\n  }${closing}`;
}
