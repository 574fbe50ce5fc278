import { compareVersions, satisfiesRange, type PackDocument, type PackName } from '@skillpack/core';
import { candidateOf, type Candidate } from './candidate.js';
import type { Requirement } from './requirement.js';

/** What a solution is searched in. */
export interface SolveInput {
  readonly requirements: readonly Requirement[];
  /** The one candidate of a pack that was given as a path or a URL. */
  readonly pinned: ReadonlyMap<PackName, Candidate>;
  /** What is locked: taken before anything else, and the only yanked versions that are. */
  readonly locked: ReadonlyMap<PackName, Candidate>;
  /** Locked packs that are to move to the newest version. */
  readonly moving: ReadonlySet<PackName>;
  /** Packs whose version tagged `latest` comes before newer ones: the person named no range. */
  readonly latestFirst: ReadonlySet<PackName>;
  /** Index documents so far; `undefined` for a pack that no registry has. */
  readonly documents: ReadonlyMap<PackName, { readonly document: PackDocument; readonly registry: string } | undefined>;
  /** How many candidates may be tried. */
  readonly maxSteps: number;
  /** How many packs a solution may have. */
  readonly maxPacks: number;
}

/** A pack that cannot be had, and everybody who wants it. */
export interface Conflict {
  readonly name: PackName;
  readonly requirements: readonly Requirement[];
}

/** What came of a search. */
export type Solution =
  | { readonly kind: 'solved'; readonly packs: ReadonlyMap<PackName, Candidate>; readonly steps: number }
  /** Documents are needed before the search can go on. */
  | { readonly kind: 'needs'; readonly names: readonly PackName[]; readonly steps: number }
  /** No choice of versions satisfies everybody; the first conflict met, with the newest versions, is the one to tell. */
  | { readonly kind: 'unsolvable'; readonly conflict: Conflict }
  | { readonly kind: 'too-complex'; readonly steps: number };

/**
 * Chooses one version of every pack that is wanted, directly or by another pack: the locked one before the newest, the
 * newest before older ones. Backtracks, jumping over choices that had no part in a conflict. Pure; cycles are fine.
 */
export function solvePacks(input: SolveInput): Solution {
  const search = new Search(input);
  try {
    return search.run();
  } catch (stop) {
    if (stop instanceof Stop) return stop.solution;
    throw stop;
  }
}

/** Ends a search from any depth. */
class Stop extends Error {
  readonly solution: Solution;

  constructor(solution: Solution) {
    super(solution.kind);
    this.solution = solution;
  }
}

/** The packs whose choice has a part in a failure. */
type Culprits = ReadonlySet<PackName>;

/** A pack whose version is chosen, and what of it was tried. */
interface Choice {
  readonly name: PackName;
  readonly requirements: readonly Requirement[];
  readonly untried: Iterator<Candidate>;
  readonly culprits: Set<PackName>;
  tried: boolean;
  /** What the candidate that is taken now wants. */
  added: readonly Requirement[];
}

class Search {
  readonly #input: SolveInput;
  readonly #chosen = new Map<PackName, Candidate>();
  /** In order of discovery, which is the order in which versions are chosen. */
  readonly #wanted = new Map<PackName, Requirement[]>();
  #steps = 0;
  #firstConflict: Conflict | undefined;

  constructor(input: SolveInput) {
    this.#input = input;
  }

