import { quoted, SkillsError } from '@skillpack/core';
import { findNearMatches } from './nearly-matches.js';
import {
  applyChanges,
  lengthChanged,
  mostPlaces,
  planReplacement,
  type Replacement,
  type TextChange,
} from './replace-text.js';
import { showText, sourceOf, type ShownText } from './shown-text.js';
import { lineAt } from './text-lines.js';
import { tooLargeToWrite } from './told-file.js';

/** A text after an edit. */
export interface EditedText {
  readonly text: string;
  /** Places that were replaced. */
  readonly replaced: number;
}

/** What is edited. */
export interface EditedFile {
  readonly path: string;
  readonly source: string;
  /** Bytes that it may have afterwards. */
  readonly fileBytes: number;
}

const byteOrderMark = '\uFEFF';

/**
 * Replaces one text by another. What is looked through is what is told of the file: of its secrets nothing is found out,
 * nothing changed, and none is laid open. A byte order mark and line breaks stay as they are.
 *
 * @throws `TEXT_NOT_FOUND` with how often it is there, and else with what is nearly it; `INVALID_INPUT` for what changes
 * nothing; `FILE_PROTECTED` for what touches a secret; `FILE_TOO_LARGE`.
 */
export function editText(
  { path, source, fileBytes }: EditedFile,
  redact: (text: string) => string,
  replacement: Replacement,
): EditedText {
  const mark = source.startsWith(byteOrderMark) ? byteOrderMark : '';
  const shown = showText(source.slice(mark.length), redact);
  const sought = withoutMark(replacement);
  const plan = planReplacement(shown.text, sought);
  if (plan.kind === 'mismatch') throw notFound({ path, shown, places: plan.places }, sought);
  const changes = plan.changes.map((change) => changeOfSource(path, shown, change));
  const size = mark.length + lengthChanged(source.slice(mark.length), changes);
  // Before it is made: replaced everywhere, a text may come to more than there is memory for.
  if (size > fileBytes) throw tooLargeToWrite(path, size, fileBytes);
  const text = mark + applyChanges(source.slice(mark.length), changes);
  if (text === source) {
    throw new SkillsError('INVALID_INPUT', `That would change nothing in ${quoted(path)}.`, {
      hint: 'new_text is to be another text than old_text. Line breaks stay as they are: to change them, use write_file.',
    });
  }
  const secrets = shown.text !== source.slice(mark.length);
  // A secret may be told by what stands around it: without that it would be shown the next time.
  if (secrets && redact(text) !== redact(mark + applyChanges(shown.text, plan.changes))) throw touchesSecret(path);
  return { text, replaced: changes.length };
}

function changeOfSource(path: string, shown: ShownText, { start, end, text }: TextChange): TextChange {
  const source = sourceOf(shown, start, end);
  if (source === undefined) throw touchesSecret(path);
  return { start: source, end: source + end - start, text };
}

function withoutMark({ oldText, newText, all }: Replacement): Replacement {
  if (!oldText.startsWith(byteOrderMark) || oldText === byteOrderMark) return { oldText, newText, all };
  const rest = newText.startsWith(byteOrderMark) ? newText.slice(1) : newText;
  return { oldText: oldText.slice(1), newText: rest, all };
}

function touchesSecret(path: string): SkillsError {
  return new SkillsError(
    'FILE_PROTECTED',
    `The edit of ${quoted(path)} touches a secret, or what tells that it is one.`,
    {
      hint: 'Leave the marks [redacted:…] and what is close to them out of old_text, or ask the person to change it.',
      data: { path: path.slice(0, 1024) },
    },
  );
}

interface Mismatch {
  readonly path: string;
  readonly shown: ShownText;
  readonly places: readonly number[];
}

const shownPlaces = 10;

function notFound({ path, shown: { text }, places }: Mismatch, { oldText, all }: Replacement): SkillsError {
  const data = { path: path.slice(0, 1024), matches: places.length };
  if (places.length === 0) {
    const hint = `${nearOf(text, oldText)}Read the file, and give old_text as it stands there, without line numbers.`;
    return new SkillsError('TEXT_NOT_FOUND', `${quoted(path)} does not hold that text.`, { hint, data });
  }
  if (all) {
    const message = `${quoted(path)} holds that text at more than ${mostPlaces} places.`;
    return new SkillsError('TEXT_NOT_FOUND', message, { hint: 'Use write_file.', data });
  }
  const [many, further] =
    places.length > mostPlaces
      ? [`more than ${mostPlaces}`, '…']
      : [places.length, places.length > shownPlaces ? '…' : ''];
  const lines = places.slice(0, shownPlaces).map((place) => lineAt(text, place));
  return new SkillsError('TEXT_NOT_FOUND', `${quoted(path)} holds that text ${many} times, not once.`, {
    hint: `It begins on the lines ${lines.join(', ')}${further}. Give more of what is around it, or set replace_all.`,
    data: { ...data, lines },
  });
}

function nearOf(text: string, oldText: string): string {
  const near = findNearMatches(text, oldText).map(({ line, differs, text: found }) =>
    differs === undefined
      ? `Line ${line} is most like it: ${quoted(found)}.`
      : `On line ${line} stands what differs ${differs}: ${quoted(found)}.`,
  );
  if (/<U\+[0-9A-F]{4,6}>/u.test(oldText)) near.push('What is shown as <U+…> is a character that nobody can see.');
  return near.map((sentence) => `${sentence} `).join('');
}
