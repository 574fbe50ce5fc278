// Words that hold sentences in Spanish, German and French together, without accents. Some of them are English, too.
const foreign = new Set(
  `aus avec comme como con dans das dem der des diese dieser du ein eine einem einen einer el en est esta este et fur
ich ist la las le les los mein meine mi mit mon muy nach necesito nicht notre para por pour que quiero sobre sur sus un
una und une unser veux von votre zu zum zur`.split(/\s+/u),
);
// As much of a query as counts.
const longest = 2_000;
const otherScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const marks = /\p{M}+/gu;
const latinWords = /[\p{Script=Latin}\p{N}]+/gu;

/** Whether a query is in another language than English, so far as script and small words tell. */
export function isForeign(query: string): boolean {
  const text = query.slice(0, longest);
  return otherScripts.test(text) || foreignLatinWords(text).length > 0;
}

/** The words of a query in Spanish, German, French or the like, in lower case, without accents; none of another one. */
export function foreignLatinWords(query: string): readonly string[] {
  const decomposed = query.normalize('NFKD').toLowerCase();
  const words = decomposed.replaceAll(marks, '').match(latinWords) ?? [];
  const small = new Set(words.filter((word) => foreign.has(word))).size;
  // One of them stands in many an English sentence, such as in “et al.”.
  return small > 1 || (small === 1 && /\p{Script=Latin}\p{M}/u.test(decomposed)) ? words : [];
}
