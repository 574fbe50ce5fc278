import { defineTool, type Clock, type Tool, expectOptions } from '@skillpack/core';
import { expectWholeNumber } from '../expect-whole-number.js';
import { grepTool } from './grep.js';
import { listDirTool } from './list-dir.js';
import { readFileTool } from './read-file.js';
import { ReadFolders } from './read-folders.js';

/** What tools that read take from their surroundings. */
export interface ReadToolsPorts {
  readonly clock: Pick<Clock, 'now'>;
  /**
   * Takes secrets out of the text of a file before lines are looked for in it or cut out of it, so that no part of one is
   * told: `createRedactor`, the same that the agent has. @default nothing is taken out
   */
  readonly redact?: ((text: string) => string) | undefined;
}

/** What may be read, and how much of it. */
export interface ReadToolsOptions {
  /** The folder that is read, by an absolute path; relative paths are below it. */
  readonly workspace: string;
  /** Further folders that may be read, by absolute paths: those of activated skills. Asked for each time. @default none */
  readonly folders?: (() => readonly string[]) | undefined;
  /** UTF-16 code units of an answer, but for what is said around it. @default 12000 */
  readonly answerLength?: number | undefined;
  /** Bytes of a file that is read at all. @default 8 MiB */
  readonly fileBytes?: number | undefined;
  /** Lines that `grep` shows. @default 100 */
  readonly matches?: number | undefined;
  /** Entries that `list_dir` shows. @default 500 */
  readonly entries?: number | undefined;
}

const optionNames: Readonly<Record<keyof ReadToolsOptions, true>> = {
  workspace: true,
  folders: true,
  answerLength: true,
  fileBytes: true,
  matches: true,
  entries: true,
};

/** Bytes that one `grep` looks through. */
const totalBytes = 256 * 1024 * 1024;

/**
 * Tools that only read, `read_file`, `list_dir` and `grep`, within a workspace: no path leads out of it, by `..`, by a
 * link or by a race. What goes wrong is a result. With `redact`, the lines that are counted, told and looked through are
 * those of the text without its secrets.
 *
 * @throws `USAGE` for an option that there is not, a workspace that is not absolute, and limits that are no whole numbers above 0.
 * @example
 * ```ts
 * const tools = createReadTools({ clock: systemClock }, { workspace: process.cwd() });
 * ```
 */
export function createReadTools(
  { clock, redact = unchanged }: ReadToolsPorts,
  options: ReadToolsOptions,
): readonly Tool[] {
  expectOptions(options, { of: 'createReadTools', names: optionNames });
  const { workspace, answerLength = 12_000, fileBytes = 8 * 1024 * 1024, matches = 100, entries = 500 } = options;
  for (const [name, value] of Object.entries({ answerLength, fileBytes, matches, entries })) {
    expectWholeNumber(value, { name, least: 1, most: 1024 ** 3 });
  }
  const folders = new ReadFolders(workspace, options.folders ?? (() => []));
  return [
    defineTool(readFileTool({ folders, redact }, { fileBytes, answerLength }), { clock }),
    defineTool(listDirTool({ folders, redact }, { entries, answerLength }), { clock }),
    defineTool(grepTool({ folders, redact }, { matches, answerLength, fileBytes, totalBytes }), { clock }),
  ];
}

function unchanged(text: string): string {
  return text;
}
