import { createRedactor } from '@skillpack/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectFailure, makeWorkspace, treeOf } from '../../test/write-ground.js';

const bom = '\uFEFF';

async function edit(text: string | Uint8Array, input: object, options: Parameters<typeof makeWorkspace>[1] = {}) {
  const { run, read } = makeWorkspace({ a: text }, options);
  const result = await run('edit_file', { path: 'a', ...input });
  return { result, text: read('a') };
}

describe('edit_file', () => {
  test('replaces a text that stands once, and says where', async () => {
    const { result, text } = await edit('one\ntwo\nthree', { old_text: 'two\n', new_text: '2\n2.5\n' });
    expect(text).toBe('one\n2\n2.5\nthree');
    expect(result).toMatchObject({
      ok: true,
      contentForUser: 'Edited “a” at 1 place from line 2 on; it has 4 lines now.',
      output: { lines: 4, replaced: 1, first_changed_line: 2, removed_lines: 1, added_lines: 2, previous_size: 13 },
    });
  });

  test('a text that stands several times is told with its lines, and replaced everywhere only when that is asked', async () => {
    const many = 'x = 1;\ny\nx = 1;\n';
    const { result, text } = await edit(many, { old_text: 'x = 1', new_text: 'x = 2' });
    expectFailure(result, 'TEXT_NOT_FOUND');
    expect(result.content).toContain('holds that text 2 times, not once. It begins on the lines 1, 3.');
    expect(text).toBe(many);
    const all = await edit(many, { old_text: 'x = 1', new_text: 'x = 2', replace_all: true });
    expect(all.text).toBe('x = 2;\ny\nx = 2;\n');
    expect(all.result.output).toMatchObject({ replaced: 2, first_changed_line: 1 });
  });

  test('a text that overlaps itself stands twice', async () => {
    const { result } = await edit('aaa', { old_text: 'aa', new_text: 'b' });
    expect(result.content).toContain('2 times');
    expect((await edit('aaa', { old_text: 'aa', new_text: 'b', replace_all: true })).text).toBe('ba');
  });

  test('no more than ten thousand places are replaced at a time', async () => {
    const { result, text } = await edit('ab'.repeat(10_001), { old_text: 'a', new_text: '', replace_all: true });
    expectFailure(result, 'TEXT_NOT_FOUND');
    expect(text).toHaveLength(20_002);
    expect((await edit('ab'.repeat(10_000), { old_text: 'a', new_text: '', replace_all: true })).text).toBe(
      'b'.repeat(10_000),
    );
  });

  test.each([
    ['if (a) {\n\treturn 1;\n}', 'if (a) {\n  return 1;\n}', 'On line 1 stands what differs only in white space'],
    ['  const Name = 1;', 'const name  = 1;', 'differs only in case or white space: “  const Name = 1;”'],
    ['say “hello”\n', 'say "hello"', 'differs only in quotation marks'],
    ['cafe\u0301', 'caf\u00E9', 'Unicode form'],
    ['one\ntotal = sum(values)\n', 'total = sum(value, 1)', 'Line 2 is most like it: “total = sum(values)”'],
    ['a\u202Eb', 'a<U+202E>b', 'a character that nobody can see'],
  ])('what nearly matches is told (%j)', async (text, sought, hint) => {
    const { result, text: after } = await edit(text, { old_text: sought, new_text: 'other' });
    expectFailure(result, 'TEXT_NOT_FOUND');
    expect(result.content).toContain('does not hold that text. ');
    expect(result.content).toContain(hint);
    expect(after).toBe(text);
  });

  test('where nothing is like it, nothing is told of the file', async () => {
    const { result } = await edit('apples and pears', { old_text: 'xyz', new_text: '' });
    expect(result.content).toBe(
      '“a” does not hold that text. Read the file, and give old_text as it stands there, without line numbers.',
    );
  });

  test.each([
    ['a\r\nb\r\nc\r\n', 'a\nb\n', 'x\ny\nz\n', 'x\r\ny\r\nz\r\nc\r\n'],
    ['a\r\nb\r\nc', 'b', 'x\ny', 'a\r\nx\r\ny\r\nc'],
    ['a\r\nb\r\nc', 'c', 'x\ny', 'a\r\nb\r\nx\r\ny'],
    ['a\nb\r\nc\n', 'a', 'x\r\ny', 'x\ny\nb\r\nc\n'],
    ['a\nb\r\nc\n', 'b\nc', 'x\ny', 'a\nx\r\ny\n'],
    ['a\rb\rc', 'a\nb', 'x\ny', 'x\ry\rc'],
    ['a\r\nb', 'a\r\nb', 'x\r\ny', 'x\r\ny'],
    ['a', 'a', 'x\r\ny', 'x\r\ny'],
    ['a\r\n\r\nb', 'a\n\nb', 'a\nb', 'a\r\nb'],
    [`${bom}a\nb`, 'a', 'x', `${bom}x\nb`],
    [`${bom}a\nb`, `${bom}a`, 'x', `${bom}x\nb`],
    [`${bom}a\nb`, `${bom}a`, `${bom}x`, `${bom}x\nb`],
    ['a\nb', 'b', 'x', 'a\nx'],
    ['a\n', 'a\n', '', ''],
  ])('line breaks, byte order mark and the end stay as they are: %j', async (before, oldText, newText, after) => {
    const { result, text } = await edit(before, { old_text: oldText, new_text: newText });
    expect(result.ok, result.content).toBe(true);
    expect(text).toBe(after);
  });

  test('whatever the line breaks are, what is around an edit stays as it was', async () => {
    const { run, read, workspace } = makeWorkspace({ a: '' }, {});
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '\r\n', '\n', '\r'), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(part, part, fc.constantFrom('X', 'X\nY', 'X\r\nY'), async (before, after, sought) => {
        const text = `${before}${sought}${after}`;
        // Else two characters became one line break.
        fc.pre(!`${before}|${after}`.includes('\r|\n'));
        await run('write_file', { path: 'a', content: text });
        const { ok, content } = await run('edit_file', {
          path: 'a',
          old_text: sought.replace('\r', ''),
          new_text: 'Z',
        });
        expect(ok, content).toBe(true);
        expect(read('a')).toBe(`${before}Z${after}`);
      }),
    );
    expect(Object.keys(treeOf(workspace))).toEqual(['a']);
  });

  test.each([
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x61, 0])],
    ['Latin-1', new Uint8Array([0x61, 0xe9])],
    ['with a NUL', new Uint8Array([0x61, 0])],
  ])('a file that is no UTF-8 text (%s) is not edited', async (_, bytes) => {
    const { run, workspace } = makeWorkspace({ a: bytes });
    const before = treeOf(workspace);
    expectFailure(await run('edit_file', { path: 'a', old_text: 'a', new_text: 'b' }), 'INVALID_INPUT');
    expect(treeOf(workspace)).toEqual(before);
  });

  test('an empty file holds no text', async () => {
    expectFailure((await edit('', { old_text: 'a', new_text: 'b' })).result, 'TEXT_NOT_FOUND');
  });

  test('what would come to more than there is memory for is refused before it is made', async () => {
    const lines = 'a\n'.repeat(10_000);
    const { result, text } = await edit(lines, { old_text: 'a', new_text: 'x\n'.repeat(60_000), replace_all: true });
    expectFailure(result, 'FILE_TOO_LARGE');
    expect(result.content).toContain('would have 1200010000 bytes');
    expect(text).toBe(lines);
  });

  test('a file that is too large, or would be, is not edited', async () => {
    const limits = { fileBytes: 100 };
    const large = await edit('x'.repeat(101), { old_text: 'x', new_text: 'y', replace_all: true }, limits);
    expectFailure(large.result, 'FILE_TOO_LARGE');
    const grown = await edit('x'.repeat(100), { old_text: 'x', new_text: 'yy', replace_all: true }, limits);
    expectFailure(grown.result, 'FILE_TOO_LARGE');
    expect(grown.text).toBe('x'.repeat(100));
  });
});

