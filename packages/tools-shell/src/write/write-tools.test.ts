import { hash } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor, type JsonObject } from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import { expectFailure, makeWorkspace, treeOf } from '../../test/write-ground.js';
import { createReadTools } from '../read/read-tools.js';
import { createWriteTools } from './write-tools.js';

const windows = process.platform === 'win32';
const clock = { now: () => 0 };
const digestOf = (bytes: string | Uint8Array): string => `sha256:${hash('sha256', bytes, 'hex')}`;

describe('every tool that writes', () => {
  test('is of high risk, and tells its input as JSON Schema', () => {
    const tools = createWriteTools({ clock }, { workspace: '/' });
    expect(tools.map(({ name, risk }) => [name, risk])).toEqual([
      ['write_file', 'high'],
      ['edit_file', 'high'],
      ['delete_file', 'high'],
    ]);
    expect(tools.map(({ inputSchema }) => inputSchema['required'])).toEqual([
      ['path', 'content'],
      ['path', 'old_text', 'new_text'],
      ['path'],
    ]);
    for (const { inputSchema } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      // Cast: of a schema of an object.
      const properties = Object.values(inputSchema['properties'] as JsonObject) as JsonObject[];
      expect(properties.filter(({ description }) => typeof description !== 'string')).toEqual([]);
    }
  });

  test.each(['write_file', 'edit_file', 'delete_file'])(
    '%s says before anybody is asked that a path leads out of the workspace, or to a place that is kept',
    (name) => {
      const { folder, workspace } = makeWorkspace({ 'notes.txt': 'text', 'key-abc': '' });
      const redact = (text: string): string => text.replaceAll('key-abc', '[key]');
      const options = { workspace, protectedPaths: ['key-abc'] };
      const tool = createWriteTools({ clock, redact }, options).find((one) => one.name === name);
      const rest = { write_file: { content: '' }, edit_file: { old_text: 'text', new_text: 'a' }, delete_file: {} };
      // Cast: the names are those of the tests.
      const judge = (path: string) => () => tool?.check?.({ path, ...rest[name as keyof typeof rest] });
      for (const path of ['../outside.txt', join(folder, 'outside.txt'), '/etc/passwd', 'a/../../outside.txt']) {
        expect(judge(path), path).toThrow(expect.objectContaining({ code: 'PATH_TRAVERSAL_BLOCKED' }));
      }
      expect(judge('.git/hooks/post-commit')).toThrow(expect.objectContaining({ code: 'FILE_PROTECTED' }));
      expect(judge('key-abc')).toThrow(
        expect.objectContaining({ code: 'FILE_PROTECTED', message: expect.not.stringContaining('key-abc') }),
      );
      expect(judge('.')).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
      expect(judge('notes.txt')).not.toThrow();
      expect(judge('new/folder/notes.txt')).not.toThrow();
      expect(existsSync(join(workspace, 'new'))).toBe(false);
    },
  );

  test('tells when it began and ended, by the clock it is given', async () => {
    let now = 1_000;
    const { run } = makeWorkspace({}, { clock: { now: () => (now += 5) } });
    const times = { started: 1_005, ended: 1_010, duration: 5 };
    expect(await run('write_file', { path: 'a', content: 'a' })).toMatchObject({ ok: true, ...times });
  });

  test.each([
    ['write_file', undefined],
    ['write_file', { path: 'a' }],
    ['write_file', { path: 'a', content: 1 }],
    ['write_file', { path: 'a', content: '', mode: 0o777 }],
    ['write_file', { path: 'a', content: '\uD800' }],
    ['write_file', { path: '\uD800', content: '' }],
    ['write_file', { path: 'a', content: '', expected_digest: 'abc' }],
    ['write_file', { path: '', content: '' }],
    ['write_file', { path: '.', content: '' }],
    ['write_file', { path: 'folder', content: '' }],
    ['write_file', { path: 'file/below', content: '' }],
    ['write_file', { path: 'file/below/it', content: '' }],
    ['write_file', { path: 'new\u202Ename', content: '' }],
    ['write_file', { path: 'new\nfolder/name', content: '' }],
    ['write_file', { path: Array.from({ length: 200 }, () => 'd').join('/'), content: '' }],
    ['edit_file', { path: 'file', old_text: '', new_text: 'a' }],
    ['edit_file', { path: 'file', old_text: 'text', new_text: 'text' }],
    ['edit_file', { path: 'file', old_text: 'text', new_text: '\uDC00' }],
    ['edit_file', { path: 'folder', old_text: 'text', new_text: 'a' }],
    ['delete_file', {}],
    ['delete_file', { path: '.' }],
    ['delete_file', { path: 'folder' }],
    ['delete_file', { path: 'folder/' }],
  ])('%s is told what is wrong with the input %.60j, and nothing is changed', async (name, input) => {
    const { run, folder } = makeWorkspace({ file: 'text', 'folder/inner': '' });
    const before = treeOf(folder);
    expectFailure(await run(name, input), 'INVALID_INPUT');
    expect(treeOf(folder)).toEqual(before);
  });

  test('a file that is not there is neither edited nor deleted, and no folder is made for it', async () => {
    const { run, workspace } = makeWorkspace();
    expectFailure(await run('edit_file', { path: 'new/a', old_text: 'a', new_text: 'b' }), 'FILE_NOT_FOUND');
    expectFailure(await run('delete_file', { path: 'new/a' }), 'FILE_NOT_FOUND');
    expectFailure(await run('delete_file', { path: 'a' }), 'FILE_NOT_FOUND');
    expect(treeOf(workspace)).toEqual({});
  });

  test('AGIO-21: an aborted signal ends it with INTERRUPTED, and nothing is changed', async () => {
    const { run, folder } = makeWorkspace({ a: 'text' });
    const before = treeOf(folder);
    for (const [name, input] of [
      ['write_file', { path: 'new/a', content: 'other' }],
      ['edit_file', { path: 'a', old_text: 'text', new_text: 'other' }],
      ['delete_file', { path: 'a' }],
    ] as const) {
      await expect(run(name, input, AbortSignal.abort())).rejects.toMatchObject({ code: 'INTERRUPTED' });
    }
    const controller = new AbortController();
    const writing = run('write_file', { path: 'new/a', content: 'x'.repeat(1_000_000) }, controller.signal);
    controller.abort();
    await expect(writing).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect(treeOf(folder)).toEqual(before);
  });

  test.each([
    { workspace: 'relative' },
    { home: 'relative' },
    { fileBytes: 0 },
    { fileBytes: 1.5 },
    { fileBytes: Infinity },
    { protectedPaths: ['/absolute'] },
    { protectedPaths: ['a/../b'] },
    { protectedPaths: [''] },
  ])('%j is a mistake of the caller', (options) => {
    const make = () => createWriteTools({ clock }, { workspace: '/', ...options });
    expect(make).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  test('is redacted where a secret stands in a path', async () => {
    const secret = 'Zq8-VALUE-9x7w6v5u4t3s';
    const { run, read } = makeWorkspace({}, { redact: createRedactor({ values: [secret] }) });
    const written = await run('write_file', { path: `${secret}.txt`, content: secret });
    const missing = await run('delete_file', { path: `${secret}.md` });
    expect(written.ok).toBe(true);
    expect(JSON.stringify([written, missing])).not.toContain(secret);
    // What is written is written as it is.
    expect(read(`${secret}.txt`)).toBe(secret);
  });
});

describe('write_file', () => {
  test('SAA-26: a new file is written below the workspace, with the folders that it needs', async () => {
    const { run, read, workspace } = makeWorkspace();
    const content = 'eins\nzwei\n';
    expect(await run('write_file', { path: 'src/deep/a.txt', content })).toMatchObject({
      ok: true,
      content: 'Wrote the new file “src/deep/a.txt”: 10 bytes in 2 lines.',
      contentForUser: 'Wrote the new file “src/deep/a.txt”: 10 bytes in 2 lines.',
      output: { path: 'src/deep/a.txt', size: 10, digest: digestOf(content), lines: 2, created: true, changed: true },
    });
    expect(read('src/deep/a.txt')).toBe(content);
    expect((await run('write_file', { path: join(workspace, 'b.txt'), content: '' })).ok).toBe(true);
    expect(Object.keys(treeOf(workspace)).toSorted()).toEqual(['b.txt', 'src', 'src/deep', 'src/deep/a.txt']);
    // As a file that anybody else makes.
    writeFileSync(join(workspace, 'c.txt'), '');
    expect(statSync(join(workspace, 'b.txt')).mode).toBe(statSync(join(workspace, 'c.txt')).mode);
  });

  test('a file is replaced, and the answer says what was there', async () => {
    const { run, read } = makeWorkspace({ 'a.txt': 'one\ntwo\nthree\n' });
    expect(await run('write_file', { path: 'a.txt', content: 'one\n2\n2.5\nthree\n' })).toMatchObject({
      ok: true,
      contentForUser: 'Replaced “a.txt”: 16 bytes in 4 lines, other from line 2 on.',
      output: {
        created: false,
        changed: true,
        first_changed_line: 2,
        removed_lines: 1,
        added_lines: 2,
        previous_size: 14,
        previous_digest: digestOf('one\ntwo\nthree\n'),
      },
    });
    expect(read('a.txt')).toBe('one\n2\n2.5\nthree\n');
  });

  test('what is there already is not written again', async () => {
    const { run, workspace } = makeWorkspace({ 'a.txt': 'same' });
    const before = treeOf(workspace);
    expect(await run('write_file', { path: 'a.txt', content: 'same' })).toMatchObject({
      ok: true,
      output: { changed: false, created: false, previous_digest: digestOf('same') },
    });
    expect(treeOf(workspace)).toEqual(before);
  });

  test('bytes that are no text are replaced, too, and told by their digest', async () => {
    const bytes = new Uint8Array([0xff, 0xfe, 0, 1]);
    const { run, read } = makeWorkspace({ a: bytes });
    const { output } = await run('write_file', { path: 'a', content: 'text' });
    expect(output).toMatchObject({ previous_size: 4, previous_digest: digestOf(bytes) });
    expect(output).not.toHaveProperty('first_changed_line');
    expect(read('a')).toBe('text');
  });

  test('just as many bytes as may be are written, and not one more', async () => {
    const { run, read, workspace } = makeWorkspace({ large: 'x'.repeat(1_000) }, { fileBytes: 100 });
    expect((await run('write_file', { path: 'just', content: `${'x'.repeat(98)}é` })).ok).toBe(true);
    expectFailure(await run('write_file', { path: 'new/more', content: `${'x'.repeat(99)}é` }), 'FILE_TOO_LARGE');
    expect(existsSync(join(workspace, 'new'))).toBe(false);
    const { output } = await run('write_file', { path: 'large', content: 'small' });
    expect(output).toMatchObject({ previous_size: 1_000, changed: true });
    expect(output).not.toHaveProperty('previous_digest');
    expect(read('large')).toBe('small');
  });

  test('a large file is written whole', async () => {
    const { run, workspace } = makeWorkspace();
    const content = 'line of text\n'.repeat(600_000);
    expect((await run('write_file', { path: 'a', content })).output).toMatchObject({ size: 7_800_000, lines: 600_000 });
    expect(readFileSync(join(workspace, 'a'), 'utf8') === content).toBe(true);
  });

  test.skipIf(windows)('keeps the rights of a file, but for those to run as its owner', async () => {
    const { run, workspace } = makeWorkspace({ tool: 'a', shared: 'a', private: 'a' });
    for (const [path, mode, left] of [
      ['tool', 0o4755, 0o755],
      ['shared', 0o666, 0o666],
      ['private', 0o600, 0o600],
    ] as const) {
      chmodSync(join(workspace, path), mode);
      expect((await run('write_file', { path, content: 'b' })).ok).toBe(true);
      expect(statSync(join(workspace, path)).mode & 0o7777, path).toBe(left);
    }
  });

  test('is done only where the file is the one that was read', async () => {
    const { run, read } = makeWorkspace({ a: 'one' });
    const stale = { path: 'a', content: 'two', expected_digest: digestOf('zero') };
    expectFailure(await run('write_file', stale), 'FILE_CHANGED');
    expectFailure(await run('delete_file', { path: 'a', expected_digest: digestOf('zero') }), 'FILE_CHANGED');
    expectFailure(await run('write_file', { ...stale, path: 'new/b' }), 'FILE_CHANGED');
    expect(read('a')).toBe('one');
    expect((await run('write_file', { ...stale, expected_digest: digestOf('one') })).ok).toBe(true);
    expect(read('a')).toBe('two');
  });

  test('the digest that it expects is the one that read_file tells', async () => {
    const redact = createRedactor({ values: ['Zq8-VALUE-9x7w6v5u4t3s'] });
    const { run, workspace } = makeWorkspace({ a: '\uFEFFkey=Zq8-VALUE-9x7w6v5u4t3s\r\nend' }, { redact });
    const [reader] = createReadTools({ clock, redact }, { workspace });
    const read = await reader!.run({ path: 'a' }, { signal: new AbortController().signal, id: '1' });
    const digest = read.output['digest'];
    expect((await run('edit_file', { path: 'a', old_text: 'end', new_text: 'END', expected_digest: digest })).ok).toBe(
      true,
    );
    expectFailure(await run('delete_file', { path: 'a', expected_digest: digest }), 'FILE_CHANGED');
  });

  test('a file whose secret is replaced by another one was changed, and that is told', async () => {
    const values = ['Zq8-VALUE-9x7w6v5u4t3s', 'Zq8-OTHER-9x7w6v5u4t3s'];
    const { run, read } = makeWorkspace({ a: `key=${values[0]}` }, { redact: createRedactor({ values }) });
    const { content, output } = await run('write_file', { path: 'a', content: `key=${values[1]}` });
    expect(read('a')).toBe(`key=${values[1]}`);
    expect(output).toMatchObject({ changed: true, created: false });
    expect(content).toMatch(/^Replaced “a”: /u);
    expect(await run('write_file', { path: 'a', content: `key=${values[1]}` })).toMatchObject({
      output: { changed: false },
    });
  });

  test('a mark is not written in the place of the secret that it stands for', async () => {
    const secret = 'Zq8-VALUE-9x7w6v5u4t3s';
    const redact = createRedactor({ values: [secret] });
    const { run, read } = makeWorkspace({ '.env': `A=${secret}\nB=1\n`, 'notes.md': '[redacted:value]' }, { redact });
    expectFailure(await run('write_file', { path: '.env', content: 'A=[redacted:value]\nB=2\n' }), 'INVALID_INPUT');
    expect(read('.env')).toContain(secret);
    expect((await run('write_file', { path: 'notes.md', content: 'a [redacted:value]' })).ok).toBe(true);
    const { content, output } = await run('write_file', { path: '.env', content: 'B=2\n' });
    expect(content + JSON.stringify(output)).not.toContain(digestOf(`A=${secret}\nB=1\n`));
    expect(output).toMatchObject({ previous_digest: digestOf('A=[redacted:value]\nB=1\n') });
  });

  test('names of two Unicode forms are two files where the system has it so, and each is written as it is named', async () => {
    const { run, workspace } = makeWorkspace();
    const [composed, decomposed] = ['\u00E9.txt', 'e\u0301.txt'];
    for (const path of [composed, decomposed]) expect((await run('write_file', { path, content: path })).ok).toBe(true);
    expect(readFileSync(join(workspace, decomposed), 'utf8')).toBe(decomposed);
    if (process.platform === 'linux') expect(readFileSync(join(workspace, composed), 'utf8')).toBe(composed);
  });
});

describe('delete_file', () => {
  test('one file goes, its folder and its other names stay', async () => {
    const { run, workspace, folder } = makeWorkspace({ 'a/b.txt': 'text' });
    linkSync(join(workspace, 'a/b.txt'), join(folder, 'outside'));
    expect(await run('delete_file', { path: 'a/b.txt' })).toMatchObject({
      ok: true,
      content: expect.stringContaining('1 other name (hard links), under which it stays as it was'),
      contentForUser: 'Deleted “a/b.txt”, which had 4 bytes.',
      output: { path: 'a/b.txt', previous_size: 4, previous_digest: digestOf('text'), other_names: 1 },
    });
    expect(Object.keys(treeOf(workspace))).toEqual(['a']);
    expect(readFileSync(join(folder, 'outside'), 'utf8')).toBe('text');
  });

  test('an empty folder is no file', async () => {
    const { run, workspace } = makeWorkspace();
    mkdirSync(join(workspace, 'empty'));
    expectFailure(await run('delete_file', { path: 'empty' }), 'INVALID_INPUT');
    expect(existsSync(join(workspace, 'empty'))).toBe(true);
  });

  test('what is larger than what is read is deleted without its digest', async () => {
    const { run, workspace } = makeWorkspace({}, { fileBytes: 10 });
    writeFileSync(join(workspace, 'a'), 'x'.repeat(11));
    expect((await run('delete_file', { path: 'a' })).output).toEqual({ path: 'a', previous_size: 11 });
  });
});
