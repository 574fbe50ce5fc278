import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import {
  formatLockFile,
  mergeLockFiles,
  parseLockFile,
  SkillsError,
  type LockEntry,
  type LockFile,
  type MergedLockFile,
} from '@skillpack/core';
import { sha256 } from '../../packages/core/test/sha256.js';
import { fuzzTarget, type FuzzTarget } from './fuzz-target.js';
import { textPieces } from './text-pieces.js';

const names = ['a/a', 'a/b', 'a/c', 'a-b/a', 'constructor/a'];
const ranges = [undefined, '^1.0.0', 'https://user:secret@example.org/a.tgz'];

/** What is locked of each of the names: nothing (0), or one of a few entries. */
type Pins = readonly number[];

const pins: fc.Arbitrary<Pins> = fc.array(fc.nat(4), { minLength: names.length, maxLength: names.length });

function entryOf(name: string, kind: number): LockEntry {
  const version = kind < 3 ? `1.${kind}.0` : '1.2.0';
  const treeDigest = sha256(`${name} ${version}`);
  const skills = kind === 4 ? ['one', 'two'] : [name.slice(name.indexOf('/') + 1)];
  const dependencies = kind === 3 ? { 'a/c': '^1.0.0' } : {};
  const content = { version, treeDigest, skills, dependencies, range: ranges[kind % ranges.length] };
  if (kind === 4) return { ...content, source: 'folder', path: `../${name}` };
  return { ...content, source: 'registry', registry: 'https://skills.example.org/', integrity: sha256(version) };
}

function lockOf(side: Pins): LockFile {
  const locked = names.flatMap((name, index) => {
    const kind = side[index] ?? 0;
    return kind === 0 ? [] : [[name, entryOf(name, kind)] as const];
  });
  return { packs: Object.fromEntries(locked) };
}

function linesOf(side: Pins): readonly string[] {
  return formatLockFile(lockOf(side)).split('\n');
}

interface Input {
  readonly ours: Pins;
  readonly theirs: Pins;
  /** Stated where it is, as git does in the style `diff3`. */
  readonly base: Pins | null;
  readonly label: string;
  readonly newline: string;
  /** What stands at a place of the text instead of some characters. */
  readonly edits: readonly { readonly at: number; readonly cut: number; readonly piece: string }[];
}

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat(60),
  piece: fc.constantFrom(...textPieces, '', '\n=======\n', '\n>>>>>>>\n', ',\n', '}'),
});

/** The merge that a repair makes of a lock file with conflicts. */
export const lockMergeTarget: FuzzTarget = fuzzTarget<Input>({
  name: 'lock-merge',
  input: fc.record({
    ours: pins,
    theirs: pins,
    base: fc.option(pins),
    label: fc.constantFrom('HEAD', '', 'a branch', '=======', '<<<<<<<'),
    newline: fc.constantFrom('\n', '\r\n'),
    edits: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(edit, { maxLength: 3 })),
  }),
  judge(input) {
    const text = edited(conflictOf(input).join(input.newline), input.edits);
    const merged = mergeLockFiles(text);
    const split = sidesOf(text.replaceAll('\r\n', '\n').split('\n'));
    const [ours, theirs] = [lockIn(split?.ours), lockIn(split?.theirs)];
    if (merged === undefined) {
      const whole = input.edits.length === 0 && ours !== undefined && theirs !== undefined;
      strictEqual(whole, false, 'an honest conflict is refused');
      return false;
    }
    if (ours === undefined || theirs === undefined) throw new Error('A side that is no lock file was merged.');
    judgeMerge(merged, { ours, theirs, base: lockIn(split?.base) });
    return true;
  },
  sample: 400,
});

interface Sides {
  readonly ours: LockFile;
  readonly theirs: LockFile;
  readonly base: LockFile | undefined;
}

/** Every pin of either side is in the result, or in a clash that is told, or the other side did away with it. */
function judgeMerge(merged: MergedLockFile, { ours, theirs, base }: Sides): void {
  const kept: Record<string, LockEntry> = {};
  const clashing: string[] = [];
  for (const name of new Set([...Object.keys(ours.packs), ...Object.keys(theirs.packs)])) {
    const [our, their, former] = [ours, theirs, base].map((side) => pinIn(side, name));
    const [before, here, there] = [former, our, their].map(formatPin);
    let pin = our ?? their;
    if (former !== undefined && here === before) pin = their;
    else if (former !== undefined && there === before) pin = our;
    else if (our !== undefined && their !== undefined && here !== there) {
      clashing.push(name);
      continue;
    }
    if (pin !== undefined) kept[name] = pin;
  }
  deepStrictEqual(
    merged.clashes.map(({ name }) => name),
    clashing.toSorted(),
    'other packs clash',
  );
  deepStrictEqual(merged.packs, [...Object.keys(kept), ...clashing].toSorted(), 'other packs are locked');
  for (const { name, ours: our, theirs: their } of merged.clashes) {
    deepStrictEqual([our, their], [pinIn(ours, name), pinIn(theirs, name)], 'a clash tells of other pins');
  }
  const clean = formatLockFile({ packs: kept });
  if (clashing.length === 0) {
    strictEqual(merged.text, clean, 'the result is another lock file');
    strictEqual(formatLockFile(parseLockFile(merged.text)), clean, 'the result is read otherwise');
    return;
  }
  deepStrictEqual(mergeLockFiles(merged.text), merged, 'to merge what is left once more changes it');
  const left = sidesOf(merged.text.split('\n'));
  for (const [side, own] of [
    [left?.ours, ours],
    [left?.theirs, theirs],
  ] as const) {
    const pinned = Object.fromEntries(clashing.map((name) => [name, pinIn(own, name)]));
    const chosen = formatLockFile({ packs: { ...kept, ...pinned } as LockFile['packs'] }); // each of them is locked there
    strictEqual(side?.join('\n'), chosen, 'who keeps one side of each conflict gets another lock file');
  }
}

