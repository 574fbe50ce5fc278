import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject, JsonValue, Tool, ToolResult } from '@skillpack/core';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createReadTools, type ReadToolsOptions, type ReadToolsPorts } from './read-tools.js';

const windows = process.platform === 'win32';

const systemTime = { now: () => Date.now() };

function makeWorkspace(
  files: Readonly<Record<string, string | Uint8Array>>,
  { clock = systemTime, redact, ...options }: Omit<ReadToolsOptions, 'workspace'> & Partial<ReadToolsPorts> = {},
) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-read-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  const tools = createReadTools({ clock, redact }, { workspace, ...options });
  const run = async (name: string, input: unknown, signal: AbortSignal = new AbortController().signal) =>
    toolOf(tools, name).run(input, { signal, id: '1' });
  return { folder, workspace, tools, run };
}

function toolOf(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

function expectFailure(result: ToolResult, code: string): void {
  expect(result).toMatchObject({ ok: false, error: { code } });
  expect(result.content).toContain(result.error?.message);
}

describe('every tool', () => {
  test('is of low risk, and tells its input as JSON Schema', () => {
    const { tools } = makeWorkspace({});
    expect(tools.map(({ name, risk }) => [name, risk])).toEqual([
      ['read_file', 'low'],
      ['list_dir', 'low'],
      ['grep', 'low'],
    ]);
    for (const { inputSchema } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      const properties = Object.values(inputSchema['properties'] as JsonObject) as JsonObject[];
      expect(properties.filter(({ description }) => typeof description !== 'string')).toEqual([]);
    }
    expect(toolOf(tools, 'list_dir').inputSchema['required']).toBeUndefined();
    expect(toolOf(tools, 'read_file').inputSchema['required']).toEqual(['path']);
  });

  test('tells when it began and ended, by the clock it is given', async () => {
    let now = 1_000;
    const { run } = makeWorkspace({ 'a.txt': 'a' }, { clock: { now: () => (now += 5) } });
    expect(await run('read_file', { path: 'a.txt' })).toMatchObject({
      ok: true,
      started: 1_005,
      ended: 1_010,
      duration: 5,
    });
    expect(await run('read_file', {})).toMatchObject({ ok: false, started: 1_015, ended: 1_020, duration: 5 });
  });

  test.each([
    ['read_file', undefined],
    ['read_file', 'a.txt'],
    ['read_file', {}],
    ['read_file', { path: 1 }],
    ['read_file', { path: 'a', start_line: 0 }],
    ['read_file', { path: 'a', start_line: 1.5 }],
    ['read_file', { path: 'a', start_line: 3, end_line: 2 }],
    ['read_file', { path: 'a', encoding: 'x' }],
    ['list_dir', { depth: 9 }],
    ['grep', { pattern: '' }],
    ['grep', { pattern: 'x'.repeat(2_000) }],
    ['grep', { pattern: '(', regex: true }],
  ])('%s is told what is wrong with the input %.40j', async (name, input) => {
    const { run } = makeWorkspace({ a: '' });
    expectFailure(await run(name, input), 'INVALID_INPUT');
  });

  test('AGIO-21: an aborted signal ends it with INTERRUPTED, while it works too', async () => {
    const files = Array.from({ length: 300 }, (_, index) => [`folder${index % 50}/${index}.txt`, 'a'] as const);
    const { run } = makeWorkspace(Object.fromEntries(files));
    const controller = new AbortController();
    const running = run('grep', { pattern: 'zzz' }, controller.signal);
    await nextTurn();
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'INTERRUPTED' });
    for (const [name, input] of [
      ['read_file', { path: 'a' }],
      ['list_dir', {}],
    ] as const) {
      await expect(run(name, input, AbortSignal.abort())).rejects.toMatchObject({ code: 'INTERRUPTED' });
    }
  });

  test('nothing outside of the workspace is read, whatever the path', async () => {
    const { run, folder, workspace } = makeWorkspace({ 'inner/a.txt': 'a' });
    writeFileSync(join(folder, 'secret.txt'), 'secret');
    mkdirSync(join(folder, 'workspace2'));
    const paths = [
      '..',
      '../secret.txt',
      'inner/../../secret.txt',
      folder,
      join(folder, 'secret.txt'),
      '/etc/passwd',
      'a\0',
    ];
    paths.push(join(folder, 'workspace2'), `${workspace}/../secret.txt`);
    if (!windows) {
      symlinkSync(folder, join(workspace, 'up'));
      symlinkSync(join(folder, 'secret.txt'), join(workspace, 'link.txt'));
      paths.push('up/secret.txt', 'link.txt', 'up');
    }
    for (const path of paths) {
      for (const [name, input] of [
        ['read_file', { path }],
        ['list_dir', { path }],
        ['grep', { path, pattern: 'secret' }],
      ] as const) {
        expectFailure(await run(name, input), 'PATH_TRAVERSAL_BLOCKED');
      }
    }
    const found = await run('grep', { pattern: 'secret' });
    expect(found.output).toMatchObject({ matches: 0 });
    expect((await run('list_dir', { depth: 5 })).content).not.toContain('secret.txt');
  });

  test('whatever a path is made of, what is read is the workspace’s', async () => {
    const { run, folder } = makeWorkspace({ 'a/b/c.txt': 'inside', 'a/d.txt': 'inside' });
    writeFileSync(join(folder, 'c.txt'), 'outside');
    const piece = fc.constantFrom(
      'a',
      'b',
      'c.txt',
      'd.txt',
      '..',
      '.',
      '',
      '/',
      '\\',
      '\0',
      '\uFF0E\uFF0E',
      '%2e%2e',
      folder,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), fc.constantFrom('/', ''), async (pieces, glue) => {
        const { ok, content, error } = await run('read_file', { path: pieces.join(glue) });
        if (ok) expect(content).toContain('inside');
        else expect(['FILE_NOT_FOUND', 'PATH_TRAVERSAL_BLOCKED', 'INVALID_INPUT']).toContain(error?.code);
        expect(content).not.toContain('outside');
      }),
    );
  });

  test('SAA-24: the files of further folders, such as those of skills, are read by absolute paths', async () => {
    const folders: string[] = [];
    const { run, folder } = makeWorkspace({}, { folders: () => folders });
    const skill = join(folder, 'some skills', 'pdf');
    mkdirSync(join(skill, 'Any Folder'), { recursive: true });
    writeFileSync(join(skill, 'Any Folder', 'notes.md'), '# Notes\n');
    const path = join(skill, 'Any Folder', 'notes.md');
    expectFailure(await run('read_file', { path }), 'PATH_TRAVERSAL_BLOCKED');
    folders.push(skill);
    expect((await run('read_file', { path })).content).toContain('# Notes');
    expect((await run('list_dir', { path: skill, depth: 2 })).content).toContain('Any Folder/notes.md');
    expect((await run('grep', { path: skill, pattern: 'Notes' })).content).toContain('Any Folder/notes.md:1: # Notes');
    expectFailure(await run('read_file', { path: join(folder, 'some skills') }), 'PATH_TRAVERSAL_BLOCKED');
  });

  test.skipIf(windows)(
    'a folder that is named may itself be a link within the workspace, as that of a skill may be',
    async () => {
      const folders: string[] = [];
      const { run, workspace } = makeWorkspace({ 'src/pdf/SKILL.md': 'rules' }, { folders: () => folders });
      mkdirSync(join(workspace, '.agents/skills'), { recursive: true });
      const skill = join(workspace, '.agents/skills/pdf');
      symlinkSync('../../src/pdf', skill);
      const path = join(skill, 'SKILL.md');
      expectFailure(await run('read_file', { path }), 'PATH_TRAVERSAL_BLOCKED');
      folders.push(workspace, skill);
      expect((await run('read_file', { path })).content).toContain('rules');
      expect((await run('list_dir', { path: skill })).content).toContain('SKILL.md');
      expect((await run('grep', { path: skill, pattern: 'rules' })).output).toMatchObject({ matches: 1 });
      expect((await run('read_file', { path: join(workspace, 'src/pdf/SKILL.md') })).content).toContain('rules');
      symlinkSync('../SKILL.md', join(workspace, 'src/pdf/inner'));
      expectFailure(await run('read_file', { path: join(skill, 'inner') }), 'PATH_TRAVERSAL_BLOCKED');
    },
  );

  test.skipIf(process.platform !== 'linux').each([
    ['list_dir', { path: 'sub' }],
    ['grep', { path: 'sub', pattern: 'side' }],
    ['grep', { path: 'sub/b', pattern: 'side' }],
  ])(
    'PSA-22: where a folder became a link once it was found, %s %j tells nothing of what it leads to',
    async (name, input) => {
      // It is asked of each name, before the file of that name, or the next one, is looked at.
      const redact = (text: string): string => {
        if (text === 'a' || input.path === 'sub/b') exchange();
        return text;
      };
      const files = { 'sub/a': 'inside', 'sub/b': 'inside' };
      const { run, folder, workspace } = makeWorkspace(files, { redact });
      const [sub, outside] = [join(workspace, 'sub'), join(folder, 'outside')];
      mkdirSync(outside);
      for (const file of ['a', 'b']) writeFileSync(join(outside, file), 'outside, and longer');
      let exchanged = false;
      const exchange = (): void => {
        if (exchanged) return;
        exchanged = true;
        renameSync(sub, join(workspace, 'aside'));
        symlinkSync(outside, sub);
      };
      const { content } = await run(name, input);
      expect(exchanged).toBe(true);
      expect(content).not.toMatch(/outside|19 bytes/u);
    },
  );

  test('a workspace that is not absolute is a mistake of the caller', () => {
    expect(() => createReadTools({ clock: systemTime }, { workspace: 'relative' })).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    );
  });

  test.each(['answerLength', 'fileBytes', 'matches', 'entries'])('%s is a whole number above 0', (name) => {
    for (const value of [NaN, Infinity, -1, 0, 1.5]) {
      expect(() => createReadTools({ clock: systemTime }, { workspace: '/', [name]: value }), String(value)).toThrow(
        expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(`${name} is ${value}`) }),
      );
    }
  });

  test.skipIf(windows)('a pipe in the workspace does not keep anything waiting', async () => {
    const { run, workspace } = makeWorkspace({ 'a.txt': 'needle' });
    spawnSync('mkfifo', [join(workspace, 'pipe')]);
    expectFailure(await run('read_file', { path: 'pipe' }), 'INVALID_INPUT');
    expect((await run('grep', { pattern: 'needle' })).output).toMatchObject({ matches: 1 });
    expect((await run('list_dir', {})).content).toContain('pipe (no regular file)');
  });
});

