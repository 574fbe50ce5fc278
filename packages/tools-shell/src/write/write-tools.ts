import { isAbsolute } from 'node:path';
import {
  defineTool,
  quoted,
  SkillsError,
  type Clock,
  type Tool,
  type ToolResult,
  expectOptions,
} from '@skillpack/core';
import { checkPlace, type PlaceGuard } from '../confine/held-parent.js';
import { expectTexts } from '../expect-texts.js';
import { expectWholeNumber } from '../expect-whole-number.js';
import { homeFolders } from '../sandbox/hidden-places.js';
import { deleteFileTool } from './delete-file.js';
import { editFileTool } from './edit-file.js';
import { pinRoot } from './pinned-root.js';
import { ProtectedPlaces } from './protected-places.js';
import { writeFileTool } from './write-file.js';
import type { WritePorts } from './write-ports.js';

/** What tools that write take from their surroundings. */
export interface WriteToolsPorts {
  readonly clock: Pick<Clock, 'now'>;
  /**
   * Takes secrets out of what is told: `createRedactor`, the same that the agent and the tools that read have. What is
   * written is written as it is; an edit finds, changes and lays open no secret. @default nothing is taken out
   */
  readonly redact?: ((text: string) => string) | undefined;
}

/** What may be written, and how much. */
export interface WriteToolsOptions {
  /** The folder that is written to, by an absolute path; relative paths are below it. */
  readonly workspace: string;
  /**
   * What is not written either, beside what programs run or take permissions from (`.git`, `.agents`, `.vscode`,
   * `.envrc` and others): a name, in whatever folder, or with `/` a path below the workspace. @default []
   */
  readonly protectedPaths?: readonly string[] | undefined;
  /**
   * Files and folders that are not written, by absolute paths: those of activated skills, and of the runs. Asked for each
   * time. @default none
   */
  readonly protected?: (() => readonly string[]) | undefined;
  /** Whose dot-files are not written where it is in the workspace, by an absolute path. @default that of the person */
  readonly home?: string | undefined;
  /** Bytes of a file that is written or edited; of a larger one that is replaced or deleted, no digest is told. @default 8 MiB */
  readonly fileBytes?: number | undefined;
}

const optionNames: Readonly<Record<keyof WriteToolsOptions, true>> = {
  workspace: true,
  protectedPaths: true,
  protected: true,
  home: true,
  fileBytes: true,
};

/**
 * Tools that write, `write_file`, `edit_file` and `delete_file`, within a workspace: no path leads out of it, by `..`,
 * by a link or by a race. All are of high risk. A file is put in place as a whole, or not at all; what is read-only, and
 * what programs run by themselves, is left alone. What a path tells is refused before anybody is asked; what goes wrong
 * afterwards is a result.
 *
 * @throws `USAGE` for an option that there is not, a workspace or home that is not absolute, a protected path that is none, and a limit that is no
 * whole number above 0.
 * @example
 * ```ts
 * const tools = createWriteTools({ clock: systemClock }, { workspace: process.cwd() });
 * ```
 */
export function createWriteTools(
  { clock, redact = unchanged }: WriteToolsPorts,
  options: WriteToolsOptions,
): readonly Tool[] {
  expectOptions(options, { of: 'createWriteTools', names: optionNames });
  expectTexts(options.protectedPaths, 'protectedPaths');
  const { workspace, fileBytes = 8 * 1024 * 1024, protectedPaths = [] } = options;
  expectWholeNumber(fileBytes, { name: 'fileBytes', least: 1, most: 256 * 1024 * 1024 });
  expectAbsolute('workspace', workspace);
  if (options.home !== undefined) expectAbsolute('home', options.home);
  const homes = options.home === undefined ? homeFolders() : [options.home];
  const places = new ProtectedPlaces({ protectedPaths, homes, protected: options.protected ?? (() => []) });
  const checkRoot = pinRoot(workspace);
  const guard = (): PlaceGuard => {
    const { judge, judgeEntry } = places.guard();
    const judgeBoth: PlaceGuard['judge'] = (path) => {
      checkRoot(path.root);
      judge(path);
    };
    return { judge: judgeBoth, judgeEntry };
  };
  const ports: WritePorts = { workspace, redact, fileBytes, guard };
  // What a path tells is said before anybody is asked: a yes for what is refused anyway would be asked for in vain.
  const check = ({ path }: { readonly path: string }): void => void checkPlace({ folder: workspace, path }, guard());
  return [
    defineTool({ ...writeFileTool(ports), check }, { clock }),
    defineTool({ ...editFileTool(ports), check }, { clock }),
    defineTool({ ...deleteFileTool(ports), check }, { clock }),
  ].map((tool) => ({
    ...tool,
    check: (input) => withRedactedError(() => tool.check?.(input), redact),
    run: async (input, context) => redactResult(await tool.run(input, context), redact),
  }));
}

function withRedactedError(work: () => void, redact: (text: string) => string): void {
  try {
    work();
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    const hint = error.hint === undefined ? undefined : redact(error.hint);
    throw new SkillsError(error.code, redact(error.message), { hint });
  }
}

/** Nor is a secret told that stands in a path. */
function redactResult(result: ToolResult, redact: (text: string) => string): ToolResult {
  const { content, contentForUser, error, output } = result;
  const { path } = output;
  return {
    ...result,
    content: redact(content),
    ...(contentForUser === undefined ? {} : { contentForUser: redact(contentForUser) }),
    ...(error === undefined ? {} : { error: { ...error, message: redact(error.message) } }),
    output: typeof path === 'string' ? { ...output, path: redact(path) } : output,
  };
}

function expectAbsolute(name: string, path: string): void {
  if (isAbsolute(path)) return;
  throw new SkillsError('USAGE', `The ${name} ${quoted(path)} is not an absolute path.`, {
    hint: 'Resolve it against the folder it is relative to.',
  });
}

function unchanged(text: string): string {
  return text;
}
