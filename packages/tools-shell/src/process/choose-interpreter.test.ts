import { SkillsError } from '@skillpack/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseInterpreter } from './choose-interpreter.js';
import { programFolders } from './find-program.js';

const folders = programFolders(process.env['PATH']);
const words = [
  '#!',
  '/usr/bin/env',
  ' ',
  '-S',
  '-i',
  'python3',
  'bash',
  'sh',
  'node',
  '/',
  '..',
  '\t',
  '\n',
  '\r',
  '=',
  '"',
  '$(x)',
  '-c',
  '\0',
  'ü',
];

test('whatever the first line is, a known interpreter of the PATH runs the script, or nothing does', () => {
  const line = fc.array(fc.constantFrom(...words), { maxLength: 10 }).map((pieces) => `#!${pieces.join('')}`);
  const path = fc.constantFrom('/skill/a', '/skill/a.py', '/skill/a.SH', '/skill/a.txt');
  fc.assert(
    fc.property(line, path, (text, script) => {
      try {
        const { program, flags } = chooseInterpreter({ path: script, beginning: Buffer.from(text) }, folders);
        expect(
          [process.execPath, ...folders.map((folder) => `${folder}/`)].some((known) => program.startsWith(known)),
        ).toBe(true);
        expect(program).not.toContain('..');
        expect(flags.join(' ')).toMatch(/^[\w\-./+=:,@ ]*$/u);
      } catch (error) {
        expect(SkillsError.is(error, 'TOOL_NOT_ALLOWED'), String(error)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('a line that does not end within what was read is refused, one that the file ends with is read', () => {
  const read = (beginning: string) =>
    chooseInterpreter({ path: '/skill/a', beginning: Buffer.from(beginning) }, folders);
  expect(read('#!/usr/bin/env node').flags).toEqual([]);
  expect(() => read(`#!/usr/bin/env node ${'x'.repeat(500)}`)).toThrow(
    expect.objectContaining({ code: 'TOOL_NOT_ALLOWED' }),
  );
});
