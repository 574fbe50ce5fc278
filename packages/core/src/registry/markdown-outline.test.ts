import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownOutline } from './markdown-outline.js';
import { TextLines } from './text-lines.js';

function outline(text: string): readonly string[] {
  return markdownOutline(new TextLines(text)).map(
    ({ level, title, line, endLine }) => `${level} ${title} ${line}-${endLine}`,
  );
}

test.each([
  ['# One\ntext\n## Two\n# Three\n', ['1 One 1-3', '2 Two 3-3', '1 Three 4-4']],
  ['#One\n####### Seven\n#\n# # \n', ['1  3-3', '1  4-4']],
  ['# Closed ##\n# C#\n# a \\#\n', ['1 Closed 1-1', '1 C# 2-2', '1 a \\# 3-3']],
  ['   # Three spaces\n    # Code\n\t# Code\n', ['1 Three spaces 1-3']],
  ['One\n===\nTwo\nlines\n---\n', ['1 One 1-5', '2 Two lines 3-5']],
  ['---\nname: x\n---\n# Body\n', ['1 Body 4-4']],
  ['---\n# No front matter\n', ['1 No front matter 2-2']],
  ['text\n\n---\n\n- item\n---\n> quote\n---\n', []],
  ['| a |\n|---|\n| b |\n', []],
  ['```\n# in code\n````\n# after\n', ['1 after 4-4']],
  ['````\n```\n# in code\n````\n# after\n', ['1 after 5-5']],
  ['~~~ `x`\n```\n# in code\n~~~\n# after\n', ['1 after 5-5']],
  ['``` `no fence`\n# heading\n', ['1 heading 2-2']],
  ['```\n# never closed\n', []],
  ['<!-- # one line -->\n# after\n', ['1 after 2-2']],
  ['<!--\n# hidden\n--> # hidden too\n# after\n', ['1 after 4-4']],
  ['<pre>\n# raw\n</pre>\n# after\n', ['1 after 4-4']],
  ['# One\r\n## Two\r# Three', ['1 One 1-2', '2 Two 2-2', '1 Three 3-3']],
  ['# turned \u202Earound\n', ['1 turned <U+202E>around 1-1']],
  ['', []],
])('the headings of %j', (text, expected) => {
  expect(outline(text)).toEqual(expected);
});

test('sections lie in one another, cover what follows their heading, and end with the text', () => {
  const line = fc.constantFrom('# a', '## b', '### c', 'text', '', '```', '===', '---', '<!--', '-->', '> q', '- i');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const headings = markdownOutline(new TextLines(lines.map((one) => `${one}\n`).join('')));
      for (const [at, { level, line: start, endLine }] of headings.entries()) {
        expect(endLine).toBeGreaterThanOrEqual(start);
        const next = headings.slice(at + 1).find((other) => other.level <= level);
        expect(endLine).toBe(next === undefined ? lines.length : next.line - 1);
      }
    }),
  );
});

test('of very many headings the first ones are told, and where they end', () => {
  const headings = markdownOutline(new TextLines('# a\n\n'.repeat(20_000)));
  expect(headings).toHaveLength(10_000);
  expect(headings.at(-1)).toMatchObject({ line: 19_999, endLine: 20_000 });
});

test.each([
  ['headings', '# a\n'.repeat(500_000)],
  ['marks', '#'.repeat(2_000_000)],
  ['closing marks', `# ${'# '.repeat(1_000_000)}`],
  ['spaces', `# ${' '.repeat(2_000_000)}x`],
  ['a paragraph', 'a\n'.repeat(1_000_000)],
  ['rules that are none', `${'- '.repeat(1_000_000)}x`],
  ['an underline that is none', `a\n${'='.repeat(1_000_000)}${' '.repeat(1_000_000)}x`],
  ['fences', '```\n'.repeat(500_000)],
  ['comments', '<!--\n-->\n'.repeat(200_000)],
  ['lines that end in carriage returns', '\r'.repeat(2_000_000)],
])('two megabytes of %s take no time to speak of', { timeout: 60_000 }, (_, text) => {
  expect(markdownOutline(new TextLines(text)).length).toBeLessThanOrEqual(10_000);
});
