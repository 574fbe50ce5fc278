import { expect, test } from 'vitest';
import { keptOutline } from './kept-outline.js';
import { TextLines } from './text-lines.js';

test('the outline of a file is made once for its pages, and let go of when others were read', () => {
  const outline = (text: string) => keptOutline(new TextLines(text), text);
  const first = outline('# One\n');
  expect(first).toMatchObject([{ title: 'One', line: 1, endLine: 1 }]);
  for (let at = 0; at < 7; at += 1) outline(`# ${at}\n`);
  expect(outline('# One\n')).toBe(first);
  expect(outline('# Two\n')).not.toBe(first);
  for (let at = 0; at < 8; at += 1) outline(`# ${at}\n`);
  expect(outline('# One\n')).not.toBe(first);
  expect(outline('# One\n')).toEqual(first);
});
