import type { ErrorCode } from '../errors/codes.js';
import { SkillsError } from '../errors/skills-error.js';

/** How a document that version control may have written into is called. */
export interface MergedDocument {
  readonly path: string;
  readonly code: ErrorCode;
  readonly hint: string;
}

/**
 * Refuses a text with a line that `git merge` puts around what two branches changed; in JSON no such line can be.
 *
 * @throws `code`, with the line in the message and in `data.line`.
 */
export function refuseConflictMarkers(text: string, { path, code, hint }: MergedDocument): void {
  const marker = /(?:^|\n)(?:<{7}|={7}|>{7}|\|{7})(?:\s|$)/u.exec(text);
  if (marker === null) return;
  const line = text.slice(0, marker.index + 1).split('\n').length;
  throw new SkillsError(code, `${path} holds a merge-conflict marker in line ${line}.`, { hint, data: { path, line } });
}
