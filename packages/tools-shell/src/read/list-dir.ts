import { quoted, SkillsError, visibleText, type ToolDefinition } from '@skillpack/core';
import * as z from 'zod/mini';
import { holdEntry, isHeldAt } from '../confine/hold-entry.js';
import { makePath } from './path-input.js';
import type { ReadPorts } from './read-ports.js';
import { findFolder, walkFolder, type WalkedEntry } from './walk-folder.js';

const deepest = 8;

const inputSchema = z.strictObject({
  path: z._default(makePath('The folder, relative to the workspace, or absolute.'), '.'),
  depth: z
    ._default(z.int().check(z.positive(), z.maximum(deepest)), 1)
    .register(z.globalRegistry, { description: 'How many levels of folders are listed.' }),
});

/** How much is listed. */
export interface ListDirLimits {
  readonly entries: number;
  /** UTF-16 code units of an answer. */
  readonly answerLength: number;
}

const signs = { file: '', folder: '/', link: ' (a link, not followed)', other: ' (no regular file)' } as const;

/** Lists what is in a folder. */
export function listDirTool({ folders, redact }: ReadPorts, limits: ListDirLimits): ToolDefinition<typeof inputSchema> {
  return {
    name: 'list_dir',
    description:
      'Lists the files and folders in a folder: paths below it, folders with a final “/”, files with their size.',
    input: inputSchema,
    risk: 'low',
    async run({ path, depth }, { signal }) {
      const folder = findFolder(folders.folderOf(path), path);
      if (folder === undefined) throw new SkillsError('INVALID_INPUT', `${quoted(path)} is no folder.`);
      const lines: string[] = [];
      let more = false;
      let length = 0;
      for await (const entry of walkFolder(folder.path, { depth, signal })) {
        const line = lineOf(entry, redact);
        length += line.length + 1;
        more = lines.length === limits.entries || length > limits.answerLength;
        if (more) break;
        lines.push(line);
      }
      const what = `${quoted(path)} holds ${more ? `more than ${lines.length}` : lines.length} entries`;
      const cut = more ? '\n[Cut here. List one of the folders, or fewer levels.]' : '';
      return {
        content: lines.length === 0 ? `${quoted(path)} is empty.` : `${what}:\n${lines.join('\n')}${cut}`,
        contentForUser: `${what}.`,
        output: { path, entries: lines.length, truncated: more },
      };
    },
  };
}

function lineOf({ kind, path, place }: WalkedEntry, redact: ReadPorts['redact']): string {
  const size = kind === 'file' ? sizeOf(path) : undefined;
  return `${visibleText(redact(place))}${signs[kind]}${size === undefined ? '' : ` (${size} bytes)`}`;
}

function sizeOf(path: string): number | undefined {
  try {
    using held = holdEntry(path);
    // Else a folder on the way became a link, and this is the size of something elsewhere.
    return isHeldAt(held, path) ? Number(held.stats.size) : undefined;
  } catch {
    // It is gone.
    return undefined;
  }
}
