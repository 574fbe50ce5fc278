const english = /^[a-z]+$/u;

/** A word in lower case without the endings of English plurals and verbs; other words as they are. */
export function stemEnglish(word: string): string {
  if (word.length < 4 || word.length > 40 || !english.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us') && !word.endsWith('is'))
    return word.slice(0, -1);
  return word;
}
