import { folderVariable, type CommandPattern } from './command-pattern.js';
import type { Certainty } from './pattern-reading.js';
import { matchesWildcards, plainText, starredText, type Wildcard } from './wildcard.js';

/** The words of a command, and how they are held against a pattern. */
export interface CommandMatch {
  readonly words: readonly string[];
  readonly certainty: Certainty;
  /** What `{baseDir}` stands for; `undefined` where that is not known. */
  readonly folder: string | undefined;
}

const mostWords = 4_096;
const longestWord = 65_536;

/** Whether the words of a command are meant by a pattern. */
export function matchesCommand(pattern: CommandPattern, match: CommandMatch): boolean {
  const { words, certainty } = match;
  if (words.length === 0) return false;
  if (words.length > mostWords || words.some((word) => word.length > longestWord)) return certainty === 'possibly';
  const expected = pattern.words.map((word) => expectedWord(word, match));
  return programs(match).some((program) =>
    follows([program, ...words.slice(1).map((word) => folded(word, certainty))], expected, { ...pattern, certainty }),
  );
}

/** A program may be found by its folder, too, and whatever the case. */
function programs({ words: [program = ''], certainty }: CommandMatch): readonly string[] {
  if (certainty === 'surely') return [program];
  const name = folded(program, certainty);
  const base = name.replace(/^.*[/\\]/su, '');
  return [name, base, base.replace(/\.(?:exe|cmd|bat|com)$/u, '')];
}

function folded(word: string, certainty: Certainty): string {
  return certainty === 'surely' ? word : word.toLowerCase();
}

/** `gap`: one word or more. */
type ExpectedWord = readonly Wildcard[] | 'gap';

function expectedWord(text: string, { certainty, folder }: CommandMatch): ExpectedWord {
  if (text === '*') return 'gap';
  const variables = [...text.matchAll(folderVariable)].map(() => insertedFolder(folder, certainty));
  return text
    .split(folderVariable)
    .flatMap((part, at) => [...starredText(folded(part, certainty)), ...(variables[at] ?? [])]);
}

function insertedFolder(folder: string | undefined, certainty: Certainty): readonly Wildcard[] {
  if (folder !== undefined) return plainText(folded(folder.replace(/\/+$/u, ''), certainty));
  // No word has a character of an empty class, so nothing surely matches.
  return certainty === 'possibly' ? [{ kind: 'many' }] : [{ kind: 'class', ranges: [], negated: false }];
}

type Following = Pick<CommandPattern, 'end' | 'colon'> & { readonly certainty: Certainty };

/** How many words of the pattern were met, and whether the word before was an option. */
interface Place {
  readonly met: number;
  readonly option: boolean;
}

/** Walks through the words with all places of the pattern at once: no more steps than words times places. */
function follows(words: readonly string[], expected: readonly ExpectedWord[], following: Following): boolean {
  let places: readonly Place[] = [{ met: 0, option: false }];
  for (const word of words) {
    const next = new Map<string, Place>();
    for (const place of places) {
      for (const found of placesBehind(place, word, { ...following, expected })) {
        next.set(`${found.met} ${found.option}`, found);
      }
    }
    places = [...next.values()];
  }
  return places.some(({ met }) => met === expected.length);
}

function placesBehind(
  { met, option }: Place,
  word: string,
  { expected, end, colon, certainty }: Following & { readonly expected: readonly ExpectedWord[] },
): readonly Place[] {
  const wanted = expected[met];
  if (wanted === undefined) return end === 'nothing' ? [] : [{ met, option: false }];
  const further = { met: met + 1, option: false };
  if (wanted === 'gap') return [{ met, option: false }, further];
  const places: Place[] = [];
  const isLast = met + 1 === expected.length;
  if (matchesWildcards(wanted, word) || (colon && isLast && matchesWildcards([...wanted, ...colonAndMore], word))) {
    places.push(further);
  }
  // `git -C folder push` is a push, too.
  const skipped = certainty === 'possibly' && met > 0;
  if (skipped && word.startsWith('-')) places.push({ met, option: true });
  else if (skipped && option) places.push({ met, option: false });
  return places;
}

const colonAndMore: readonly Wildcard[] = [{ kind: 'character', character: ':' }, { kind: 'many' }];