describe('read_file', () => {
  const numbered = Array.from({ length: 1_000 }, (_, index) => `line ${index + 1}\n`).join('');

  test('a file that fits comes whole, a part of it where lines are named', async () => {
    const { run } = makeWorkspace({ 'a.txt': 'one\ntwo\nthree\n' });
    expect(await run('read_file', { path: 'a.txt' })).toMatchObject({
      content: '“a.txt”, lines 1 to 3 of 3:\none\ntwo\nthree\n',
      contentForUser: 'Read “a.txt”, lines 1 to 3 of 3.',
      output: { path: 'a.txt', size: 14, start_line: 1, end_line: 3, total_lines: 3, truncated: false, binary: false },
    });
    const { content } = await run('read_file', { path: './a.txt', start_line: 2, end_line: 2 });
    expect(content).toBe('“./a.txt”, lines 2 to 2 of 3:\ntwo\n');
  });

  test('a long file is cut at a line, and following the hint gives all of it', async () => {
    const { run } = makeWorkspace({ 'a.txt': numbered }, { answerLength: 1_000 });
    let all = '';
    let next: JsonValue | undefined = 1;
    for (let turn = 0; next !== undefined && turn < 20; turn += 1) {
      const { content, output } = await run('read_file', { path: 'a.txt', start_line: next });
      expect(content.length).toBeLessThan(1_200);
      all +=
        content
          .split('\n')
          .filter((line) => line.startsWith('line '))
          .join('\n') + '\n';
      next = output['next_start_line'];
      if (next !== undefined) expect(content).toContain(`[Cut here. Go on with start_line ${JSON.stringify(next)}.]`);
    }
    expect(all).toBe(numbered);
  });

  test('a section of a Markdown file is read by its heading', async () => {
    const { run } = makeWorkspace({ 'a.md': '# A\n\nfirst\n\n## B\n\nsecond\n\n# C\n' });
    const { content } = await run('read_file', { path: 'a.md', section: '## B' });
    expect(content).toContain('second');
    expect(content).not.toContain('first');
    expectFailure(await run('read_file', { path: 'a.md', section: 'Z' }), 'SECTION_NOT_FOUND');
  });

  test('a binary file is described, a large one refused, invisible characters are shown', async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
    const files = { 'a.png': png, 'large.txt': 'x'.repeat(2_000), 'odd.txt': 'a\u001B[2J\u202E' };
    const { run } = makeWorkspace(files, { fileBytes: 1_000 });
    expect(await run('read_file', { path: 'a.png' })).toMatchObject({
      ok: true,
      content: expect.stringContaining('a PNG image of 9 bytes'),
      output: { binary: true },
    });
    expectFailure(await run('read_file', { path: 'large.txt' }), 'FILE_TOO_LARGE');
    expect((await run('read_file', { path: 'odd.txt' })).content).toContain('a<U+001B>[2J<U+202E>');
  });

  test.skipIf(process.platform !== 'linux')('a file that never ends is given up', async () => {
    // What the system makes up says that it has no bytes.
    const tools = createReadTools({ clock: systemTime }, { workspace: '/proc', fileBytes: 1_000 });
    const result = await toolOf(tools, 'read_file').run(
      { path: 'cpuinfo' },
      { signal: new AbortController().signal, id: '1' },
    );
    expectFailure(result, 'FILE_TOO_LARGE');
  });

  test('a file or folder that is not there is told', async () => {
    const { run } = makeWorkspace({ 'a.txt': '' });
    expectFailure(await run('read_file', { path: 'b.txt' }), 'FILE_NOT_FOUND');
    expectFailure(await run('read_file', { path: 'a.txt/b' }), 'FILE_NOT_FOUND');
    expectFailure(await run('read_file', { path: '.' }), 'INVALID_INPUT');
    expectFailure(await run('list_dir', { path: 'b' }), 'FILE_NOT_FOUND');
    expectFailure(await run('list_dir', { path: 'a.txt' }), 'INVALID_INPUT');
  });
});

