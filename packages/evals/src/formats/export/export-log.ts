import type { EvalCase } from '../../case/eval-case.js';
import type { ImportNote } from '../imported-suite.js';

/** The notes on what a format cannot say, of one suite. */
export class ExportLog {
  readonly notes: ImportNote[] = [];

  /** A note on a part of a case, by its path in it: `expected.output.0`. */
  tell(kind: ImportNote['kind'], { each, index, path }: CasePart, message: string): void {
    const at = path === '' ? `cases.${index}` : `cases.${index}.${path}`;
    this.notes.push({ case: each.id, at, kind, message });
  }

  /** A note on the file as a whole. */
  tellAll(kind: ImportNote['kind'], message: string): void {
    this.notes.push({ at: '', kind, message });
  }
}

/** A part of a case. */
export interface CasePart {
  readonly each: EvalCase;
  readonly index: number;
  /** Empty for the case as a whole. */
  readonly path: string;
}

/** Parts of a case that a format may or may not have a place for. */
export type CaseField =
  | 'title'
  | 'tags'
  | 'files'
  | 'offer'
  | 'limits'
  | 'trials'
  | 'script'
  | 'skills'
  | 'actions'
  | 'output';

/** Notes each of these fields of a case that says something. */
export function dropFields(
  log: ExportLog,
  { each, index }: Omit<CasePart, 'path'>,
  fields: readonly CaseField[],
): void {
  for (const field of fields) {
    const path = ['skills', 'actions', 'output'].includes(field) ? `expected.${field}` : field;
    if (says(each, field)) log.tell('dropped', { each, index, path }, `The format has no place for ${path}.`);
  }
}

function says({ title, tags, files, offer, limits, trials, script, expected }: EvalCase, field: CaseField): boolean {
  switch (field) {
    case 'title':
      return title !== undefined;
    case 'tags':
      return tags.length > 0;
    case 'files':
      return files.length > 0;
    case 'offer':
      return offer.skills !== undefined || offer.distractors.length > 0 || offer.preload.length > 0;
    case 'limits':
      return Object.values(limits).some((limit) => limit !== undefined);
    case 'trials':
      return trials !== undefined;
    case 'script':
      return script !== undefined;
    case 'skills':
      return expected.skills !== undefined;
    case 'actions':
      return expected.actions.length > 0;
    case 'output':
      return expected.output.length > 0;
  }
}
