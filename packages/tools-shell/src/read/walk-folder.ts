import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkAborted } from '@skillpack/core';
import { findConfined, type ConfinedEntry } from '../confine/confined-entry.js';
import { readConfinedFolder } from '../confine/read-confined-folder.js';

/** Something in a folder. */
export interface WalkedEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Absolute. */
  readonly path: string;
  /** Below the folder where the walk began, with `/`. */
  readonly place: string;
  /** 1 for what lies in that folder itself. */
  readonly depth: number;
}

/** How far a walk goes. */
export interface WalkOptions {
  /** Folders below one another. */
  readonly depth: number;
  readonly signal: AbortSignal;
}

const entriesPerTurn = 256;
/** What is made by programs, and drowns everything else. */
const passedOver: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * Everything below a folder, by name, each folder before what is in it. Links are told and not followed; `.git` and
 * `node_modules` are told and not entered. Others run meanwhile.
 *
 * @throws `INTERRUPTED`.
 */
export async function* walkFolder(folder: string, options: WalkOptions): AsyncGenerator<WalkedEntry> {
  const open = [{ path: folder, place: '', depth: 1 }];
  let seen = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const below: typeof open = [];
    for (const entry of readConfinedFolder(next)) {
      seen += 1;
      if (seen % entriesPerTurn === 0) await nextTurn();
      checkAborted(options.signal, 'Looking through a folder');
      const place = next.place === '' ? entry.name : `${next.place}/${entry.name}`;
      const walked = { kind: kindOf(entry), path: join(next.path, entry.name), place, depth: next.depth };
      yield walked;
      if (walked.kind === 'folder' && next.depth < options.depth && !passedOver.has(entry.name)) {
        below.push({ path: walked.path, place, depth: next.depth + 1 });
      }
    }
    // One by one: there may be more folders than a call takes arguments.
    for (const folderBelow of below.toReversed()) open.push(folderBelow);
  }
}

/** The folder at a path, to be walked. */
export function findFolder(folder: string, path: string): ConfinedEntry | undefined {
  const found = findConfined(folder, path);
  return found.stats.isDirectory() ? found : undefined;
}

function kindOf(entry: Dirent): WalkedEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
