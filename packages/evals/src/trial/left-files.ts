import { comparePaths, SkillsError } from '@skillpack/core';
import type { EvalFile } from '../case/eval-case.js';
import type { LeftFile } from '../results/eval-result.js';
import type { EvalWorkspace } from './eval-ports.js';

const mostFiles = 200;

/** Files of a workspace that were not there at the start, or not so. */
export async function leftFiles(workspace: EvalWorkspace, given: readonly EvalFile[]): Promise<readonly LeftFile[]> {
  const before = new Map(given.map(({ path, bytes }) => [path, bytes]));
  const left: LeftFile[] = [];
  for (const { path, size } of [...(await workspace.files())].toSorted((a, b) => comparePaths(a.path, b.path))) {
    if (left.length === mostFiles) break;
    const bytes = before.get(path);
    if (bytes !== undefined && bytes.length === size && (await holds(workspace, path, bytes))) continue;
    left.push({ path, size });
  }
  return left;
}

async function holds(workspace: EvalWorkspace, path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    const found = await workspace.read(path, { maxBytes: bytes.length });
    return found.length === bytes.length && found.every((byte, at) => byte === bytes[at]);
  } catch (error) {
    // One that cannot be read any more is not what it was.
    if (SkillsError.is(error)) return false;
    throw error;
  }
}
