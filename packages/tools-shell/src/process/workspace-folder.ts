import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';

/** @throws `USAGE` for a workspace that is not absolute. */
export function expectWorkspace(workspace: string): void {
  if (isAbsolute(workspace)) return;
  throw new SkillsError('USAGE', `The workspace ${quoted(workspace)} is not an absolute path.`, {
    hint: 'Resolve it against the folder it is relative to.',
  });
}

/** The workspace without a link in it. @throws `FILE_NOT_FOUND` for what is no folder. */
export function workspaceFolder(workspace: string): string {
  if (statSync(workspace, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync(workspace);
  throw new SkillsError('FILE_NOT_FOUND', `The workspace ${quoted(workspace)} is no folder.`, {
    data: { path: workspace },
  });
}
