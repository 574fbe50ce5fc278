/** Texts of Chinese, Japanese or Thai have words without spaces between them: the rules of Unicode find them. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** The words of a text in any script, in its order; marks and spaces are none. */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike === true) words.push(segment);
  return words;
}
