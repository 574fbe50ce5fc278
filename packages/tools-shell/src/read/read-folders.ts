import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { isBelow } from '../confine/confined-entry.js';

/** The folders that may be read: relative paths are below the workspace, absolute ones below any of them. */
export class ReadFolders {
  readonly #workspace: string;
  readonly #others: () => readonly string[];

  /** @throws `USAGE` for a workspace that is not absolute. */
  constructor(workspace: string, others: () => readonly string[]) {
    if (!isAbsolute(workspace)) {
      throw new SkillsError('USAGE', `The workspace ${quoted(workspace)} is not an absolute path.`, {
        hint: 'Resolve it against the folder it is relative to.',
      });
    }
    this.#workspace = workspace;
    this.#others = others;
  }

  /**
   * The folder that a path is confined to, of several the innermost: one that was named may be a link itself, within
   * another. The workspace, where it is below none of them.
   */
  folderOf(path: string): string {
    if (!isAbsolute(path)) return this.#workspace;
    const folders = [this.#workspace, ...this.#others().filter((folder) => isAbsolute(folder))];
    return (
      folders
        .toSorted((left, right) => right.length - left.length)
        .find((folder) => isBelow(folder, path) || isBelow(realPath(folder), path)) ?? this.#workspace
    );
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // Whoever reads from it is told.
    return folder;
  }
}
