/**
 * Whether a text is meant as a file of cases of ours, also where it cannot be read: then what is wrong is told by our own
 * rules. Files of no other tool have `cases` beside `formatVersion`, or with skills, actions or an output that is expected.
 */
export function looksOwn(text: string): boolean {
  if (!/(?:^|[{,\s])["']?cases["']?\s*:/u.test(text)) return false;
  if (/(?:^|[{,\s])["']?formatVersion["']?\s*:/u.test(text)) return true;
  return /[{,\s]["']?expected["']?\s*:\s*(?:\{\s*)?["']?(?:skills|actions|output)["']?\s*:/u.test(text);
}
