import { formatNumber } from '../src/report/format-spent.js';

/** A number with what it counts, its thousands apart: `1 call`, `1,200 calls`. */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : more}`;
}
