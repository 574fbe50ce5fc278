/** Compares two paths by the bytes of their UTF-8, the order in which every document lists them. */
export function comparePaths(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    // UTF-16 sorts surrogates (beyond U+FFFF) below U+E000 to U+FFFF; UTF-8 sorts them above.
    const aHigh = a >= 0xd800 && a <= 0xdfff;
    const bHigh = b >= 0xd800 && b <= 0xdfff;
    if (aHigh !== bHigh) return aHigh ? 1 : -1;
    return a - b;
  }
  return left.length - right.length;
}
