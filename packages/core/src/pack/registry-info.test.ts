import { expect, test } from 'vitest';
import { caught } from '../../test/caught.js';
import { sha256 } from '../../test/sha256.js';
import { formatRegistryInfo, formatRevocations, parseRegistryInfo, parseRevocations } from './registry-info.js';

test('the least registry.json, and what it then means', () => {
  expect(parseRegistryInfo('{"formatVersion":1,"id":"x","name":"X","future":1}', 'it')).toEqual({
    id: 'x',
    name: 'X',
    packs: 'packs/',
    blobs: 'blobs/',
    search: null,
    revocations: null,
    keys: [],
    auth: 'none',
    publish: null,
  });
});

test('written and read, it is the same', () => {
  const info = parseRegistryInfo(
    '{"formatVersion":1,"id":"x","name":"X","auth":"bearer","keys":[{"b":1,"a":2}]}',
    'it',
  );
  expect(parseRegistryInfo(formatRegistryInfo(info), 'it')).toEqual(info);
});

test.each([
  '{"formatVersion":1,"name":"X"}',
  '{"formatVersion":1,"id":"","name":"X"}',
  '{"formatVersion":1,"id":"x","name":"X","auth":"basic"}',
  '{"formatVersion":1,"id":"x","name":"X","packs":7}',
  '<!doctype html><title>Not found</title>',
])('%s is refused', (json) => {
  const error = caught(() => parseRegistryInfo(json, 'https://host/registry.json'));
  expect(error.code).toBe('INVALID_INDEX');
  expect(error.message).toContain('https://host/registry.json is not');
});

test('a newer registry is told apart', () => {
  expect(caught(() => parseRegistryInfo('{"formatVersion":2}', 'it')).code).toBe('UNSUPPORTED_FORMAT');
});

test('revocations are read and written in their order', () => {
  const revoked = [
    { digest: sha256('b'), reason: 'Malware.' },
    { digest: sha256('a'), reason: 'Stolen.' },
  ];
  expect(parseRevocations(formatRevocations(revoked), 'it')).toEqual(revoked);
  expect(parseRevocations(formatRevocations([]), 'it')).toEqual([]);
});

test('a revocation that cannot be read is never passed over', () => {
  const json = JSON.stringify({
    formatVersion: 1,
    revoked: [{ digest: sha256('a'), reason: 'x' }, { digest: 'md5:x' }],
  });
  expect(caught(() => parseRevocations(json, 'it')).message).toContain('revoked.1.digest');
});