function pinIn(side: LockFile | undefined, name: string): LockEntry | undefined {
  return new Map<string, LockEntry>(Object.entries(side?.packs ?? {})).get(name);
}

function formatPin(entry: LockEntry | undefined): string {
  return entry === undefined ? '' : formatLockFile({ packs: { 'x/x': entry } as LockFile['packs'] }); // a pack name
}

/** As git leaves a merge: what both sides have in common once, and the rest between markers. */
function conflictOf({ ours, theirs, base, label }: Input): readonly string[] {
  const [left, right] = [linesOf(ours), linesOf(theirs)];
  const [open, close] = [`<<<<<<< ${label}`.trimEnd(), `>>>>>>> ${label}`.trimEnd()];
  if (base === null) {
    const lines: string[] = [];
    let [one, other] = [0, 0];
    for (const [i, j] of [...commonLines(left, right), [left.length, right.length] as const]) {
      if (i > one || j > other) lines.push(open, ...left.slice(one, i), '=======', ...right.slice(other, j), close);
      lines.push(...left.slice(i, i + 1));
      [one, other] = [i + 1, j + 1];
    }
    return lines;
  }
  const former = linesOf(base);
  const all = [left, right, former];
  const shortest = Math.min(...all.map(({ length }) => length));
  const same = (at: (lines: readonly string[]) => string | undefined): boolean => new Set(all.map(at)).size === 1;
  let head = 0;
  while (head < shortest && same((lines) => lines[head])) head += 1;
  let tail = 0;
  while (tail < shortest - head && same((lines) => lines.at(-1 - tail))) tail += 1;
  const [inLeft = [], inRight = [], inFormer = []] = all.map((lines) => lines.slice(head, lines.length - tail));
  if (inLeft.join('\n') === inRight.join('\n')) return left;
  const conflict = [open, ...inLeft, '||||||| base', ...inFormer, '=======', ...inRight, close];
  return [...left.slice(0, head), ...conflict, ...left.slice(left.length - tail)];
}

/** Where two texts have a line in common: a longest series of such places. */
function commonLines(one: readonly string[], other: readonly string[]): (readonly [number, number])[] {
  const longest = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      const length = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      longest[i]?.fill(length, j, j + 1);
    }
  }
  const places: (readonly [number, number])[] = [];
  let [i, j] = [0, 0];
  while (i < one.length && j < other.length) {
    if (one[i] === other[j]) places.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return places;
}

/** The whole texts of both sides, and of what they began with where every conflict states it. */
function sidesOf(lines: readonly string[]): Record<'ours' | 'theirs' | 'base', string[] | undefined> | undefined {
  const sides: Record<string, string[]> = { '<': [], '|': [], '=': [] };
  let [place, conflicts, stated] = ['>', 0, 0];
  for (const line of lines) {
    const sign = /^(<{7}|\|{7}|={7}|>{7})(?:\s|$)/u.exec(line)?.[1]?.charAt(0);
    if (sign === undefined) {
      for (const [side, text] of Object.entries(sides)) if (place === '>' || place === side) text.push(line);
      continue;
    }
    if (!['><', '<|', '<=', '|=', '=>'].includes(place + sign)) return undefined;
    if (sign === '<') conflicts += 1;
    if (sign === '|') stated += 1;
    place = sign;
  }
  if (place !== '>' || conflicts === 0) return undefined;
  return { ours: sides['<'], theirs: sides['='], base: stated === conflicts ? sides['|'] : undefined };
}

function lockIn(lines: readonly string[] | undefined): LockFile | undefined {
  try {
    return lines === undefined ? undefined : parseLockFile(lines.join('\n'));
  } catch (error) {
    if (SkillsError.is(error)) return undefined;
    throw error;
  }
}

function edited(text: string, edits: Input['edits']): string {
  return edits.reduce((now, { at, cut, piece }) => {
    const start = Math.floor(at * now.length);
    return now.slice(0, start) + piece + now.slice(start + cut);
  }, text);
}
