import { expect, test } from 'vitest';
import type { SkillEntry } from '../skill-entry.js';
import { createSkillSearch } from './skill-search.js';

function skill(name: string, description: string, location = `/skills/${name}`): { readonly entry: SkillEntry } {
  const head = {
    name,
    description,
    license: undefined,
    compatibility: undefined,
    metadata: {},
    allowedTools: undefined,
    version: undefined,
    author: undefined,
    modelInvocable: true,
    userInvocable: true,
    runMode: 'inline',
    frontMatter: {},
    bodyLine: 5,
  } as const;
  return {
    entry: {
      name,
      scope: 'user',
      location,
      pack: undefined,
      packVersion: undefined,
      digest: undefined,
      head,
      diagnostics: [],
    },
  };
}

test('SAA-15: the exact name comes first, then names that begin so, then names that hold it, then descriptions', () => {
  const search = createSkillSearch([
    skill('forms', 'Fills in a pdf, pdf after pdf.'),
    skill('my-pdf-tools', 'Other things.'),
    skill('pdf-merge', 'Joins files.'),
    skill('pdf', 'Reads documents.'),
    skill('weather', 'Tells the weather.'),
  ]);
  expect(search.find('PDF').map(({ entry, matched }) => [entry.name, matched])).toEqual([
    ['pdf', 'name'],
    ['pdf-merge', 'name-prefix'],
    ['my-pdf-tools', 'name-part'],
    ['forms', 'words'],
  ]);
});