describe('edit_file beside secrets', () => {
  const secret = 'Zq8-VALUE-9x7w6v5u4t3s';
  const other = 'Other-SECRET-12345678';
  const key = [
    '-----BEGIN PRIVATE KEY-----',
    'MIIEvQIBADANBgkqhkiG9w0BAQEF',
    'AASCBKcwggSj',
    '-----END PRIVATE KEY-----',
  ];
  const redact = createRedactor({ values: [secret, other] });

  test('what stands before, between and after secrets is edited, and the secrets stay', async () => {
    const text = `A=${secret}\r\nB=1\r\nC=${other}\r\n${key.join('\r\n')}\r\nD=2\r\n`;
    for (const [oldText, newText] of [
      ['A=', 'AA='],
      ['B=1\n', 'B=2\nBB=3\n'],
      ['\nD=2', '\nD=3'],
    ] as const) {
      const { result, text: after } = await edit(text, { old_text: oldText, new_text: newText }, { redact });
      expect(result.ok, result.content).toBe(true);
      expect(after).toBe(text.replace(oldText.replaceAll('\n', '\r\n'), newText.replaceAll('\n', '\r\n')));
      expect(JSON.stringify(result)).not.toContain(secret);
    }
  });

  test('an edit does not find out what a secret is made of', async () => {
    // Of one that is there, and of one that is not: the same is said.
    for (const sought of ['Zq8', 'A=Z', 'VALUE', secret, '3s\n']) {
      const answers = await Promise.all(
        [secret, 'Xw1-OTHER-00000000000'].map(async (value) => {
          const only = createRedactor({ values: [value] });
          const { result, text } = await edit(
            `A=${value}\nB=1\n`,
            { old_text: sought, new_text: '' },
            { redact: only },
          );
          expect(text).toBe(`A=${value}\nB=1\n`);
          return result;
        }),
      );
      expect(answers[0]).toEqual(answers[1]);
      expectFailure(answers[0]!, 'TEXT_NOT_FOUND');
    }
    const all = { old_text: 'Zq8', new_text: '', replace_all: true };
    expect((await edit(`Zq8\nA=${secret}\nZq8\n`, all, { redact })).text).toBe(`\nA=${secret}\n\n`);
    const once = await edit(`Zq8\nA=${secret}\n`, { old_text: 'Zq8', new_text: 'x' }, { redact });
    expect(once.text).toBe(`x\nA=${secret}\n`);
  });

  test('a mark is not edited', async () => {
    for (const sought of ['A=[redacted:value]', 'redacted', '[', ']\nB']) {
      const { result, text } = await edit(`A=${secret}\nB=1\n`, { old_text: sought, new_text: 'x' }, { redact });
      expectFailure(result, 'FILE_PROTECTED');
      expect(text).toBe(`A=${secret}\nB=1\n`);
    }
  });

  test('what tells that a secret is one is not taken away', async () => {
    const token = 'aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gH3jK5wQ2x';
    for (const [text, oldText, newText] of [
      [`aws_secret_access_key = ${token}\n`, 'secret_access_key', 'name'],
      [`a ghp_${token}\n`, 'a ', 'a'],
      [`https://user:${token}@example.com/\n`, 'https://', ''],
    ] as const) {
      const { result, text: after } = await edit(text, { old_text: oldText, new_text: newText }, { redact });
      expectFailure(result, 'FILE_PROTECTED');
      expect(after).toBe(text);
    }
  });

  test('whatever is edited, no secret changes and none is told', async () => {
    const piece = fc.constantFrom(
      'a',
      'b\n',
      ' ',
      'A=',
      '\r\n',
      secret,
      other,
      key.join('\n'),
      '[redacted:value]',
      'Zq8',
    );
    const sought = fc.constantFrom('a', 'b', ' ', 'A=', '\n', 'Zq8', 'VALUE', '[redacted:value]', 'a b');
    const { run, read } = makeWorkspace({ a: '' }, { redact });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), sought, fc.boolean(), async (pieces, oldText, all) => {
        const text = pieces.join('');
        fc.pre(redact(text) !== text);
        await run('delete_file', { path: 'a' });
        await run('write_file', { path: 'a', content: text });
        const result = await run('edit_file', { path: 'a', old_text: oldText, new_text: 'x', replace_all: all });
        const after = read('a');
        if (!result.ok) expect(after).toBe(text);
        for (const value of [secret, other, key.join('\n')]) {
          expect(after.split(value).length).toBe(text.split(value).length);
          expect(JSON.stringify(result)).not.toContain(value);
        }
      }),
    );
  });
});
