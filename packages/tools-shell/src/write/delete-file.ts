import { unlinkSync } from 'node:fs';
import { checkAborted, quoted, SkillsError, type ToolDefinition } from '@skillpack/core';
import * as z from 'zod/mini';
import { notWritten } from '../confine/confined-error.js';
import { withHeldParent, type HeldParent } from '../confine/held-parent.js';
import { makePath } from '../read/path-input.js';
import { checkUnchanged, readStored, type StoredFile } from './stored-file.js';
import { checkExpected, counted, makeExpectedDigest, tellFile } from './told-file.js';
import { otherNames, previousFacts, sentence } from './write-file.js';
import type { WritePorts } from './write-ports.js';

const inputSchema = z.strictObject({
  path: makePath('The file, relative to the workspace, or absolute.'),
  expected_digest: makeExpectedDigest(),
});

/** Deletes one regular file: no folder, and no link. */
export function deleteFileTool({
  workspace,
  redact,
  guard,
  fileBytes,
}: WritePorts): ToolDefinition<typeof inputSchema> {
  return {
    name: 'delete_file',
    description: 'Deletes a file, for good. Folders are not deleted.',
    input: inputSchema,
    risk: 'high',
    async run({ path, expected_digest: expected }, { signal }) {
      return withHeldParent({ folder: workspace, path }, { guard: guard(), make: false }, async (parent) => {
        const previous = readStored(parent, path, fileBytes);
        if (previous === undefined) {
          throw new SkillsError('FILE_NOT_FOUND', `There is no ${quoted(path)}.`, {
            data: { path: path.slice(0, 1024) },
          });
        }
        const before = previous.bytes === undefined ? undefined : tellFile(previous.bytes, redact);
        checkExpected(path, { expected, actual: before?.digest });
        checkAborted(signal, 'The tool');
        remove(parent, previous, path);
        const facts = previousFacts(previous, before);
        const size = counted(Number(facts['previous_size']), 'byte');
        return sentence(`Deleted ${quoted(path)}, which had ${size}.`, { path, ...facts }, otherNames(previous));
      });
    },
  };
}

function remove(parent: HeldParent, previous: StoredFile, path: string): void {
  try {
    parent.confirm();
    checkUnchanged(parent, previous, path);
    unlinkSync(parent.place);
  } catch (error) {
    throw notWritten(error, path);
  }
}
