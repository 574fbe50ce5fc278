import type { OutputCheck } from '../../case/expectations.js';
import { beginning } from './check-text.js';
import type { OutputVerdict } from './output-verdict.js';
import { wordsOf } from './words-of.js';

type CheckOf<Kind extends OutputCheck['kind']> = OutputCheck & { readonly kind: Kind };

/** It has so many words. */
export function checkWords({ least = 0, most = Infinity }: CheckOf<'words'>, text: string): OutputVerdict {
  const { length } = wordsOf(text);
  return { holds: length >= least && length <= most, evidence: `It has ${length} ${length === 1 ? 'word' : 'words'}.` };
}

/** It has so large a part of the words of a reference. */
export function checkSimilar({ reference, least }: CheckOf<'similar'>, text: string): OutputVerdict {
  const recall = rouge1Recall(text, reference);
  const evidence = `ROUGE-1 recall is ${recall.toFixed(3)}. ${beginning(text)}`;
  return { holds: recall >= least, evidence };
}

/**
 * Which part of the words of a reference a text has, 0 to 1, each as often as both have it: ROUGE-1 (Lin, ROUGE: A Package
 * for Automatic Evaluation of Summaries, 2004, equation 1 with n = 1), without regard to case. 1 for a reference without
 * words.
 */
function rouge1Recall(text: string, reference: string): number {
  const wanted = countWords(reference);
  const given = countWords(text);
  let total = 0;
  let shared = 0;
  for (const [word, count] of wanted) {
    total += count;
    shared += Math.min(count, given.get(word) ?? 0);
  }
  return total === 0 ? 1 : shared / total;
}

function countWords(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text.normalize('NFC').toLowerCase())) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
