import { foreignLatinWords } from './foreign-words.js';
import { dataWords } from './vocabulary/data-words.js';
import { designWords } from './vocabulary/design-words.js';
import { documentWords } from './vocabulary/document-words.js';
import { softwareWords } from './vocabulary/software-words.js';

/** What words of other languages are called in English. */
export interface QueryVocabulary {
  /** For each word of a query that it knows, the English words for it. */
  translate(query: string): readonly (readonly string[])[];
}

// Where Unicode begins with scripts of East Asia.
const firstUnspaced = 0x2e80;
// By a word in lower case, without accents.
const translations = new Map<string, readonly string[]>();
// By how the words begin that are meant.
const beginnings = new Map<string, readonly string[]>();
const longestBeginning = 20;
// Of those that are looked for at every place.
let longest = 1;
for (const line of [documentWords, dataWords, softwareWords, designWords].join('').split('\n')) {
  const [english = '', foreign = ''] = line.split(' = ');
  for (const word of foreign.split(' ').filter((one) => one !== '')) {
    const isBeginning = word.endsWith('-');
    const into = isBeginning ? beginnings : translations;
    const key = isBeginning ? word.slice(0, -1) : word;
    into.set(key, [...new Set([...(into.get(key) ?? []), ...english.split(' ')])]);
    if (key.charCodeAt(0) >= firstUnspaced) longest = Math.max(longest, key.length);
  }
}

/**
 * Some 380 ideas of the work with documents, data, programs, pictures and pages, in Chinese, Japanese and Korean, and the
 * less alike ones in Spanish, German and French.
 */
export const queryVocabulary: QueryVocabulary = {
  translate: (query) => [...translateUnspaced(query), ...foreignLatinWords(query).flatMap(translateLatin)],
};

/** Of scripts where words are not told apart by spaces: from left to right, the longest word that is known. */
function translateUnspaced(query: string): readonly (readonly string[])[] {
  const text = query.normalize('NFKC').toLowerCase();
  const found: (readonly string[])[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) < firstUnspaced) continue;
    for (let length = Math.min(longest, text.length - at); length > 0; length -= 1) {
      const words = translations.get(text.slice(at, at + length));
      if (words === undefined) continue;
      found.push(words);
      at += length - 1;
      break;
    }
  }
  return found;
}

function translateLatin(word: string): readonly (readonly string[])[] {
  const known = translations.get(word);
  if (known !== undefined) return [known];
  for (let length = Math.min(word.length, longestBeginning); length > 2; length -= 1) {
    const words = beginnings.get(word.slice(0, length));
    if (words !== undefined) return [words];
  }
  return [];
}
