import type { QueryVocabulary } from './query-vocabulary.js';

/** The vocabulary by which queries in other languages find what is described in English; loaded when it is first asked for. */
export async function loadQueryVocabulary(): Promise<QueryVocabulary> {
  return (await import('./query-vocabulary.js')).queryVocabulary;
}