describe('list_dir', () => {
  test('files with their sizes and folders, as deep as asked for, by name', async () => {
    const { run, workspace } = makeWorkspace({ 'b/c/d.txt': 'd', 'b/x.txt': 'xx', 'a.txt': 'a', '.git/config': '' });
    if (!windows) symlinkSync('a.txt', join(workspace, 'link'));
    const link = windows ? [] : ['link (a link, not followed)'];
    expect((await run('list_dir', {})).content.split('\n').slice(1)).toEqual([
      '.git/',
      'a.txt (1 bytes)',
      'b/',
      ...link,
    ]);
    expect((await run('list_dir', { path: 'b', depth: 2 })).content.split('\n').slice(1)).toEqual([
      'c/',
      'x.txt (2 bytes)',
      'c/d.txt (1 bytes)',
    ]);
    expect((await run('list_dir', { depth: 8 })).content).not.toContain('config');
  });

  test('of many entries some are shown, and that there are more', async () => {
    const files = Array.from({ length: 20 }, (_, index) => [`${index}.txt`, ''] as const);
    const { run } = makeWorkspace(Object.fromEntries(files), { entries: 10 });
    const { content, output } = await run('list_dir', {});
    expect(output).toMatchObject({ entries: 10, truncated: true });
    expect(content).toContain('more than 10 entries');
    expect((await makeWorkspace({}).run('list_dir', {})).content).toBe('“.” is empty.');
  });
});

