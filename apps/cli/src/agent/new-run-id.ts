/** An id by which runs sort in the order they began: `2026-11-22T08-15-30Z-3f9a`. @param random hexadecimal digits. */
export function newRunId(now: number, random: string): string {
  const seconds = new Date(now).toISOString().slice(0, 19);
  return `${seconds.replaceAll(':', '-')}Z-${random}`;
}
