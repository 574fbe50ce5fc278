import { expect, test } from 'vitest';
import { isPackNamePart } from '../pack/pack-name-part.js';
import { judgePath } from '../pack/pack-path.js';
import { pathProblems } from '../pack/path-problems.js';
import { findPathConflict } from '../pack/path-conflict.js';
import { lintSkill, type LintedFile } from './lint-skill.js';
import { skillTemplate } from './skill-template.js';

const packing = {
  isName: isPackNamePart,
  problemOf: (path: string): string | undefined => {
    const problem = judgePath(path);
    return problem && pathProblems[problem];
  },
  conflictIn: findPathConflict,
};
const description = 'Work with PDF files. Use when asked about one.';

function lint(body: string, files: readonly LintedFile[] = [], text: string = description): readonly string[] {
  const source = `---\nname: pdf\ndescription: ${text}\n---\n${body}`;
  return lintSkill(source, files, { folder: 'pdf' }).diagnostics.map(
    ({ code, line, message }) => `${line} ${code} ${message}`,
  );
}

test('SPEC-07: a link to a file that is not there, or out of the folder, is reported with its line', () => {
  const files = [{ path: 'references/forms.md' }, { path: 'scripts/run.mjs' }];
  const body = [
    '[good](references/forms.md#top) [folder](references/) [web](https://example.org/x.md) [top](#top)',
    '[bad](references/missing.md "title") and [up](../other/SKILL.md)',
    'Run `node scripts/run.mjs` or `scripts/gone.mjs`, not assets/x.png of your project.',
    '```md',
    '[an example](nowhere.md)',
    '```',
    '[defined]: ./references/none.md',
  ].join('\n');
  expect(lint(body, files)).toEqual([
    '6 link-missing There is no file “references/missing.md” in the skill.',
    "6 link-outside “../other/SKILL.md” leads out of the skill's folder.",
    '7 link-missing There is no file “scripts/gone.mjs” in the skill.',
    '11 link-missing There is no file “references/none.md” in the skill.',
  ]);
});

test('SAA-01: files may lie in any folder', () => {
  expect(
    lint('[x](custom-scripts/a%20b.py)', [{ path: 'custom-scripts/a b.py', firstLine: '#!/usr/bin/env python3' }]),
  ).toEqual([]);
});

test('a script without #! is reported; one that was not read, and other files, are not', () => {
  const files = [
    { path: 'scripts/a.py', firstLine: 'import os' },
    { path: 'scripts/b.sh', firstLine: '#!/bin/sh' },
    { path: 'scripts/c.py' },
    { path: 'references/d.md', firstLine: '# D' },
  ];
  expect(lint('Body.', files)).toEqual(['1 script-no-shebang scripts/a.py does not begin with #!.']);
});

test('tells of scripts that could be run and may not', () => {
  const begun = (path: string, executable: boolean | undefined) => ({ path, firstLine: '#!/bin/sh', executable });
  const files = [begun('a.sh', false), begun('b.sh', true), begun('c.sh', undefined), begun('tool', false)];
  expect(lint('Body.', files)).toEqual([
    '1 script-not-executable a.sh begins with #!, but is not executable, and is installed as it is.',
    '1 script-not-executable tool begins with #!, but is not executable, and is installed as it is.',
  ]);
});

test.each([
  ['Helps with PDFs.', 'description-short'],
  ['Extracts text, tables and pictures from files.', 'description-no-trigger'],
])('the description “%s” is advised against: %s', (text, code) => {
  expect(lint('Body.', [], text)).toEqual([expect.stringContaining(code)]);
});

test.each(['Extracts text. Use when asked.', '从 PDF 文件中提取文本和表格，填写表单，合并文档，处理页面和图片。'])(
  'the description “%s” is not advised against',
  (text) => {
    expect(lint('Body.', [], text)).toEqual([]);
  },
);

test('what is refused is not advised', () => {
  expect(lintSkill('no skill', []).kind).toBe('refused');
});

test('what packing would refuse is a finding, and so is the text of a skill that was just begun', () => {
  const files = [{ path: 'aux.md' }, { path: 'a:b.md' }, { path: 'README.md' }, { path: 'Readme.md' }];
  const codes = (text: string, folder: string, more: readonly LintedFile[] = []): readonly string[] =>
    lintSkill(text, more, { folder, packing }).diagnostics.map(({ code }) => code);
  const found = codes(skillTemplate('pdf'), 'pdf', [...files, { path: 'old.md', link: true }]);
  expect(found.filter((code) => code === 'path-unfit')).toHaveLength(2);
  expect(found).toEqual(expect.arrayContaining(['placeholder-text', 'path-conflict', 'link-inside']));
  expect(codes(skillTemplate('pdf', 'Reads PDF files. Use when there is one.'), 'pdf')).toEqual(['placeholder-text']);
  const written = '---\nname: 数据\ndescription: Reads PDF files. Use when there is one.\n---\nRead it.\n';
  expect(codes(written, '数据')).toContain('name-unpackable');
  expect(codes(written, 'data')).not.toContain('name-unpackable');
});
