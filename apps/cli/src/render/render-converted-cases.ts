import type { ImportNote } from '@skillpack/evals';
import type { ExportedCases } from '../evals/export-cases.js';
import type { ImportedCases } from '../evals/import-cases.js';
import type { Reporter } from '../frame/reporter.js';
import { count } from './count.js';

/** The cases as a file of ours; where they were written to one, how many there are. */
export function renderImportedCases({ format, cases, out, files, text }: ImportedCases): string {
  if (out === null) return text.trimEnd();
  const beside = files.length === 0 ? '' : ` Beside it: ${count(files.length, 'file')} of them.`;
  return `${count(cases, 'case')} of the format ${format} ${stand(cases)} in ${out} now.${beside}`;
}

/** The cases as a file of another tool; where they were written to one, how many there are. */
export function renderExportedCases({ format, cases, dropped, files, text }: ExportedCases): string {
  const [first] = files;
  if (first === undefined) return text.trimEnd();
  const left = dropped === 0 ? '' : ` ${count(dropped, 'case')} could not be written so.`;
  return `${count(cases, 'case')} ${stand(cases)} in ${first} now, as ${format}.${left}`;
}

function stand(cases: number): string {
  return cases === 1 ? 'stands' : 'stand';
}

/** Tells what was not taken over, or not as it was: on stderr, since stdout may be the file itself. */
export function tellNotes(notes: readonly ImportNote[], reporter: Pick<Reporter, 'warn' | 'step'>): void {
  for (const { kind, at, message } of notes) {
    const line = `${kind}, ${at}: ${message}`;
    if (kind === 'dropped') reporter.warn(line);
    else reporter.step(line);
  }
}
