import { quoted } from '@skillpack/core';
import { isCaseId } from '../case/case-id.js';
import type { ForeignValue } from './foreign-value.js';
import type { ImportNotes } from './import-notes.js';

const longest = 100;

/** Gives each case of a suite an id of its own. */
export class CaseIds {
  readonly #used = new Set<string>();
  readonly #notes: ImportNotes;

  constructor(notes: ImportNotes) {
    this.#notes = notes;
  }

  /** The id that a file says, in the letters that ids have. */
  given(value: ForeignValue): string | undefined {
    const said = value.text();
    if (said === undefined || said.trim() === '') return undefined;
    const written = lettersOf(said);
    const id = this.#free(isCaseId(written) ? written : `case-${hashOf(said)}`);
    if (id !== said)
      this.#notes.change(
        value,
        `The id ${quoted(said, longest)} is ${id} here: ids are letters, digits, “.”, “_” and “-”, and each is there once.`,
      );
    return id;
  }

  /** An id by what a person says: the same one wherever the case stands in its file. */
  made(text: string): string {
    const words = text.toLowerCase().match(/[a-z0-9]+/gu) ?? [];
    const slug = words.slice(0, 7).join('-').slice(0, 60).replace(/-$/u, '');
    return this.#free(slug.length < 3 || !isCaseId(slug) ? `case-${hashOf(text)}` : slug);
  }

  #free(wanted: string): string {
    let id = wanted;
    for (let count = 2; this.#used.has(id.toLowerCase()); count += 1) id = `${wanted.slice(0, longest - 8)}-${count}`;
    // Files of a run are named by it, also on disks that know no capitals.
    this.#used.add(id.toLowerCase());
    return id;
  }
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/gu, '-')
    .slice(0, longest)
    .replaceAll(/^[-._]+|[-.]+$/gu, '');
}

/** FNV-1a over the code units: for a name, not against anybody. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
