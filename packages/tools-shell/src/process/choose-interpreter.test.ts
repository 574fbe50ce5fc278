import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { longestLine, chooseInterpreter } from './choose-interpreter.js';
import { programFolders } from './find-program.js';

const folders = programFolders(process.env['PATH']);
const interpreters =
  'node nodejs deno bun tsx python python2 python3 python3.11 uv sh bash dash zsh ksh ruby perl php Rscript lua'.split(
    ' ',
  );
const others = ['env', 'evil', 'busybox', 'python3x', 'xsh', '-i', '-C', 'A=', 'pythonw', 'awk', 'make', 'rm'];

/** A folder in which there is a program of every name, known or not. */
function everyProgram(): string {
  const folder = mkdtempSync(join(tmpdir(), 'skillpack-programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of [...interpreters, ...others]) {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}
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
  '-m',
  '-eu',
  'evil',
  'A=/',
  '-C/',
  'busybox',
  '\0',
  'ü',
];

test('whatever the first line is, a known interpreter of the PATH runs the script, or nothing does', () => {
  const all = everyProgram();
  const line = fc.array(fc.constantFrom(...words), { maxLength: 10 }).map((pieces) => `#!${pieces.join('')}`);
  const path = fc.constantFrom('/skill/a', '/skill/a.py', '/skill/a.SH', '/skill/a.txt');
  fc.assert(
    fc.property(line, path, (text, script) => {
      try {
        const { program, flags } = chooseInterpreter({ path: script, beginning: Buffer.from(text) }, [all]);
        if (program !== process.execPath) expect(program).toBe(join(all, basename(program)));
        expect(interpreters).toContain(basename(program));
        // Of the words above, these are settings: of a shell, and of Python.
        expect(flags.filter((flag) => flag !== '-eu' && flag !== '-S')).toEqual([]);
      } catch (error) {
        expect(SkillsError.is(error, 'TOOL_NOT_ALLOWED'), String(error)).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
});

const choose = (line: string, programs: readonly string[]) =>
  chooseInterpreter({ path: '/skill/a', beginning: Buffer.from(`${line}\n`) }, programs);

test('a program that is on the PATH but no known interpreter is not started, nor is what env would do before', () => {
  const all = [everyProgram()];
  for (const line of [
    ...others.flatMap((name) => [`#!/usr/bin/env ${name}`, `#!/usr/bin/${name}`, `#!${name}`]),
    '#!/usr/bin/env A=/bin/python3',
    '#!/usr/bin/env -C/bin/python3',
    '#!/usr/bin/env -S A=/bin/python3 -u',
    '#!/usr/bin/env -i python3',
    '#!/usr/bin/env -S -i python3',
    '#!/usr/bin/env --chdir=/usr/bin/python3',
  ]) {
    expect(() => choose(line, all), line).toThrow(expect.objectContaining({ code: 'TOOL_NOT_ALLOWED' }));
  }
  for (const name of interpreters) expect(choose(`#!/usr/bin/env ${name}`, all).flags, name).toEqual([]);
});

test.each([
  '#!/bin/sh -c',
  '#!/bin/sh -ec',
  '#!/bin/sh -s',
  '#!/bin/bash -i',
  '#!/bin/bash --rcfile',
  '#!/bin/bash -l',
  '#!/bin/bash /tmp/x',
  '#!/bin/bash errexit',
  '#!/usr/bin/env -S bash -e pipefail',
  '#!/usr/bin/env -S bash -o pipefail nounset',
  '#!/bin/sh -o',
  '#!/usr/bin/env -S bash -euo -x',
  '#!/usr/bin/env -S bash -o posix -o',
  '#!/usr/bin/python3 -m http.server',
  '#!/usr/bin/python3 -mhttp.server',
  '#!/usr/bin/python3 -uc',
  '#!/usr/bin/python3 -X',
  '#!/usr/bin/python3 other.py',
  '#!/usr/bin/env -S node -e 1',
  '#!/usr/bin/env -S node --eval=1',
  '#!/usr/bin/env -S node --import=./x.mjs',
  '#!/usr/bin/env -S node --require ./x.cjs',
  '#!/usr/bin/env -S node --inspect',
  '#!/usr/bin/env -S node --env-file=.env',
  '#!/usr/bin/env -S node --test',
  '#!/usr/bin/perl -e',
  '#!/usr/bin/perl -wnE1',
  '#!/usr/bin/ruby -r./x',
  '#!/usr/bin/php -r',
  '#!/usr/bin/lua -e',
  '#!/usr/bin/env -S deno eval 1',
  '#!/usr/bin/env -S deno --allow-read run',
  '#!/usr/bin/env -S bun x evil',
  '#!/usr/bin/env -S uv tool run evil',
  '#!/usr/bin/env -S uv run --with evil',
  '#!/usr/bin/env -S uv pip install evil',
])('%s would run something else than the script, and is refused', (line) => {
  expect(() => choose(line, [everyProgram()])).toThrow(
    expect.objectContaining({ code: 'TOOL_NOT_ALLOWED', message: expect.stringContaining('hands “') }),
  );
});

test.each([
  ['#!/bin/sh -e', ['-e']],
  ['#!/bin/bash -eux', ['-eux']],
  ['#!/usr/bin/env -S bash -euo pipefail', ['-euo', 'pipefail']],
  ['#!/usr/bin/env -S bash -o errexit -u -o pipefail', ['-o', 'errexit', '-u', '-o', 'pipefail']],
  ['#!/usr/bin/python3 -Bu', ['-Bu']],
  ['#!/usr/bin/env -S node --no-warnings --experimental-strip-types', ['--no-warnings', '--experimental-strip-types']],
  ['#!/usr/bin/env -S deno run --allow-read=/srv -A', ['run', '--allow-read=/srv', '-A']],
  ['#!/usr/bin/env -S uv run --script', ['run', '--script']],
  ['#!/usr/bin/perl -w', ['-w']],
  ['#!/usr/bin/env -S Rscript --vanilla', ['--vanilla']],
] as const)('%s hands on what does no harm', (line, flags) => {
  expect(choose(line, [everyProgram()]).flags).toEqual(flags);
});

test('a line that does not end within what was read is refused, one that the file ends with is read', () => {
  const read = (beginning: string) =>
    chooseInterpreter({ path: '/skill/a', beginning: Buffer.from(beginning) }, folders);
  expect(read('#!/usr/bin/env node').flags).toEqual([]);
  // What was read of it does no harm; what follows may.
  const long = `#!/bin/sh${' -e'.repeat(200)}`;
  expect(read(`${long.slice(0, longestLine - 1)}\n`).program).toBeTruthy();
  expect(() => read(long.slice(0, longestLine))).toThrow(
    expect.objectContaining({ code: 'TOOL_NOT_ALLOWED', message: expect.stringContaining('too long') }),
  );
});

const needing = '# /// script\n# dependencies = ["rich<14", "requests"]\n# ///\nimport rich\n';
const shebang = (line: string): string => `${line}\n${needing}`;

test.each([
  ['a.py', needing, false, 'uv', ['run', '--script']],
  ['a.py', needing, true, 'uv', ['run', '--offline', '--script']],
  ['a', shebang('#!/usr/bin/env python3'), false, 'uv', ['run', '--script']],
  ['a.py', shebang('#!/usr/bin/env -S uv run --script'), false, 'uv', ['run', '--script']],
  ['a.py', shebang('#!/usr/bin/env -S uv run --script'), true, 'uv', ['run', '--offline', '--script']],
  ['a.py', shebang('#!/usr/bin/env -S uv run --offline -s'), true, 'uv', ['run', '--offline', '-s']],
  // It says itself how Python is to run it.
  ['a.py', shebang('#!/usr/bin/python3 -u'), false, 'python3', ['-u']],
  ['a.py', 'import rich\n', false, 'python3', []],
  ['a.sh', needing, false, 'bash', []],
])('a script that says what it needs is run by what brings it: %s %j, offline %s', (name, text, offline, by, flags) => {
  const script = { path: `/skill/${name}`, beginning: Buffer.from(text) };
  const chosen = chooseInterpreter(script, [everyProgram()], { offline });
  expect([basename(chosen.program), chosen.flags, chosen.note]).toEqual([by, flags, undefined]);
});

test('without uv, Python runs it as it is, and says what is missing', () => {
  const folder = everyProgram();
  rmSync(join(folder, 'uv'));
  const chosen = (text: string) =>
    chooseInterpreter({ path: '/skill/a.py', beginning: Buffer.from(text) }, [folder], { offline: true });
  for (const text of [needing, shebang('#!/usr/bin/env -S uv run --script')]) {
    const { program, flags, note } = chosen(text);
    expect([basename(program), flags]).toEqual(['python3', []]);
    expect(note).toBe(
      'Note: uv, which would install “rich<14”, “requests” for this script, is not on the PATH. It was run by python3 as it is.',
    );
  }
  expect(() => chosen('#!/usr/bin/env -S uv run pytest\n')).toThrow(
    expect.objectContaining({ code: 'TOOL_NOT_ALLOWED' }),
  );
  for (const python of ['python3', 'python']) rmSync(join(folder, python));
  expect(() => chosen(shebang('#!/usr/bin/env -S uv run --script'))).toThrow(
    expect.objectContaining({ message: expect.stringContaining('needs uv, which is not on the PATH') }),
  );
});
