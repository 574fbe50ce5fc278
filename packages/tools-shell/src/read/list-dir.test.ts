import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { visibleLines, type ToolResult } from '@skillpack/core';
import { expect, onTestFinished, test } from 'vitest';
import { createReadTools, type ReadToolsOptions } from './read-tools.js';

function makeWorkspace(options: Omit<ReadToolsOptions, 'workspace'> = {}) {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-list-')));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const tools = createReadTools({ clock: { now: () => 0 } }, { workspace, ...options });
  const run = async (name: string, input: object): Promise<ToolResult> => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    return tool.run(input, { signal: new AbortController().signal, id: '1' });
  };
  return { workspace, run };
}

test.skipIf(process.platform === 'win32')(
  'nothing that nobody can see stands in the names that are listed or found',
  async () => {
    const { workspace, run } = makeWorkspace();
    mkdirSync(join(workspace, 'd\u202E'));
    writeFileSync(join(workspace, 'd\u202E', 'a\u001B[2J\nb.txt'), 'needle');
    const listed = await run('list_dir', { depth: 2 });
    const found = await run('grep', { pattern: 'needle' });
    for (const { ok, content } of [listed, found]) {
      expect(ok).toBe(true);
      expect(content).toContain('d<U+202E>/a<U+001B>[2J b.txt');
      expect(visibleLines(content)).toBe(content);
    }
  },
);

test('a file of just as many bytes as are read is read, and one of one more is not', async () => {
  const { workspace, run } = makeWorkspace({ fileBytes: 100 });
  writeFileSync(join(workspace, 'just.txt'), 'x'.repeat(100));
  writeFileSync(join(workspace, 'more.txt'), 'x'.repeat(101));
  expect((await run('read_file', { path: 'just.txt' })).content).toContain('x'.repeat(100));
  expect(await run('read_file', { path: 'more.txt' })).toMatchObject({ ok: false, error: { code: 'FILE_TOO_LARGE' } });
});
