/** A place of an alignment: what stands there on either side. */
export interface AlignedPair {
  readonly left: number | undefined;
  readonly right: number | undefined;
}

/** What a table of lengths may hold; beyond it, what lies between a common beginning and end counts as other. */
const mostCells = 4_000_000;

/** Two lists laid beside each other so that as many items as can be stand beside an equal one: a longest common subsequence. */
export function align(left: readonly string[], right: readonly string[]): readonly AlignedPair[] {
  let begin = 0;
  while (begin < left.length && begin < right.length && left[begin] === right[begin]) begin += 1;
  let end = 0;
  while (
    end < left.length - begin &&
    end < right.length - begin &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  ) {
    end += 1;
  }
  const pairs: AlignedPair[] = Array.from({ length: begin }, (_unused, index) => ({ left: index, right: index }));
  pairs.push(...alignMiddle(left.slice(begin, left.length - end), right.slice(begin, right.length - end), begin));
  for (let index = end; index > 0; index -= 1) {
    pairs.push({ left: left.length - index, right: right.length - index });
  }
  return pairs;
}

function alignMiddle(left: readonly string[], right: readonly string[], offset: number): readonly AlignedPair[] {
  const pairs: AlignedPair[] = [];
  const width = right.length + 1;
  const cells = (left.length + 1) * width;
  const lengths = cells > mostCells ? undefined : lengthsOf(left, right);
  let one = 0;
  let other = 0;
  const at = (row: number, column: number): number => lengths?.[row * width + column] ?? 0;
  while (one < left.length || other < right.length) {
    if (one < left.length && other < right.length && left[one] === right[other]) {
      pairs.push({ left: offset + one, right: offset + other });
      one += 1;
      other += 1;
    } else if (one < left.length && (other >= right.length || at(one + 1, other) >= at(one, other + 1))) {
      pairs.push({ left: offset + one, right: undefined });
      one += 1;
    } else {
      pairs.push({ left: undefined, right: offset + other });
      other += 1;
    }
  }
  return pairs;
}

/** How long the longest common subsequence of what is left of both is, by both places. */
function lengthsOf(left: readonly string[], right: readonly string[]): Uint32Array {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const place = row * width + column;
      lengths[place] =
        left[row] === right[column]
          ? (lengths[place + width + 1] ?? 0) + 1
          : Math.max(lengths[place + width] ?? 0, lengths[place + 1] ?? 0);
    }
  }
  return lengths;
}
