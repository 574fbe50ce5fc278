import { quoted, SkillsError, type JsonObject, type ToolDefinition, type ToolOutcome } from '@skillpack/core';
import * as z from 'zod/mini';
import { withHeldParent } from '../confine/held-parent.js';
import { makePath } from '../read/path-input.js';
import { putFile } from './put-file.js';
import { marksIn } from './shown-text.js';
import { readStored, type StoredFile } from './stored-file.js';
import { compareLines, countLines } from './text-lines.js';
import { bytesOf, checkExpected, counted, makeExpectedDigest, tellFile, type ToldFile } from './told-file.js';
import type { WritePorts } from './write-ports.js';

const inputSchema = z.strictObject({
  path: makePath('The file, relative to the workspace, or absolute.'),
  content: z.string().register(z.globalRegistry, { description: 'All of its text, as it is to be.' }),
  expected_digest: makeExpectedDigest(),
});

/** Writes a whole text file, new or in the place of one that is there. */
export function writeFileTool({ workspace, redact, guard, fileBytes }: WritePorts): ToolDefinition<typeof inputSchema> {
  return {
    name: 'write_file',
    description:
      'Writes a text file, new or in the place of the one that is there, with the folders that it needs. To change a part of a file, use edit_file.',
    input: inputSchema,
    risk: 'high',
    async run({ path, content, expected_digest: expected }, { signal }) {
      const bytes = bytesOf(content, path, fileBytes);
      const now = tellFile(bytes, redact);
      return withHeldParent({ folder: workspace, path }, { guard: guard(), make: true }, async (parent) => {
        const previous = readStored(parent, path, fileBytes);
        const before = previous?.bytes === undefined ? undefined : tellFile(previous.bytes, redact);
        checkExpected(path, { expected, actual: before?.digest });
        checkMarks(path, content, before);
        const same = previous?.bytes !== undefined && Buffer.compare(previous.bytes, bytes) === 0;
        if (!same) await putFile(parent, { path, bytes, previous, signal });
        return answerOf(path, now, { previous, before, same });
      });
    },
  };
}

/** A model that writes what it read would put a mark in the place of a secret. */
function checkMarks(path: string, content: string, before: ToldFile | undefined): void {
  if (before?.told === undefined || before.told === before.text) return;
  const [own, told, written] = [before.text ?? '', before.told, content].map(marksIn);
  const lost = [...(told ?? [])].find((mark) => written?.has(mark) && !own?.has(mark));
  if (lost === undefined) return;
  throw new SkillsError('INVALID_INPUT', `${quoted(path)} holds a secret, in whose place ${lost} would be written.`, {
    hint: 'Change what stands before or after it with edit_file, and leave the secret as it is.',
  });
}

interface Before {
  readonly previous: StoredFile | undefined;
  /** `undefined` where it is not read, too. */
  readonly before: ToldFile | undefined;
  /** Whether it held just that: also of what is not told of either. */
  readonly same: boolean;
}

function answerOf(path: string, now: ToldFile, { previous, before, same }: Before): ToolOutcome {
  const lines = countLines(now.told ?? '');
  const changes =
    before?.told === undefined || now.told === undefined ? undefined : compareLines(before.told, now.told);
  const output: JsonObject = {
    path,
    size: now.size,
    digest: now.digest,
    lines,
    created: previous === undefined,
    changed: !same,
    ...(changes === undefined
      ? {}
      : { first_changed_line: changes.first, removed_lines: changes.removed, added_lines: changes.added }),
    ...previousFacts(previous, before),
  };
  const size = `${counted(now.size, 'byte')} in ${counted(lines, 'line')}`;
  if (previous === undefined) return sentence(`Wrote the new file ${quoted(path)}: ${size}.`, output);
  if (same) return sentence(`${quoted(path)} holds just that: ${size}.`, output);
  const where = changes === undefined ? '' : `, other from line ${changes.first} on`;
  return sentence(`Replaced ${quoted(path)}: ${size}${where}.`, output, otherNames(previous));
}

/** An answer of one sentence, the same for everybody, and what only the model is told. */
export function sentence(contentForUser: string, output: JsonObject, further = ''): ToolOutcome {
  return { content: `${contentForUser}${further}`, contentForUser, output };
}

/** What a record keeps of the file that was there. */
export function previousFacts(previous: StoredFile | undefined, before: ToldFile | undefined): JsonObject {
  if (previous === undefined) return {};
  const { nlink } = previous.stats;
  return {
    previous_size: before?.size ?? Number(previous.stats.size),
    ...(before === undefined ? {} : { previous_digest: before.digest }),
    ...(nlink > 1n ? { other_names: Number(nlink) - 1 } : {}),
  };
}

/** A hard link is another name of the same file. */
export function otherNames({ stats: { nlink } }: StoredFile): string {
  if (nlink <= 1n) return '';
  return ` The file has ${counted(Number(nlink) - 1, 'other name')} (hard links), under which it stays as it was.`;
}
