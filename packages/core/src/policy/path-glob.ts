import type { Certainty, PatternReading } from './pattern-reading.js';
import { globbedText, matchesWildcards, type Wildcard } from './wildcard.js';

/** Paths that a rule means: `src/**`, `*.md`, `//srv/data/**`. */
export interface PathGlob {
  /** Whether it is about absolute paths; else about those relative to the workspace. */
  readonly absolute: boolean;
  readonly parts: readonly GlobPart[];
}

/** One part between slashes: `folders` is `**`, any number of them. */
type GlobPart =
  | { readonly kind: 'folders' }
  | { readonly kind: 'name'; readonly exact: readonly Wildcard[]; readonly folded: readonly Wildcard[] };

/** What is known of the path that a glob is held against. */
export interface PathMatch {
  readonly certainty: Certainty;
  /** Whether all that lies below the path is read, too. */
  readonly reach: 'path' | 'names-below' | 'content-below';
}

const longestPath = 4096;
const mostParts = 256;
const folders = { kind: 'folders' } as const;

/**
 * Reads a glob, as `.gitignore` has them: `*`, `?` and `[…]` within a part, `**` for any number of parts; without a `/`
 * but at its end it means any depth; with one at its end, all that lies below.
 */
export function parsePathGlob(text: string): PatternReading<PathGlob> {
  const problem = problemOf(text);
  if (problem !== undefined) return { problem };
  const absolute = text.startsWith('//');
  const below = text.endsWith('/');
  const names = text.split('/').filter((part) => part !== '' && part !== '.');
  const anchored = /\/[^/]/u.test(text);
  const parts: GlobPart[] = anchored ? [] : [folders];
  for (const name of names) {
    const part = partOf(name);
    if (part === undefined) return { problem: 'A [ has no ].' };
    parts.push(part);
  }
  if (below) parts.push(folders);
  return names.length === 0 && !absolute
    ? { problem: 'It names no path; for all of the workspace, write **.' }
    : { pattern: { absolute, parts } };
}

function problemOf(text: string): string | undefined {
  if (text.startsWith('~')) return 'What ~ stands for is not known here; write // and the absolute path.';
  if (text.startsWith('!')) return 'A rule cannot be turned round by !; write a rule of its own under deny.';
  if (text.includes('\\')) return 'A path is written with /, and nothing is escaped by \\; write [*] for a *.';
  if (/[{}]/u.test(text)) return 'Braces are not read; write one rule for each.';
  const parts = text.split('/');
  if (parts.includes('..'))
    return 'A path does not lead up by ..; write it from the workspace, or // and the absolute path.';
  return parts.length > mostParts ? `It has more than ${mostParts} parts.` : undefined;
}

function partOf(name: string): GlobPart | undefined {
  if (/^\*{2,}$/u.test(name)) return folders;
  const exact = globbedText(name.normalize('NFC'));
  const folded = globbedText(foldName(name));
  return exact === undefined || folded === undefined ? undefined : { kind: 'name', exact, folded };
}

/** Whether a path, as a model gave it, is meant by a glob. */
export function matchesPathGlob(glob: PathGlob, path: string, match: PathMatch): boolean {
  return match.certainty === 'surely' ? surelyMatches(glob, path, match) : possiblyMatches(glob, path, match);
}

function surelyMatches(glob: PathGlob, path: string, { reach }: PathMatch): boolean {
  const parts = path.length > longestPath ? undefined : plainParts(path);
  if (parts === undefined || path.startsWith('/') !== glob.absolute) return false;
  let states = reachable(glob, [0]);
  for (const part of parts) states = advance(glob, { states, part, names: 'exact' });
  const last = glob.parts.length - 1;
  return states.has(last + 1) || (reach !== 'path' && glob.parts[last]?.kind === 'folders' && states.has(last));
}

/** The parts of a path that means the same to every system; `undefined` for one that may lead elsewhere. */
function plainParts(path: string): readonly string[] | undefined {
  // eslint-disable-next-line no-control-regex -- no file that a person means has one
  if (path === '' || /[\u0000-\u001F\u007F\\]|^~|^[a-z]:/iu.test(path)) return undefined;
  const parts = path
    .normalize('NFC')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? undefined : parts;
}

/**
 * Whether a path may be meant: on systems that fold case or know other separators, from a workspace that lies anywhere,
 * and with all that lies below what is meant.
 */
function possiblyMatches(glob: PathGlob, path: string, { reach }: PathMatch): boolean {
  if (path.length > longestPath) return true;
  const { parts, floating } = foldedParts(path);
  const starts = glob.parts.flatMap((part, at) => (part.kind === 'name' ? [at] : []));
  const afloat = floating && !glob.absolute;
  let states = reachable(glob, glob.absolute && !floating ? [0, ...starts] : [0]);
  const end = glob.parts.length;
  for (const part of parts) {
    states = advance(glob, { states, part, names: 'folded' });
    if (states.has(end)) return true;
    if (afloat) states = new Set([...states, ...reachable(glob, [0])]);
  }
  return states.has(end) || (reach === 'content-below' && states.size > 0);
}

/** `floating`: it does not begin in the workspace, or nobody can tell. */
function foldedParts(path: string): { readonly parts: readonly string[]; readonly floating: boolean } {
  const parts: string[] = [];
  let floating = /^(?:[/\\~]|[a-z]:)/iu.test(path);
  for (const part of path.split(/[/\\]/u)) {
    if (part === '..') floating = parts.pop() === undefined || floating;
    else if (part !== '' && part !== '.') parts.push(foldName(part));
  }
  return { parts, floating };
}

/** Windows leaves out dots and spaces at the end of a name; it and macOS find a name whatever its case. */
function foldName(name: string): string {
  return name
    .replace(/(?<=[^. ])[. ]+$/u, '')
    .normalize('NFC')
    .toLowerCase();
}

/** With every place that is reached by no part at all: a `**` that is not the last may stand for none. */
function reachable({ parts }: PathGlob, from: readonly number[]): Set<number> {
  const states = new Set<number>();
  for (const start of from) {
    let at = start;
    states.add(at);
    while (parts[at]?.kind === 'folders' && at + 1 < parts.length) {
      at += 1;
      states.add(at);
    }
  }
  return states;
}

interface Step {
  readonly states: ReadonlySet<number>;
  readonly part: string;
  readonly names: 'exact' | 'folded';
}

function advance(glob: PathGlob, { states, part, names }: Step): Set<number> {
  const next: number[] = [];
  for (const at of states) {
    const expected = glob.parts[at];
    if (expected?.kind === 'folders') {
      next.push(at);
      if (at + 1 === glob.parts.length) next.push(at + 1);
    } else if (expected !== undefined && matchesWildcards(expected[names], part)) next.push(at + 1);
  }
  return reachable(glob, next);
}
