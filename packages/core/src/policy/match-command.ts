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

// What a hostile list of rules and a hostile line could take together, has to end soon.
const mostWords = 1_000;
const longestForWildcards = 4_096;

/** Whether the words of a command are meant by a pattern. */
export function matchesCommand(pattern: CommandPattern, match: CommandMatch): boolean {
  const { words, certainty } = match;
  if (words.length === 0) return false;
  if (words.length > mostWords) return certainty === 'possibly';
  const [program = '', ...others] = words;
  if (follows(words, pattern, { ...match, certainty: 'surely' })) return true;
  if (certainty === 'surely') {
    const plain = withoutHarmless(words);
    return plain.length < words.length && follows(plain, pattern, match);
  }
  const rest = others.map((word) => word.toLowerCase());
  return programs(program.toLowerCase()).some((name) => follows([name, ...rest], pattern, match));
}

/** Agents like to write these before the name of what git is to do, and they change nothing of that. */
const harmless: ReadonlySet<string> = new Set(['--no-pager', '-P', '--no-optional-locks']);

function withoutHarmless(words: readonly string[]): readonly string[] {
  const [program = '', ...rest] = words;
  if (program !== 'git') return words;
  const first = rest.findIndex((word) => !harmless.has(word));
  return [program, ...(first === -1 ? [] : rest.slice(first))];
}

/** A program may be found by its folder, too. */
function programs(program: string): readonly string[] {
  const base = program.replace(/^.*[/\\]/su, '');
  return [program, base, base.replace(/\.(?:exe|cmd|bat|com)$/u, '')];
}

/** `gap`: one word or more. */
type ExpectedWord = 'gap' | { readonly exact: string } | StarredWord;

interface StarredWord {
  readonly signs: readonly Wildcard[];
  /** Words that it does not mean, though its signs fit. */
  readonly never?: RegExp | undefined;
}

function expectedWord(text: string, { certainty, folder }: CommandMatch): ExpectedWord {
  if (text === '*') return 'gap';
  const fold = (part: string): string => (certainty === 'surely' ? part : part.toLowerCase());
  const parts = text.split(folderVariable);
  if (parts.length === 1 && !text.includes('*')) return { exact: fold(text) };
  const inserted = insertedFolder(folder === undefined ? undefined : fold(folder), certainty);
  return {
    signs: parts.flatMap((part, at) => [...(at === 0 ? [] : inserted), ...starredText(fold(part))]),
    never: certainty === 'surely' ? neverMeant(text) : undefined,
  };
}

const upwards = /(?:^|[/\\])\.\.(?:[/\\]|$)/u;

/** `scripts/*` means nothing outside of that folder, and `*.py` is a file: an option may hold a whole program. */
function neverMeant(text: string): RegExp | undefined {
  const folder = text.slice(0, text.lastIndexOf('*') + 1);
  if (folder.includes('/') && !upwards.test(text)) return upwards;
  return text.startsWith('*') ? /^-/u : undefined;
}

function insertedFolder(folder: string | undefined, certainty: Certainty): readonly Wildcard[] {
  if (folder !== undefined) return plainText(folder.replace(/\/+$/u, ''));
  // No word has a character of an empty class, so nothing surely matches.
  return certainty === 'possibly' ? [{ kind: 'many' }] : [{ kind: 'class', ranges: [], negated: false }];
}

/** Walks through the words with all places of the pattern at once: no more steps than words times places. */
function follows(words: readonly string[], pattern: CommandPattern, match: CommandMatch): boolean {
  const expected = pattern.words.map((word) => expectedWord(word, match));
  let places: readonly Place[] = [{ met: 0, option: false }];
  for (const word of words) {
    const next = new Map<number, Place>();
    for (const place of places) {
      for (const found of placesBehind(place, word, { pattern, expected, certainty: match.certainty })) {
        next.set(found.met * 2 + Number(found.option), found);
      }
    }
    if (next.size === 0) return false;
    places = [...next.values()];
  }
  return places.some(({ met }) => met === expected.length);
}

/** How many words of the pattern were met, and whether the word before was an option. */
interface Place {
  readonly met: number;
  readonly option: boolean;
}

interface Following {
  readonly pattern: CommandPattern;
  readonly expected: readonly ExpectedWord[];
  readonly certainty: Certainty;
}

function placesBehind({ met, option }: Place, word: string, following: Following): readonly Place[] {
  const { pattern, expected, certainty } = following;
  const wanted = expected[met];
  if (wanted === undefined) return pattern.end === 'nothing' ? [] : [{ met, option: false }];
  const further = { met: met + 1, option: false };
  if (wanted === 'gap') return [{ met, option: false }, further];
  const places: Place[] = [];
  const colon = pattern.colon && met + 1 === expected.length;
  if (isWord(wanted, word, certainty) || (colon && isWord(withColon(wanted), word, certainty))) places.push(further);
  // `git -C folder push` is a push, too.
  const skipped = certainty === 'possibly' && met > 0;
  if (skipped && word.startsWith('-')) places.push({ met, option: true });
  else if (skipped && option) places.push({ met, option: false });
  return places;
}

function isWord(wanted: Exclude<ExpectedWord, 'gap'>, word: string, certainty: Certainty): boolean {
  if ('exact' in wanted) return wanted.exact === word;
  if (wanted.never?.test(word) === true) return false;
  return word.length > longestForWildcards ? certainty === 'possibly' : matchesWildcards(wanted.signs, word);
}

function withColon(wanted: Exclude<ExpectedWord, 'gap'>): Exclude<ExpectedWord, 'gap'> {
  const starred = 'exact' in wanted ? { signs: plainText(wanted.exact) } : wanted;
  return { ...starred, signs: [...starred.signs, { kind: 'character', character: ':' }, { kind: 'many' }] };
}
