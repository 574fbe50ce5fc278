/**
 * Whether a text is meant as a file of cases of ours, also where it cannot be read: then what is wrong is told by our own
 * rules. Files of no other tool have `formatVersion` beside `cases`.
 */
export function looksOwn(text: string): boolean {
  return /(?:^|[{,\s])["']?formatVersion["']?\s*:/u.test(text) && /(?:^|[{,\s])["']?cases["']?\s*:/u.test(text);
}
