/** A whole number and its noun: `1 pack`, `2 packs`, `1,000 files`. */
export function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** A whole number with its thousands apart: `1,000`. */
export function grouped(number: number): string {
  // Intl would do it, and takes longer to load than most commands to run.
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/gu, ',');
}
