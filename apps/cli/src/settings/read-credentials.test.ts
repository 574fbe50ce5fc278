import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCredentials } from './read-credentials.js';
import { tokenFor } from './token-for.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'credentials-'));
  path = join(folder, 'credentials.json');
});

afterEach(() => rmSync(folder, { recursive: true }));

const text = JSON.stringify({ registries: { 'https://Host.test/base': { token: 'abc' } } });

test('tokens are read by the URL of their registry, however it is written', () => {
  writeFileSync(path, text, { mode: 0o600 });
  expect([...readCredentials(path)]).toEqual([['https://host.test/base/', 'abc']]);
});

test('without the file there are no tokens', () => {
  expect(readCredentials(path).size).toBe(0);
});

test.skipIf(process.platform === 'win32').each([0o640, 0o604, 0o620, 0o660])(
  'a file of mode %o is refused, because others can read or change it',
  (mode) => {
    writeFileSync(path, text);
    chmodSync(path, mode);
    expect(() => readCredentials(path)).toThrow(
      expect.toSatisfy(
        (error: unknown) => SkillsError.is(error, 'CREDENTIALS_EXPOSED') && error.hint === `Run: chmod 600 ${path}`,
      ),
    );
  },
);

test('an error in the file never quotes it', () => {
  writeFileSync(path, '{"registries": {"https://host.test/": {"token": "abc" secret', { mode: 0o600 });
  expect(() => readCredentials(path)).toThrow(
    expect.toSatisfy(
      (error: Error) =>
        SkillsError.is(error, 'INVALID_CONFIG') && !`${error.message}${String(error.cause)}`.includes('secret'),
    ),
  );
});

const file = new Map([['https://host.test/base/', 'of-the-file']]);
const chosen = (location: string, origin: 'flag' | 'environment' | 'project' | 'user') =>
  ({ kind: 'http', location, origin }) as const;

test.each([
  ['the file’s token for its URL', chosen('https://host.test/base', 'project'), true, 'of-the-file'],
  ['SKILLS_TOKEN for the default registry', chosen('https://other.test/', 'environment'), true, 'of-the-environment'],
  ['no token for the registry of an organisation', chosen('https://other.test/', 'user'), false, 'none'],
  ['no token for a registry that the project chose', chosen('https://other.test/', 'project'), true, 'withheld'],
  ['no token for a longer URL', chosen('https://host.test/base/evil', 'project'), true, 'withheld'],
  ['no token for another host', chosen('https://host.test.evil.test/base', 'project'), false, 'none'],
])('it sends %s', (_, registry, isDefault, expected) => {
  const choice = tokenFor(registry, { environment: 'of-the-environment', file }, { isDefault });
  expect(choice.kind === 'token' ? choice.token : choice.kind).toBe(expected);
});
