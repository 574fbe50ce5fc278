import { quoted, SkillsError, type ToolDefinition, type ToolOutcome } from '@skillpack/core';
import * as z from 'zod/mini';
import { withHeldParent } from '../confine/held-parent.js';
import { makePath } from '../read/path-input.js';
import { editText } from './edit-text.js';
import { putFile } from './put-file.js';
import { readStored, type StoredFile } from './stored-file.js';
import { compareLines, countLines } from './text-lines.js';
import { bytesOf, checkExpected, counted, makeExpectedDigest, tellFile, type ToldFile } from './told-file.js';
import { otherNames, previousFacts, sentence } from './write-file.js';
import type { WritePorts } from './write-ports.js';

const inputSchema = z.strictObject({
  path: makePath('The file, relative to the workspace, or absolute.'),
  old_text: z
    .string()
    .check(z.minLength(1))
    .register(z.globalRegistry, { description: 'What is replaced, as it stands there: it has to stand just once.' }),
  new_text: z.string().register(z.globalRegistry, { description: 'What comes in its place.' }),
  replace_all: z
    .optional(z.boolean())
    .register(z.globalRegistry, { description: 'Replaces it wherever it stands. Default: false.' }),
  expected_digest: makeExpectedDigest(),
});

/** Changes a part of a text file. */
export function editFileTool({ workspace, redact, guard, fileBytes }: WritePorts): ToolDefinition<typeof inputSchema> {
  return {
    name: 'edit_file',
    description:
      'Replaces a text in a file by another one. Give it exactly, with enough around it that it stands only once. Line breaks are kept.',
    input: inputSchema,
    risk: 'high',
    async run({ path, expected_digest: expected, ...input }, { signal }) {
      const replacement = { oldText: input.old_text, newText: input.new_text, all: input.replace_all ?? false };
      return withHeldParent({ folder: workspace, path }, { guard: guard(), make: false }, async (parent) => {
        const previous = readStored(parent, path, fileBytes);
        const { before, source } = readText(path, previous, { redact, fileBytes });
        checkExpected(path, { expected, actual: before.digest });
        const { text, replaced } = editText({ path, source, fileBytes }, redact, replacement);
        const bytes = bytesOf(text, path, fileBytes);
        await putFile(parent, { path, bytes, previous, signal });
        return answerOf(path, tellFile(bytes, redact), { previous, before, replaced });
      });
    },
  };
}

function readText(
  path: string,
  previous: StoredFile | undefined,
  { redact, fileBytes }: Pick<WritePorts, 'redact' | 'fileBytes'>,
): { readonly before: ToldFile; readonly source: string } {
  const data = { path: path.slice(0, 1024) };
  if (previous === undefined) {
    throw new SkillsError('FILE_NOT_FOUND', `There is no ${quoted(path)}.`, {
      hint: 'write_file makes a new file.',
      data,
    });
  }
  if (previous.bytes === undefined) {
    throw new SkillsError('FILE_TOO_LARGE', `${quoted(path)} has more than ${fileBytes} bytes.`, { data });
  }
  const before = tellFile(previous.bytes, redact);
  // What holds a NUL is no text to any editor.
  if (before.text !== undefined && !before.text.includes('\0')) return { before, source: before.text };
  throw new SkillsError('INVALID_INPUT', `${quoted(path)} is no UTF-8 text; only that is edited.`, { data });
}

interface Edit {
  readonly previous: StoredFile | undefined;
  readonly before: ToldFile;
  readonly replaced: number;
}

function answerOf(path: string, now: ToldFile, { previous, before, replaced }: Edit): ToolOutcome {
  const changes = compareLines(before.told ?? '', now.told ?? '');
  const lines = countLines(now.told ?? '');
  const output = {
    path,
    size: now.size,
    digest: now.digest,
    lines,
    replaced,
    ...(changes === undefined
      ? {}
      : { first_changed_line: changes.first, removed_lines: changes.removed, added_lines: changes.added }),
    ...previousFacts(previous, before),
  };
  const where = changes === undefined ? '' : ` from line ${changes.first} on`;
  const text = `Edited ${quoted(path)} at ${counted(replaced, 'place')}${where}; it has ${counted(lines, 'line')} now.`;
  return sentence(text, output, previous === undefined ? '' : otherNames(previous));
}
