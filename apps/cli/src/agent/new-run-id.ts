/**
 * An id by which runs sort in the order they began, `2026-11-22T08-15-30Z-1f43a9c`: the second, and behind it three
 * digits of the millisecond and the random ones.
 *
 * @param random hexadecimal digits.
 */
export function newRunId(now: number, random: string): string {
  const [date = '', milliseconds = ''] = new Date(now).toISOString().replace('Z', '').split('.');
  const fraction = Number(milliseconds).toString(16).padStart(3, '0');
  return `${date.replaceAll(':', '-')}Z-${fraction}${random}`;
}
