/** A number and its noun: `1 pack`, `2 packs`, `1,000 files`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
