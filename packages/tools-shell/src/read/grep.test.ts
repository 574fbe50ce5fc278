import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineTool, type ToolResult } from '@skillpack/core';
import { expect, onTestFinished, test } from 'vitest';
import { grepTool, type GrepLimits } from './grep.js';
import { ReadFolders } from './read-folders.js';

const usual: GrepLimits = { matches: 10, answerLength: 1_000, fileBytes: 1_000, totalBytes: 1_000 };

/** What it finds in files with these texts. */
async function grep(
  texts: Readonly<Record<string, string>>,
  input: object,
  limits: Partial<GrepLimits> = {},
): Promise<ToolResult> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-grep-')));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(workspace, path), text);
  const definition = grepTool(
    { folders: new ReadFolders(workspace, () => []), redact: (text) => text },
    { ...usual, ...limits },
  );
  const tool = defineTool(definition, { clock: { now: () => 0 } });
  return tool.run(input, { signal: new AbortController().signal, id: '1' });
}

test('it ends once it has looked through more bytes than it may, and says so', async () => {
  const texts = { a: 'needle a', b: 'needle b', c: 'needle c' };
  const { content, output } = await grep(texts, { pattern: 'needle' }, { totalBytes: 15 });
  expect(output).toMatchObject({ matches: 2, files: 2, truncated: true });
  expect(content).toContain('[Cut here: more than 15 bytes were looked through.');
  const whole = await grep(texts, { pattern: 'needle' }, { totalBytes: 24 });
  expect(whole.output).toMatchObject({ matches: 3, files: 3, truncated: false });
});

test('what it says ends with a colon where lines follow, and with a full stop where none do', async () => {
  const one = await grep({ a: 'needle' }, { pattern: 'needle' });
  expect(one.content.split('\n')).toEqual([expect.stringMatching(/“needle” in 1 files:$/u), 'a:1: needle']);
  const none = await grep({ a: 'hay' }, { pattern: 'needle' });
  expect(none.content).toMatch(/“needle” in 1 files\.$/u);
});
