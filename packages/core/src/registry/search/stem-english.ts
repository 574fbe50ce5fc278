const english = /^[a-z]{4,40}$/u;
// “status”, “analysis” and “process” are no plurals.
const singular = /(?:ss|us|is)$/u;
// As Porter counts them: how often, after its first consonants, vowels are followed by consonants.
const vowel = /[aeiouy]/u;
const once = /^(?:[^aeiou][^aeiouy]*)?[aeiouy][aeiou]*[^aeiou]/u;
const twice = /^(?:[^aeiou][^aeiouy]*)?[aeiouy][aeiou]*[^aeiou][^aeiouy]*[aeiouy][aeiou]*[^aeiou]/u;
// “hop” and “pric”: to such a beginning belongs the “e” of “hope” and “price”.
const short = /^[^aeiou][^aeiouy]*[aeiouy][^aeiouwxy]$/u;
const doubled = /([^aeiouylsz])\1$/u;

/**
 * An English word in lower case without the ends of plurals and of verbs: `price` of “prices”, “priced” and “pricing”, as
 * steps 1 and 5 of Porter's algorithm cut them. Other words stay as they are. Ends that make other words of words, such
 * as those of “writer” and “movement”, stay: to cut them makes one of words that mean different things.
 */
export function stemEnglish(word: string): string {
  return english.test(word) ? withoutLastLetter(withoutVerbEnd(singularOf(word))) : word;
}

function singularOf(word: string): string {
  if (!word.endsWith('s')) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses')) return word.slice(0, -2);
  return singular.test(word) ? word : word.slice(0, -1);
}

function withoutVerbEnd(word: string): string {
  if (word.endsWith('eed')) return once.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`;
  const rest = word.replace(/(?:ed|ing)$/u, '');
  if (rest === word || !vowel.test(rest)) return word;
  // Of “add” and “use”, whose ends are cut no further, “adding” and “using” are words, too.
  if (doubled.test(rest)) return rest.length > 3 ? rest.slice(0, -1) : rest;
  return /(?:at|bl|iz)$/u.test(rest) || short.test(rest) || rest.length < 3 ? `${rest}e` : rest;
}

function withoutLastLetter(word: string): string {
  const rest = word.slice(0, -1);
  if (rest.length < 3) return word;
  if (word.endsWith('e')) return twice.test(rest) || (once.test(rest) && !short.test(rest)) ? rest : word;
  return word.endsWith('ll') && twice.test(word) ? rest : word;
}
