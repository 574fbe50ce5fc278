const mostCompared = 2_000;
const mostNamed = 5;
const longestCompared = 100;

/**
 * The names of skills, or the paths of files, that somebody may have meant by one that is not there, the likeliest first;
 * else the first that there are.
 */
export function suggestNames(wanted: string, names: readonly string[]): readonly string[] {
  const rated = names
    .slice(0, mostCompared)
    .map((name) => ({ name, distance: rate(wanted, name) }))
    .filter(({ distance }) => distance <= 3)
    .toSorted((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1));
  const near = rated.length > 0 ? rated.map(({ name }) => name) : names;
  return near.slice(0, mostNamed);
}

function rate(wanted: string, name: string): number {
  const [left, right] = [wanted, name].map((text) => text.normalize('NFKC').toLowerCase());
  if (left === undefined || right === undefined || left === right) return 0;
  const [leftName, rightName] = [baseName(left), baseName(right)];
  if (leftName === rightName || right.startsWith(`${left.replace(/\/$/u, '')}/`)) return 1;
  if (withoutExtension(leftName) === withoutExtension(rightName)) return 2;
  return Math.min(leftName.length, rightName.length) > 3 && countEdits(leftName, rightName) <= 2 ? 3 : Infinity;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).slice(0, longestCompared);
}

function withoutExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** How many letters have to be put in, taken out or replaced. */
function countEdits(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2) return Infinity;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= right.length; to += 1) {
      const same = left.charCodeAt(at - 1) === right.charCodeAt(to - 1);
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + (same ? 0 : 1)));
    }
    row = next;
  }
  return row[right.length] ?? Infinity;
}
