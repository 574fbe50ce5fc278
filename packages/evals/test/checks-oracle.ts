import type { ActionRule, StepPattern } from '../src/index.js';

/** What was done, as whoever made the events knows it: nothing of this is read out of them. */
export interface Fact {
  readonly kind: 'load_resource' | 'run_script' | 'select_skills' | 'approval' | 'final_answer';
  /** When it was decided on. */
  readonly start: number;
  /** When it could take effect. */
  readonly effective: number;
  readonly effect: boolean;
  readonly given: boolean;
  readonly lostAt: number;
  readonly whole: FactPart;
  /** Each skill of a selection. */
  readonly parts: readonly FactPart[];
}

export interface FactPart {
  readonly skill: string | undefined;
  readonly path: string | undefined;
  readonly ok: boolean | undefined;
  readonly until: number;
}

type Assignment = Readonly<Record<string, string>>;

interface Placed {
  readonly fact: Fact;
  readonly part: FactPart;
  readonly place: number;
}

/**
 * Whether a rule holds, by trying every value for every variable, every step and every order of steps: slow, and with
 * nothing in it that is clever.
 */
export function holds(rule: ActionRule, facts: readonly Fact[], values: readonly string[]): boolean {
  const counting = facts.filter((fact) => !fact.given && fact.lostAt === Infinity);
  const possible = facts.filter(
    (fact) => !fact.given && (fact.lostAt === Infinity || (fact.effect && fact.kind === 'run_script')),
  );
  const all = assignments(values);
  const count = (pattern: StepPattern, from: readonly Fact[]): number =>
    Math.max(...all.map((one) => from.filter((fact) => matches(pattern, fact, one).length > 0).length));
  switch (rule.kind) {
    case 'occurs':
      return count(rule.step, counting) >= rule.atLeast;
    case 'forbidden':
      return count(rule.step, possible) === 0;
    case 'at_most':
      return count(rule.step, possible) <= rule.most;
    case 'before':
      return possible.every((fact) => isPrepared(rule, fact, { facts, all }));
    case 'sequence':
      if (rule.mode === 'in_order') return all.some((one) => isInOrder(rule.steps, { counting, one, last: undefined }));
      if (rule.mode === 'any_order') return all.some((one) => isThere(rule.steps, { counting, one, taken: [] }));
      return all.some((one) => isAll(rule.steps, counting, one));
  }
}

interface Everything {
  readonly facts: readonly Fact[];
  readonly all: readonly Assignment[];
}

function isPrepared(
  { first, then }: ActionRule & { readonly kind: 'before' },
  fact: Fact,
  { facts, all }: Everything,
): boolean {
  if (first.action === 'approval' && !fact.effect) return true;
  const places = new Set(all.flatMap((one) => matches(then, fact, one).map(({ place }) => place)));
  return [...places].every((place) =>
    all.some(
      (one) =>
        matches(then, fact, one).some((match) => match.place === place) &&
        facts.some(
          (other) =>
            other.lostAt > fact.start &&
            matches({ ...first, ok: first.ok ?? true }, other, one).some(
              ({ part }) => part.until < (other.kind === 'approval' ? fact.effective : fact.start),
            ),
        ),
    ),
  );
}

interface Search {
  readonly counting: readonly Fact[];
  readonly one: Assignment;
}

function isInOrder(
  [pattern, ...rest]: readonly StepPattern[],
  { counting, one, last }: Search & { readonly last: Placed | undefined },
): boolean {
  if (pattern === undefined) return true;
  return counting
    .flatMap((fact) => matches(pattern, fact, one))
    .some((next) => (last === undefined || follows(next, last)) && isInOrder(rest, { counting, one, last: next }));
}

function follows(next: Placed, last: Placed): boolean {
  if (next.fact === last.fact) return next.place > last.place;
  return last.part.until < (last.fact.kind === 'approval' ? next.fact.effective : next.fact.start);
}

function isThere(
  [pattern, ...rest]: readonly StepPattern[],
  { counting, one, taken }: Search & { readonly taken: readonly Placed[] },
): boolean {
  if (pattern === undefined) return true;
  return counting
    .flatMap((fact) => matches(pattern, fact, one))
    .some(
      (next) =>
        !taken.some(({ fact, place }) => fact === next.fact && place === next.place) &&
        isThere(rest, { counting, one, taken: [...taken, next] }),
    );
}

function isAll(patterns: readonly StepPattern[], counting: readonly Fact[], one: Assignment): boolean {
  const steps = counting
    .filter(
      ({ kind }) => (kind !== 'approval' && kind !== 'final_answer') || patterns.some(({ action }) => action === kind),
    )
    .toSorted((left, right) => left.start - right.start);
  return (
    steps.length === patterns.length && patterns.every((pattern, at) => matches(pattern, steps[at], one).length > 0)
  );
}

/** Every value for each of both variables. */
function assignments(values: readonly string[]): readonly Assignment[] {
  return values.flatMap((x) => values.map((y) => ({ $X: x, $Y: y })));
}

function matches(pattern: StepPattern, fact: Fact | undefined, one: Assignment): readonly Placed[] {
  if (fact === undefined) return [];
  if (pattern.action === undefined ? fact.kind === 'approval' : pattern.action !== fact.kind) return [];
  const parts = pattern.skill !== undefined && fact.parts.length > 0 ? fact.parts : [fact.whole];
  return parts.flatMap((part, place) => (isMeant(pattern, part, one) ? [{ fact, part, place }] : []));
}

function isMeant(pattern: StepPattern, part: FactPart, one: Assignment): boolean {
  const fits = (wanted: string | undefined, value: string | undefined): boolean => {
    if (wanted === undefined) return true;
    if (value === undefined) return false;
    return wanted === '*' || (one[wanted] ?? wanted) === value;
  };
  return (
    (pattern.ok === undefined || pattern.ok === part.ok) &&
    fits(pattern.skill, part.skill) &&
    fits(pattern.path, part.path)
  );
}
