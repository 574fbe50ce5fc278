import { foldPath } from '../digest/fold-path.js';
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

// What a hostile list of rules and a hostile path could take together, has to end soon.
const longestPath = 4096;
const longestName = 255;
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
  return names.length === 0
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
  for (const exact of parts) states = advance(glob, states, { exact });
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
  const odd = parts.length > mostParts || parts.some((part) => part === '..' || part.length > longestName);
  return odd ? undefined : parts;
}

/**
 * Whether a path may be meant: on systems that fold case or know other separators, wherever the workspace lies, and with
 * all that lies below what is meant.
 */
function possiblyMatches(glob: PathGlob, path: string, { reach }: PathMatch): boolean {
  if (path.length > longestPath) return true;
  const { parts, base } = foldedParts(path);
  if (parts.length > mostParts || parts.some(({ exact }) => exact.length > longestName)) return true;
  const anywhere = glob.parts.flatMap((part, at) => (part.kind === 'name' ? [at] : []));
  let states = reachable(glob, glob.absolute && base !== 'root' ? [0, ...anywhere] : [0]);
  const end = glob.parts.length;
  for (const part of parts) {
    states = advance(glob, states, part);
    if (states.has(end)) return true;
    if (!glob.absolute && base !== 'workspace') states = new Set([...states, ...reachable(glob, [0])]);
  }
  return reach === 'content-below' && states.size > 0;
}

interface FoldedPath {
  readonly parts: readonly PathPart[];
  /** Where it begins, as far as that can be told. */
  readonly base: 'workspace' | 'root' | 'unknown';
}

function foldedParts(path: string): FoldedPath {
  const parts: PathPart[] = [];
  let base: FoldedPath['base'] = /^(?:[/\\]|[a-z]:)/iu.test(path) ? 'root' : 'workspace';
  if (path.startsWith('~')) base = 'unknown';
  for (const part of path.replace(/^~[^/\\]*/u, '').split(/[/\\]/u)) {
    if (part === '..') {
      if (parts.pop() === undefined && base !== 'root') base = 'unknown';
    } else if (part !== '' && part !== '.') parts.push({ exact: part.normalize('NFC'), folded: foldName(part) });
  }
  return { parts, base };
}

/**
 * Windows leaves out dots and spaces at the end of a name, and knows another one for what a file holds; it and macOS find
 * a name whatever its case.
 */
function foldName(name: string): string {
  return foldPath(name)
    .replace(/::\$.*$/su, '')
    .replace(/(?<=[^. ])[. ]+$/u, '');
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

/** Of a path. `folded` where case and the like do not matter. */
interface PathPart {
  readonly exact: string;
  readonly folded?: string | undefined;
}

function advance(glob: PathGlob, states: ReadonlySet<number>, part: PathPart): Set<number> {
  const next: number[] = [];
  for (const at of states) {
    const expected = glob.parts[at];
    if (expected?.kind === 'folders') {
      next.push(at);
      if (at + 1 === glob.parts.length) next.push(at + 1);
    } else if (expected !== undefined && matchesName(expected, part)) next.push(at + 1);
  }
  return reachable(glob, next);
}

function matchesName({ exact, folded }: GlobPart & { readonly kind: 'name' }, part: PathPart): boolean {
  if (matchesWildcards(exact, part.exact)) return true;
  return part.folded !== undefined && matchesWildcards(folded, part.folded);
}
