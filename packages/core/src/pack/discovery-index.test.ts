import { expect, test } from 'vitest';
import { caught } from '../../test/caught.js';
import { sha256 } from '../../test/sha256.js';
import {
  discoverySchemaId,
  formatDiscoveryIndex,
  parseDiscoveryIndex,
  type DiscoverySkill,
} from './discovery-index.js';

const pdf: DiscoverySkill = {
  name: 'pdf',
  type: 'archive',
  description: 'Reads PDF files.',
  url: 'pdf.tar.gz',
  digest: sha256('pdf'),
};
const index = (skills: readonly unknown[], more: object = {}) =>
  JSON.stringify({ $schema: discoverySchemaId, skills, ...more });

test('skills are read; unknown fields are ignored', () => {
  expect(parseDiscoveryIndex(index([{ ...pdf, future: 1 }], { future: 2 }), 'it')).toEqual({
    skills: [pdf],
    skipped: [],
  });
});

test('one bad entry costs that entry alone, and the reader says why', () => {
  const { skills, skipped } = parseDiscoveryIndex(
    index([
      { ...pdf, type: 'git' },
      { ...pdf, name: 'Bad Name' },
      pdf,
      { ...pdf, digest: undefined },
      { ...pdf, url: 'other.zip' },
      'pdf',
      null,
      { ...pdf, name: 'long', description: 'x'.repeat(1_025) },
      { ...pdf, name: 7 },
    ]),
    'it',
  );
  expect(skills).toEqual([pdf]);
  expect(skipped.map(({ position, name }) => [position, name])).toEqual([
    [0, 'pdf'],
    [1, 'Bad Name'],
    [3, 'pdf'],
    [4, 'pdf'],
    [5, undefined],
    [6, undefined],
    [7, 'long'],
    [8, undefined],
  ]);
  expect(skipped.map(({ reason }) => reason).slice(0, 4)).toEqual([
    'type: expected skill-md or archive, found “git”',
    'name: expected a skill name, found “Bad Name”',
    'digest: expected a text, which is missing',
    'another entry has this name',
  ]);
});

test.each([
  ['a later draft', index([pdf], { $schema: 'https://schemas.agentskills.io/discovery/0.3.0/schema.json' }), '0.3.0'],
  ['no $schema', JSON.stringify({ skills: [pdf] }), 'draft 0.1.0'],
  ['a $schema that is no text', index([pdf], { $schema: 2 }), 'draft 0.1.0'],
])('an index with %s is not guessed at', (_, json, message) => {
  const error = caught(() => parseDiscoveryIndex(json, 'https://host/index.json'));
  expect(error.code).toBe('UNSUPPORTED_FORMAT');
  expect(error.message).toContain(message);
});

test.each(['', '<html>', '[]', 'null', '{}', '{"skills":{}}'])('%j is no index', (json) => {
  expect(caught(() => parseDiscoveryIndex(json, 'it')).code).toBe('INVALID_INDEX');
});

test('is written sorted by name, and read as it was', () => {
  const skills = [
    pdf,
    { ...pdf, name: 'a', type: 'skill-md' as const },
    { ...pdf, name: 'z', description: 'x'.repeat(1_024) },
  ];
  const text = formatDiscoveryIndex(skills);
  expect(text.startsWith('{\n  "$schema"')).toBe(true);
  expect(parseDiscoveryIndex(text, 'it').skills.map(({ name }) => name)).toEqual(['a', 'pdf', 'z']);
  expect(formatDiscoveryIndex(skills.toReversed())).toBe(text);
  expect(formatDiscoveryIndex([])).toContain('"skills": []');
});

test.each([
  ['two skills of one name', [pdf, { ...pdf, url: 'x' }], 'another entry'],
  ['no description', [{ ...pdf, description: '' }], 'description'],
  ['a long description', [{ ...pdf, description: 'x'.repeat(1_025) }], 'description'],
  ['a name that breaks the rule', [{ ...pdf, name: 'PDF' }], 'expected a skill name'],
])('%s is not written', (_, skills, message) => {
  const error = caught(() => formatDiscoveryIndex(skills));
  expect(error.code).toBe('INVALID_INDEX');
  expect(error.message).toContain(message);
});