describe('grep', () => {
  test('lines with a text, by file and number', async () => {
    const { run } = makeWorkspace({ 'a/b.txt': 'one\nTwo\r\ntwo words\n', 'c.txt': 'two.\n', 'd.bin': 'two\0' });
    const lines = async (input: object) => (await run('grep', input)).content.split('\n').slice(1);
    expect(await lines({ pattern: 'two' })).toEqual(['c.txt:1: two.', 'a/b.txt:3: two words']);
    expect(await lines({ pattern: 'TWO', ignore_case: true, path: 'a' })).toEqual([
      'b.txt:2: Two',
      'b.txt:3: two words',
    ]);
    expect(await lines({ pattern: 'two.', path: 'c.txt' })).toEqual(['c.txt:1: two.']);
    expect(await lines({ pattern: '^t\\w+\\b', regex: true, path: 'a' })).toEqual(['b.txt:3: two words']);
    expect(await lines({ pattern: '^$', regex: true, path: 'd.bin' })).toEqual([]);
    expect(await lines({ pattern: 'T.O\\.', ignore_case: true, path: 'c.txt' })).toEqual([]);
  });

  test('a text is looked for as it is, whatever it is made of', async () => {
    const { run, workspace } = makeWorkspace({});
    const text = fc.string({ minLength: 1, unit: fc.constantFrom(...'a.*+?()[]{}|^$\\/-&#') });
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (pattern, ignoreCase) => {
        writeFileSync(join(workspace, 'a.txt'), `b${pattern}b\nno\n`);
        const { output } = await run('grep', { pattern, ignore_case: ignoreCase });
        expect(output['matches']).toBeGreaterThan(0);
        writeFileSync(join(workspace, 'a.txt'), 'nothing\n');
        expect((await run('grep', { pattern: `${pattern}~`, ignore_case: ignoreCase })).output).toMatchObject({
          matches: 0,
        });
      }),
      { numRuns: 50 },
    );
  });

  test('many lines are cut, long ones to what is around the match', async () => {
    const { run } = makeWorkspace(
      { 'a.txt': 'x\n'.repeat(50), 'b.txt': `${'y'.repeat(5_000)}needle${'y'.repeat(5_000)}` },
      { matches: 10 },
    );
    expect((await run('grep', { pattern: 'x' })).output).toEqual({
      matches: 10,
      files: 1,
      too_large: 0,
      truncated: true,
    });
    const { content } = await run('grep', { pattern: 'needle' });
    expect(content).toContain('needle');
    expect(content.length).toBeLessThan(500);
  });

  test('an answer has a length, whatever the names and lines are', async () => {
    const deep = Array.from({ length: 8 }, () => 'd'.repeat(100)).join('/');
    const files = Array.from({ length: 40 }, (_, index) => [`${deep}/${index}.txt`, 'needle'] as const);
    const { run } = makeWorkspace(Object.fromEntries(files), { answerLength: 4_000 });
    for (const [name, input] of [
      ['grep', { pattern: 'needle' }],
      ['list_dir', { path: deep.slice(0, 100), depth: 8 }],
    ] as const) {
      const { content, output } = await run(name, input);
      expect(output['truncated']).toBe(true);
      expect(content.length).toBeGreaterThan(2_000);
      expect(content.length).toBeLessThan(4_400);
    }
  });

  test('a file that is too large is passed over, and told', async () => {
    const { run } = makeWorkspace({ 'a.txt': 'needle', 'b.txt': `needle${'x'.repeat(2_000)}` }, { fileBytes: 1_000 });
    const { content, output } = await run('grep', { pattern: 'needle' });
    expect(output).toMatchObject({ matches: 1, too_large: 1 });
    expect(content).toContain('1 files have more than 1000 bytes');
  });

  /** How often others had their turn while it ran, and what came of it. */
  async function withTurns<Result>(work: Promise<Result>): Promise<[number, Result]> {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      turn = setImmediate(count);
    };
    let turn = setImmediate(count);
    const result = await work.finally(() => clearImmediate(turn));
    return [turns, result];
  }

  test.each([{ regex: true }, { regex: false }, { regex: false, ignore_case: true }])(
    'others run while one large file is looked through, whatever its lines are (%j)',
    async (how) => {
      const lines = { 'a.txt': '\n', 'b.txt': '\r', 'c.txt': 'words\r\n', 'd.txt': `${'word '.repeat(40)}\n` };
      const files = Object.entries(lines).map(([path, line]) => [path, line.repeat(140_000 / line.length)] as const);
      const { run } = makeWorkspace(Object.fromEntries(files));
      for (const [path] of files) {
        let [turns, result] = await withTurns(run('grep', { ...how, pattern: 'absent', path }));
        // On a busy machine an expression may be given up that is quick.
        for (let again = 0; result.error?.code === 'TIMEOUT' && again < 20; again += 1) {
          [turns, result] = await withTurns(run('grep', { ...how, pattern: 'absent', path }));
        }
        expect(result.output).toMatchObject({ matches: 0, files: 1 });
        // As one piece, it would leave others at most two.
        expect(turns, path).toBeGreaterThan(2);
      }
    },
  );

  test('AGIO-21: an abort is noticed between two files, and within one', async () => {
    const files = Array.from({ length: 20 }, (_, index) => [`${index}.txt`, 'a'] as const);
    const { run } = makeWorkspace({ ...Object.fromEntries(files), 'large/a.txt': '\n'.repeat(3_000_000) });
    for (const path of ['.', 'large', 'large/a.txt']) {
      const controller = new AbortController();
      const searching = run('grep', { pattern: 'absent', path }, controller.signal);
      // Far fewer turns than the work has.
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
      controller.abort();
      await expect(searching, path).rejects.toMatchObject({ code: 'INTERRUPTED' });
    }
  });

  test('line numbers are right wherever a large file is divided', async () => {
    const { run, workspace } = makeWorkspace({});
    const lineBreak = fc.constantFrom('\n', '\r\n', '\r');
    const part = fc.tuple(fc.integer({ min: 0, max: 70_000 }), lineBreak, fc.integer({ min: 1, max: 40_000 }));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), async (parts) => {
        const text = parts.map(([length, end, times]) => `${'x'.repeat(length)}${end.repeat(times)}needle`).join('\n');
        writeFileSync(join(workspace, 'a.txt'), text);
        const expected = text
          .split(/\r\n|\n|\r/u)
          .flatMap((line, index) => (line.slice(0, 20_000).includes('needle') ? [`a.txt:${index + 1}: needle`] : []));
        const { content } = await run('grep', { pattern: 'needle' });
        expect(content.split('\n').slice(1)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  test.each(['(a+)+$', '(a|a)*b', 'a*a*a*a*a*a*a*b'])(
    'the expression %s, which would take for ever, is given up',
    async (pattern) => {
      const { run } = makeWorkspace({ 'a.txt': `${'a'.repeat(4_000)}!\n` });
      expectFailure(await run('grep', { pattern, regex: true }), 'TIMEOUT');
    },
  );
});
