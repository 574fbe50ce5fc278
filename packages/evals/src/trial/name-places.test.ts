import { expect, test } from 'vitest';
import { namePlaces } from './name-places.js';

test('a place is named wherever its path stands, and nowhere else', () => {
  const places = [
    { path: '/tmp/a', name: '{workspace}' },
    { path: '/tmp/a/skills/pdf', name: '{skills}/pdf' },
  ];
  expect(namePlaces('/tmp/a/b /tmp/ab "/tmp/a" /tmp/a-b /tmp/aé file:///tmp/a/c', places)).toBe(
    '{workspace}/b /tmp/ab "{workspace}" /tmp/a-b /tmp/aé file://{workspace}/c',
  );
  expect(namePlaces('/tmp/a/skills/pdf/x /tmp/a/skills/pdf2', places)).toBe('{skills}/pdf/x {workspace}/skills/pdf2');
});

test('a path is found as JSON writes it, too', () => {
  const places = [{ path: 'C:\\temp\\a', name: '{workspace}' }];
  expect(namePlaces(JSON.stringify({ at: 'C:\\temp\\a\\b' }), places)).toBe('{"at":"{workspace}\\\\b"}');
  expect(namePlaces('C:\\temp\\a\\b', places)).toBe('{workspace}\\b');
});

test('the root of everything is no place', () => {
  expect(
    namePlaces('/a/b C:\\x', [
      { path: '/', name: 'x' },
      { path: 'C:\\', name: 'y' },
      { path: '', name: 'z' },
    ]),
  ).toBe('/a/b C:\\x');
});
