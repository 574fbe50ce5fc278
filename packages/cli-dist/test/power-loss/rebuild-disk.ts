import { linkSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { standingAt, traceOf } from '../../src/apply/standing.js';
import { MutableDisk, type DiskHistory, type DiskState, type Node } from './disk-history.js';
import { describe } from './lost-power.js';

interface RecordedJournal {
  readonly id: string;
  readonly staging: string;
  readonly moves: readonly {
    readonly kind: 'put' | 'drop';
    readonly from: string;
    readonly to: string;
    readonly inode: string;
    readonly replaces: { readonly inode: string; readonly trace: string } | null;
  }[];
}

/** What the numbers in a journal stand for: the folder with that number, and what was in it. */
export type KnownFolders = ReadonlyMap<string, { readonly node: Node; readonly content: string }>;

const control = '.agents/skills/.skillpack';

/** Finds what the journals of a history name by number. */
export function foldersInJournals({ initial, events }: DiskHistory): KnownFolders {
  const known = new Map<string, { readonly node: Node; readonly content: string }>();
  const disk = new MutableDisk(initial);
  for (const event of events) {
    disk.apply(event);
    const journal = event.kind === 'write' ? parseJournal(event.bytes.toString()) : undefined;
    if (journal === undefined) continue;
    const note = (number: string, path: string): void => {
      const node = disk.find(path);
      if (node !== undefined) known.set(number, { node, content: describe(disk, node) });
    };
    note(journal.staging, `${control}/.staging/${journal.id}`);
    for (const { kind, from, to, inode, replaces } of journal.moves) {
      if (kind === 'put') note(inode, `${control}/.staging/${journal.id}/${from}`);
      if (replaces !== null) note(replaces.inode, `.agents/skills/${to}`);
    }
  }
  return known;
}

function parseJournal(text: string): RecordedJournal | undefined {
  if (!text.startsWith('{"formatVersion":1,"id":')) return undefined;
  try {
    return JSON.parse(text) as RecordedJournal;
  } catch {
    return undefined;
  }
}

/**
 * Makes a state of a recorded disk in a folder. Its journal, if it has one, then names the numbers that its folders have
 * there, and the times that what it replaces has there.
 */
export function rebuildDisk(state: DiskState, folder: string, known: KnownFolders): void {
  const places = new Map<Node, string>();
  const make = (node: Node, path: string): void => {
    const present = places.get(node);
    if (node.kind === 'folder') {
      mkdirSync(path);
      for (const [name, entry] of state.names.get(node) ?? []) make(entry, join(path, name));
    } else if (node.kind === 'link') symlinkSync(node.target, path);
    else if (present !== undefined) linkSync(present, path);
    else writeFileSync(path, state.content.get(node) ?? '', { mode: node.executable ? 0o755 : 0o644 });
    places.set(node, path);
  };
  make(state.top, folder);
  const path = join(folder, control, '.transaction.json');
  const journal = lstatSync(path, { throwIfNoEntry: false }) && parseJournal(readFileSync(path, 'utf8'));
  if (journal === undefined) return;
  const placeOf = (number: string): string | undefined => places.get(known.get(number)?.node as Node);
  const moves = journal.moves.map((move) => {
    const old = move.replaces === null ? undefined : placeOf(move.replaces.inode);
    const staged = move.kind === 'put' ? placeOf(move.inode) : undefined;
    const standing = old === undefined ? undefined : standingAt(old);
    const { node, content } = known.get(move.replaces?.inode ?? '') ?? {};
    const same = node !== undefined && describe(state, node) === content;
    return {
      ...move,
      ...(move.kind === 'put' ? { inode: staged === undefined ? '0' : standingAt(staged)?.inode } : {}),
      replaces:
        move.replaces === null
          ? null
          : { inode: standing?.inode ?? '0', trace: standing && same ? traceOf(standing).trace : '0'.repeat(64) },
    };
  });
  const stagingPlace = placeOf(journal.staging);
  const staging = stagingPlace === undefined ? '0' : standingAt(stagingPlace)?.inode;
  writeFileSync(path, JSON.stringify({ ...journal, staging, moves }));
}
