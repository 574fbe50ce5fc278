/** A number with what it counts: `1 trial`, `12 trials`. */
export function countOf(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}
