import { spacedWords, type ScriptRun } from './script-runs.js';
import { hashTerm } from './term-hash.js';

/** Takes a gram, as a number, and what it counts. */
export type GramSink = (gram: number, weight: number) => void;

/** How many characters of a text in words make a gram. */
export const gramLength = 5;

const han = /\p{Script=Han}/u;
// A character of Chinese is a word or a part of one, but one of the few thousand that texts share.
const singleWeight = 0.5;

/**
 * The pieces of a text that are found where words differ in their ends, in spelling, or in where they are cut: each five
 * characters of a text in words, spaces included, and of Chinese, Japanese, Korean and Thai each two, of Chinese each
 * single one, too.
 */
export function eachGram(runs: readonly ScriptRun[], sink: GramSink): void {
  for (const { kind, text } of runs)
    if (kind === 'spaced') eachSpacedGram(spacedWords(text), sink);
    else eachUnspacedGram(Array.from(text.toLowerCase()), sink);
}

function eachSpacedGram(words: readonly string[], sink: GramSink): void {
  if (words.length === 0) return;
  const text = ` ${words.join(' ').toLowerCase()} `;
  for (let at = 0; at + gramLength <= text.length; at += 1) sink(hashTerm(text, at, at + gramLength), 1);
  if (text.length < gramLength) sink(hashTerm(text), 1);
}

function eachUnspacedGram(characters: readonly string[], sink: GramSink): void {
  for (const [at, character] of characters.entries()) {
    const next = characters[at + 1];
    if (next !== undefined) sink(hashTerm(character + next), 1);
    if (han.test(character)) sink(hashTerm(character), singleWeight);
  }
}
