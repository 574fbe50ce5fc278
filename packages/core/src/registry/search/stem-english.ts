const english = /^[a-z]{4,40}$/u;
// “status”, “analysis” and “process” are no plurals.
const singular = /(?:ss|us|is)$/u;

/**
 * A word in lower case without the ends of English plurals; other words as they are. Ends of verbs stay: to cut them makes
 * one of words that mean different things, and what is gained, pieces of words find anyway.
 */
export function stemEnglish(word: string): string {
  if (!word.endsWith('s') || !english.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses')) return word.slice(0, -2);
  return singular.test(word) ? word : word.slice(0, -1);
}
