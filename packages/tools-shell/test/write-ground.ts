import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ToolResult } from '@skillpack/core';
import { expect, onTestFinished } from 'vitest';
import { createWriteTools, type WriteToolsOptions, type WriteToolsPorts } from '../src/write/write-tools.js';

const never = new AbortController().signal;

/** Calls a tool that writes, by its name. */
export type CallTool = (name: string, input: unknown, signal?: AbortSignal) => Promise<ToolResult>;

/** Calls the tools that write in a workspace. */
export function writeToolsIn(
  workspace: string,
  {
    clock = { now: () => 0 },
    redact,
    ...options
  }: Omit<WriteToolsOptions, 'workspace'> & Partial<WriteToolsPorts> = {},
): CallTool {
  const tools = createWriteTools({ clock, redact }, { workspace, ...options });
  return async (name, input, signal = never) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    return tool.run(input, { signal, id: '1' });
  };
}

/** A folder with a workspace in it that has these files, and the tools that write in the workspace. */
export function makeWorkspace(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: Parameters<typeof writeToolsIn>[1] = {},
) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-write-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  const read = (path: string): string => readFileSync(join(workspace, path), 'utf8');
  return { folder, workspace, read, run: writeToolsIn(workspace, options) };
}

export function expectFailure(result: ToolResult, code: string): void {
  expect(result, result.content).toMatchObject({ ok: false, error: { code } });
  expect(result.content).toContain(result.error?.message);
}

/** Everything in a folder, by path: kind, rights, names and content, so that any change shows. No link is followed. */
export function treeOf(folder: string, except?: string): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {};
  const add = (place: string): void => {
    for (const name of readdirSync(join(folder, place)).toSorted()) {
      const [below, path] = [join(place, name), join(folder, place, name)];
      if (path === except) continue;
      const stats = lstatSync(path);
      const facts = [stats.mode.toString(8), stats.isDirectory() ? '' : `${stats.nlink} ${stats.ino}`];
      if (stats.isFile()) facts.push(createHash('sha256').update(readFileSync(path)).digest('hex'));
      if (stats.isSymbolicLink()) facts.push(readlinkSync(path));
      tree[below] = facts.join(' ');
      if (stats.isDirectory()) add(below);
    }
  };
  add('');
  return tree;
}

/** What tools that write left of their own. */
export function leftIn(folder: string): readonly string[] {
  return Object.keys(treeOf(folder)).filter((path) => path.includes('.skillpack-write-'));
}
