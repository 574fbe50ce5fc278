/** A version taken apart by the grammar of semver.org, independently of any library. */
export interface PlainVersion {
  readonly numbers: readonly [major: number, minor: number, patch: number];
  readonly prerelease: readonly string[];
}

// Source: the expression that semver.org suggests.
const grammar =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/u;

/** The parts of a version; `undefined` for what is none, or has numbers that no double holds. */
export function plainVersion(text: string): PlainVersion | undefined {
  const [, major, minor, patch, prerelease] = grammar.exec(text) ?? [];
  if (major === undefined || text.length > 256) return undefined;
  const numbers = [Number(major), Number(minor), Number(patch)] as const;
  if (!numbers.every((number) => Number.isSafeInteger(number))) return undefined;
  return { numbers, prerelease: prerelease?.split('.') ?? [] };
}

/** Precedence as SemVer 2.0.0, section 11, has it. */
export function comparePlain(left: PlainVersion, right: PlainVersion): number {
  for (const [index, number] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0;
    if (number !== other) return number - other;
  }
  if (left.prerelease.length === 0 || right.prerelease.length === 0) {
    return Number(left.prerelease.length === 0) - Number(right.prerelease.length === 0);
  }
  for (const [index, identifier] of left.prerelease.entries()) {
    const other = right.prerelease[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(identifier, other);
    if (order !== 0) return order;
  }
  return left.prerelease.length - right.prerelease.length;
}

function compareIdentifiers(left: string, right: string): number {
  const numeric = [left, right].map((identifier) => /^\d+$/u.test(identifier));
  if (numeric[0] !== numeric[1]) return numeric[0] === true ? -1 : 1;
  if (numeric[0] === true) {
    const order = BigInt(left) - BigInt(right);
    return order === 0n ? 0 : order < 0n ? -1 : 1;
  }
  return left === right ? 0 : left < right ? -1 : 1;
}

/** A range as it was put together, so that what it means needs no parser. */
export interface PlainRange {
  readonly operator: '>=' | '>' | '<=' | '<' | '=' | '^' | '~';
  readonly version: string;
}

/** Whether a version lies in every one of these, as npm's documentation of ranges says. */
export function liesInAll(text: string, comparators: readonly PlainRange[]): boolean {
  const version = plainVersion(text);
  if (version === undefined) return false;
  const bounds = comparators.flatMap(({ operator, version: bound }) => boundsOf(operator, bound));
  if (!bounds.every(([operator, bound]) => fits(comparePlain(version, bound), operator))) return false;
  if (version.prerelease.length === 0) return true;
  // A prerelease is only in a range that names one of the same three numbers.
  return comparators.some(({ version: bound }) => {
    const plain = plainVersion(bound);
    return plain !== undefined && plain.prerelease.length > 0 && plain.numbers.join() === version.numbers.join();
  });
}

type Simple = '>=' | '>' | '<=' | '<' | '=';

function boundsOf(operator: PlainRange['operator'], text: string): (readonly [Simple, PlainVersion])[] {
  const bound = plainVersion(text);
  if (bound === undefined) throw new Error(`${text} is no version.`);
  if (operator !== '^' && operator !== '~') return [[operator, bound]];
  const [major, minor, patch] = bound.numbers;
  const place = operator === '~' ? 1 : major > 0 ? 0 : minor > 0 ? 1 : 2;
  const above = [
    [major + 1, 0, 0],
    [major, minor + 1, 0],
    [major, minor, patch + 1],
  ] as const;
  // Below the first prerelease of the next, which `-0` is.
  return [
    ['>=', bound],
    ['<', { numbers: above[place] ?? above[0], prerelease: ['0'] }],
  ];
}

function fits(order: number, operator: Simple): boolean {
  if (operator === '=') return order === 0;
  if (operator === '>=') return order >= 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order < 0;
}
