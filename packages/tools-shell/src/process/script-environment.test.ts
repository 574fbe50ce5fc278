import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scriptEnvironment } from './script-environment.js';

const options = { variables: [], set: {}, folder: '/run', marker: 'mark' };
const own = 'HOME USERPROFILE TMPDIR TMP TEMP TERM PYTHONDONTWRITEBYTECODE SKILLPACK_RUN'.split(' ');
const shared = 'PATH LANG LANGUAGE TZ SYSTEMROOT SYSTEMDRIVE WINDIR PATHEXT COMSPEC'.split(' ');
const pieces = [...own, ...shared, 'LC_', 'ALL', '_', 'TOKEN', 'SECRET', 'KEY', 'NPM', 'X'];

test('whatever variables there are, none is passed on but the few that are known, and those that are named', () => {
  const name = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
    fc.string({ minLength: 1, maxLength: 10 }).filter((text) => text !== '__proto__'),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 8 }), fc.nat(8), (names, count) => {
      const ours = Object.fromEntries(names.map((variable) => [variable, '/theirs']));
      const named = names.slice(0, count);
      const given = scriptEnvironment(ours, { ...options, variables: named });
      const strange = Object.keys(given).filter(
        (variable) =>
          !own.includes(variable) &&
          !named.includes(variable) &&
          !shared.includes(variable.toUpperCase()) &&
          !/^LC_[A-Z_]+$/iu.test(variable),
      );
      expect(strange).toEqual([]);
      for (const variable of named) expect(given).toHaveProperty([variable]);
      for (const variable of own.slice(0, 5)) {
        if (!named.includes(variable)) expect(given[variable]).toBe('/run');
      }
    }),
  );
});

test.each([
  'GITHUB_TOKEN',
  'TOKEN',
  'MY_TOKEN_OF',
  'TOKEN_PATH',
  'NPM_TOKEN',
  'LANG_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'HTTPS_PROXY',
])('%s is passed on only where it is named', (variable) => {
  expect(scriptEnvironment({ [variable]: 'secret' }, options)).not.toHaveProperty(variable);
  expect(scriptEnvironment({ [variable]: 'secret' }, { ...options, variables: [variable] })).toHaveProperty(
    variable,
    'secret',
  );
});

test('what is called as a secret is, or looks like one, is not passed on, unless it was named', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const secrets = { LC_API_TOKEN: 'x', LC_KEY: 'y', LANG: token, TZ: `https://me:${'pw'.repeat(6)}@host.test/` };
  const ours = { ...secrets, LC_ALL: 'C.UTF-8', PATH: '/usr/bin' };
  const given = scriptEnvironment(ours, options);
  expect(given).toMatchObject({ LC_ALL: 'C.UTF-8', PATH: '/usr/bin' });
  for (const name of Object.keys(secrets)) expect(given).not.toHaveProperty(name);
  expect(scriptEnvironment(ours, { ...options, variables: Object.keys(secrets) })).toMatchObject(secrets);
});
