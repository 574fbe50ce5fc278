import type { ImportNote } from '@skillpack/evals';
import type { ExportedCases } from '../evals/export-cases.js';
import type { ImportedCases } from '../evals/import-cases.js';
import type { Reporter } from '../frame/reporter.js';
import { count } from './count.js';

/** The cases as a file of ours; where they were written to one, how many there are. */
export function renderImportedCases({ format, cases, out, text }: ImportedCases): string {
  return out === null ? text.trimEnd() : `${count(cases, 'case')} of the format ${format} stand in ${out} now.`;
}

/** The cases as a file of another tool; where they were written to one, how many there are. */
export function renderExportedCases({ format, cases, files, text }: ExportedCases): string {
  const [first] = files;
  return first === undefined ? text.trimEnd() : `${count(cases, 'case')} stand in ${first} now, as ${format}.`;
}

/** Tells what was not taken over, or not as it was: on stderr, since stdout may be the file itself. */
export function tellNotes(notes: readonly ImportNote[], reporter: Pick<Reporter, 'warn' | 'step'>): void {
  for (const { kind, at, message } of notes) {
    const line = `${kind}, ${at}: ${message}`;
    if (kind === 'dropped') reporter.warn(line);
    else reporter.step(line);
  }
}
