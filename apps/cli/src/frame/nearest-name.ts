const longest = 64;

/** The name that is meant by one that is mistyped: at most two letters off, and nearer than half of it. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const typed = folded(wanted);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const known = folded(name);
    const distance = known.startsWith(typed) && typed.length > 2 ? 1 : countEdits(typed, known);
    const most = Math.min(2, Math.floor((Math.max(typed.length, known.length) - 1) / 2));
    if (distance <= most && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().slice(0, longest);
}

/** Letters that are put in, taken out, replaced, or exchanged with their neighbour. */
function countEdits(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2) return Infinity;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= right.length; to += 1) {
      const same = left[at - 1] === right[to - 1];
      const swapped = at > 1 && to > 1 && left[at - 1] === right[to - 2] && left[at - 2] === right[to - 1];
      next.push(
        Math.min(
          (row[to] ?? 0) + 1,
          (next[to - 1] ?? 0) + 1,
          (row[to - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[to - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row[right.length] ?? Infinity;
}
