import { expect, test } from 'vitest';
import { suggestNames } from './suggest-names.js';

test.each<[string, readonly string[], readonly string[]]>([
  // The same but for case or Unicode form, then the same name elsewhere, then another extension, then a slip.
  [
    'Forms.md',
    ['b/forms.txt', 'a/forms.md', 'forms.md', 'form.md', 'x.md'],
    ['forms.md', 'a/forms.md', 'b/forms.txt', 'form.md'],
  ],
  ['references', ['scripts/a.sh', 'references/b.md', 'references/a.md'], ['references/a.md', 'references/b.md']],
  ['pdf-from', ['pdf-form', 'charts'], ['pdf-form']],
  // Of short names, nearly every one would be near.
  ['abc', ['xyz', 'abd', 'b'], ['xyz', 'abd', 'b']],
  ['none', ['a', 'b', 'c', 'd', 'e', 'f'], ['a', 'b', 'c', 'd', 'e']],
  ['none', [], []],
])('by %j of %j, %j may have been meant', (wanted, names, expected) => {
  expect(suggestNames(wanted, names)).toEqual(expected);
});

test('names of any length and number are compared in a moment', () => {
  const names = Array.from({ length: 100_000 }, (_, at) => `${'x'.repeat(1_000)}${at}`);
  expect(suggestNames(`${'x'.repeat(1_000)}y`, names)).toHaveLength(5);
});
