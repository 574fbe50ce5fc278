import type { PackName } from '@skillpack/core';

/** Something that wants a pack. */
export interface Requirement {
  readonly name: PackName;
  /** A version range. */
  readonly range: string;
  /** Who wants it, from the person inwards: `[]` for the person, `['org/a@1.0.0']` for a dependency of org/a. */
  readonly path: readonly string[];
  /** What the person wrote, where it is not the range itself: a tag. */
  readonly written?: string | undefined;
}

/** A requirement as a part of a sentence: `org/a@1.0.0 needs org/common@^1`. */
export function describeRequirement({ name, range, path, written }: Requirement): string {
  const what = range === '' || range === '*' ? name : `${name}@${range}`;
  const tag = written === undefined ? '' : ` (tagged ${written})`;
  const chain = path.length > 4 ? [path[0], '…', ...path.slice(-2)] : path;
  return chain.length === 0 ? `you want ${what}${tag}` : `${chain.join(' needs ')} needs ${what}`;
}