  run(): Solution {
    for (const requirement of this.#input.requirements) this.#want(requirement);
    if (this.#chooseAll()) return { kind: 'solved', packs: this.#chosen, steps: this.#steps };
    if (this.#firstConflict === undefined) throw new Error('a search failed without a conflict');
    return { kind: 'unsolvable', conflict: this.#firstConflict };
  }

  /** One choice after another, with those before on a list: there may be more packs than a stack has room for calls. */
  #chooseAll(): boolean {
    const choices: Choice[] = [];
    for (let name = this.#nextName(); name !== undefined; name = this.#nextName()) {
      let choice: Choice | undefined = this.#open(name);
      while (choice !== undefined && !this.#takeNext(choice)) choice = this.#jumpBack(choices, choice.culprits);
      if (choice === undefined) return false;
      choices.push(choice);
    }
    return true;
  }

  #open(name: PackName): Choice {
    const requirements = this.#wanted.get(name) ?? [];
    const culprits = new Set(requirements.flatMap(ownerOf));
    return { name, requirements, untried: this.#candidates(name), culprits, tried: false, added: [] };
  }

  /** Takes back what was chosen last, up to a choice that had a part in the failure; `undefined` when none had. */
  #jumpBack(choices: Choice[], failure: Culprits): Choice | undefined {
    for (let last = choices.pop(); last !== undefined; last = choices.pop()) {
      for (const requirement of last.added.toReversed()) this.#unwant(requirement);
      this.#chosen.delete(last.name);
      if (!failure.has(last.name)) continue;
      for (const culprit of failure) last.culprits.add(culprit);
      return last;
    }
    return undefined;
  }

  /** Takes the next candidate that everybody so far can live with; `false`, with the culprits, when there is none. */
  #takeNext(choice: Choice): boolean {
    const { name, requirements, untried, culprits } = choice;
    for (let next = untried.next(); next.done !== true; next = untried.next()) {
      const candidate = next.value;
      if (!requirements.every(({ range }) => satisfiesRange(candidate.version, range))) continue;
      choice.tried = true;
      const clash = this.#clashOf(candidate);
      if (clash === undefined) {
        choice.added = this.#take(candidate);
        return true;
      }
      this.#recordConflict(clash);
      for (const culprit of clash.requirements.flatMap(ownerOf)) culprits.add(culprit);
      culprits.add(clash.name);
    }
    if (!choice.tried) this.#recordConflict({ name, requirements });
    culprits.delete(name);
    return false;
  }

  /** @returns what it wants. */
  #take(candidate: Candidate): readonly Requirement[] {
    this.#steps += 1;
    const { maxPacks, maxSteps } = this.#input;
    if (this.#steps > maxSteps || this.#chosen.size >= maxPacks) {
      throw new Stop({ kind: 'too-complex', steps: this.#steps });
    }
    this.#chosen.set(candidate.name, candidate);
    const path = [...(this.#wanted.get(candidate.name)?.[0]?.path ?? []), `${candidate.name}@${candidate.version}`];
    const added = Object.entries(candidate.dependencies).map(([name, range]) => ({
      // A key of a record of pack names, as its schema has checked.
      name: name as PackName,
      range,
      path,
    }));
    for (const requirement of added) this.#want(requirement);
    return added;
  }

  /** A dependency of a candidate that what is chosen already, or the candidate itself, does not satisfy. */
  #clashOf(candidate: Candidate): Conflict | undefined {
    const path = [...(this.#wanted.get(candidate.name)?.[0]?.path ?? []), `${candidate.name}@${candidate.version}`];
    for (const [key, range] of Object.entries(candidate.dependencies)) {
      const name = key as PackName; // a key of a record of pack names
      const chosen = name === candidate.name ? candidate : this.#chosen.get(name);
      if (chosen === undefined || satisfiesRange(chosen.version, range)) continue;
      return { name, requirements: [...(this.#wanted.get(name) ?? []), { name, range, path }] };
    }
    return undefined;
  }

  #nextName(): PackName | undefined {
    const open = [...this.#wanted.keys()].filter((name) => !this.#chosen.has(name));
    const known = open.find((name) => !this.#needsDocument(name));
    // Only when nothing else is left to choose, so that documents are fetched many at a time, in few rounds.
    if (known === undefined && open.length > 0) throw new Stop({ kind: 'needs', names: open, steps: this.#steps });
    return known;
  }

  #needsDocument(name: PackName): boolean {
    if (this.#input.pinned.has(name) || this.#input.documents.has(name)) return false;
    const locked = this.#input.locked.get(name);
    if (locked === undefined || this.#input.moving.has(name)) return true;
    return !(this.#wanted.get(name) ?? []).every(({ range }) => satisfiesRange(locked.version, range));
  }

  *#candidates(name: PackName): Generator<Candidate, void> {
    const { pinned, locked, moving, documents } = this.#input;
    const fixed = pinned.get(name);
    if (fixed !== undefined) {
      yield fixed;
      return;
    }
    const kept = locked.get(name);
    const stays = kept !== undefined && !moving.has(name);
    if (stays) yield kept;
    if (!documents.has(name)) throw new Stop({ kind: 'needs', names: [name], steps: this.#steps });
    const offered = this.#offered(name);
    yield* stays ? offered.filter(({ version }) => version !== kept.version) : offered;
    // Withdrawn meanwhile: better than nothing.
    if (kept !== undefined && !stays && !offered.some(({ version }) => version === kept.version)) yield kept;
  }

  #offered(name: PackName): readonly Candidate[] {
    const known = this.#input.documents.get(name);
    if (known === undefined) return [];
    const { document, registry } = known;
    const exact = new Set((this.#wanted.get(name) ?? []).map(({ range }) => range));
    const latest = this.#input.latestFirst.has(name) ? document.head.tags['latest'] : undefined;
    const rank = (version: string): number => (exact.has(version) ? 2 : version === latest ? 1 : 0);
    return document.versions
      .filter(({ yanked }) => yanked === null)
      .toReversed()
      .toSorted(
        (left, right) => rank(right.version) - rank(left.version) || compareVersions(right.version, left.version),
      )
      .map((record) => candidateOf(name, record, registry));
  }

  #want(requirement: Requirement): void {
    const present = this.#wanted.get(requirement.name);
    if (present === undefined) this.#wanted.set(requirement.name, [requirement]);
    else present.push(requirement);
  }

  #unwant(requirement: Requirement): void {
    const present = this.#wanted.get(requirement.name);
    present?.pop();
    if (present?.length === 0) this.#wanted.delete(requirement.name);
  }

  #recordConflict(conflict: Conflict): void {
    this.#firstConflict ??= { ...conflict, requirements: [...conflict.requirements] };
  }
}

/** The pack by whose choice a requirement came in; none for the person's own. */
function ownerOf({ path }: Requirement): readonly PackName[] {
  const last = path.at(-1);
  return last === undefined ? [] : [last.slice(0, last.lastIndexOf('@')) as PackName]; // made from a pack name above
}
