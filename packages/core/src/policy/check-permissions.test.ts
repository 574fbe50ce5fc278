import { expect, test } from 'vitest';
import { SkillsError } from '../errors/skills-error.js';
import { checkPermissions } from './check-permissions.js';
import type { Permissions } from './permissions.js';
import { permissionsSchema } from './permissions-schema.js';

const all: Permissions = {
  configured: { allow: ['risk:low', 'Bash(git:*)'], ask: ['Edit(src/**)'], deny: ['Read(.env)'] },
  run: { allow: ['*'] },
  allowedTools: { 'acme/*': 'restrict', 'acme/pdf': 'grant', notes: 'ignore' },
};

test('permissions that can be read are given back as they are', () => {
  expect(checkPermissions(all)).toEqual(all);
  expect(checkPermissions({})).toEqual({});
  expect(checkPermissions({ allowedTools: 'grant' })).toEqual({ allowedTools: 'grant' });
  expect(permissionsSchema.parse(JSON.parse(JSON.stringify(all)))).toEqual(all);
});

test('what an object of a class denies is denied, and what it says besides is refused', () => {
  class Rules {
    readonly allow = ['*'];
    get deny(): readonly string[] {
      return ['Bash'];
    }
  }
  expect(checkPermissions({ run: new Rules() }).run).toEqual({ allow: ['*'], deny: ['Bash'] });
  const inherited: unknown = Object.create({ permit: ['*'] });
  expect(complaintOf({ run: inherited }).message).toContain('at run: there is no “permit”');
});

test('what is given back does not change with what was given', () => {
  const given = { run: { deny: ['Bash'] }, allowedTools: { pdf: 'ignore' } } as const;
  const read = checkPermissions(given);
  expect(read.run).not.toBe(given.run);
  expect(read.run?.deny).not.toBe(given.run.deny);
  expect(read.allowedTools).not.toBe(given.allowedTools);
});

function complaintOf(value: unknown, options?: Parameters<typeof checkPermissions>[1]): SkillsError {
  try {
    checkPermissions(value, options);
  } catch (error) {
    if (SkillsError.is(error)) return error;
    throw error;
  }
  throw new Error('They were read.');
}

test.each([
  [null, 'The permissions cannot be used: expected an object, found null.'],
  [[], 'The permissions cannot be used: expected an object, found a list of 0 items.'],
  [
    { allow: ['*'] },
    'The permissions cannot be used: allow belongs into configured, as configured.allow, or into run.',
  ],
  [{ configured: { permit: [] } }, 'The permissions cannot be used at configured: there is no “permit”.'],
  [
    { configured: { allow: 'Read' } },
    'The permissions cannot be used at configured.allow: expected a list, found “Read”.',
  ],
  [{ run: { deny: [7] } }, 'The permissions cannot be used at run.deny.0: expected a text, found 7.'],
  [
    { run: { ask: Array.from({ length: 1_001 }, () => 'Read') } },
    'The permissions cannot be used at run.ask: expected at most 1000 items, found a list of 1001 items.',
  ],
  [
    { allowedTools: 'all' },
    'The permissions cannot be used at allowedTools: expected grant or restrict or ignore, found “all”.',
  ],
  [{ allowedTools: [] }, 'The permissions cannot be used at allowedTools: expected grant or restrict or ignore, found'],
  [
    { allowedTools: { pdf: 'all' } },
    'The permissions cannot be used at allowedTools.pdf: expected grant or restrict or ignore, found “all”.',
  ],
])('what is no permissions is refused with what was expected: %j', (value, message) => {
  const error = complaintOf(value);
  expect(error.code).toBe('USAGE');
  expect(error.message).toContain(message);
});

test.each(['allow', 'ask', 'deny'])(
  'a rule under %s that cannot be read is refused, with its place and what would do',
  (list) => {
    const error = complaintOf({ run: { [list]: ['Read', 'Bash(a;\u001B b)'] } });
    expect(error.message).toBe(
      `The permissions hold a rule that cannot be read at run.${list}.1: “Bash(a;<U+001B> b)”.`,
    );
    expect(error.hint).toBe('It holds a character that nobody can see. docs/permissions.md describes every rule.');
    expect(error.data).toEqual({ rule: 'Bash(a;\u001B b)', at: `run.${list}.1` });
  },
);

test('a complaint says whose permissions they are, under the code that fits', () => {
  const options = { what: 'permissions of config.json', code: 'INVALID_CONFIG' } as const;
  const error = complaintOf({ configured: { deny: ['Bash(rm'] } }, options);
  expect(error.code).toBe('INVALID_CONFIG');
  expect(error.message).toContain(
    'The permissions of config.json hold a rule that cannot be read at configured.deny.0',
  );
  expect(complaintOf(7, options)).toMatchObject({
    code: 'INVALID_CONFIG',
    message: expect.stringContaining('config.json'),
  });
});

test.each(['', '*', '*/*', 'acme/', '/pdf', '@acme/pdf', 'acme/pdf/x', 'Acme/pdf', 'acme/p*'])(
  'a mode for what no skill is called is refused: %j',
  (name) => {
    const error = complaintOf({ allowedTools: { pdf: 'grant', [name]: 'restrict' } });
    expect(error.message).toContain('set a mode at allowedTools for “');
    expect(error.hint).toContain('or the mode alone for all');
  },
);

test('names that every object has are names of skills, too', () => {
  expect(checkPermissions({ allowedTools: { 'Été 2': 'grant' } })).toBeDefined();
  const modes = checkPermissions(JSON.parse('{"allowedTools":{"constructor":"ignore"}}')).allowedTools;
  expect(modes).toEqual({ constructor: 'ignore' });
});

test('a rule that is missing within a list is refused, and so are modes in an object of a class', () => {
  // oxlint-disable-next-line no-sparse-arrays -- that is what it is about
  const holes: unknown = { configured: { deny: ['send', , 'erase'] } };
  expect(() => checkPermissions(holes)).toThrow('configured.deny.1');
  class Modes {
    readonly pdf = 'ignore';
  }
  expect(() => checkPermissions({ allowedTools: new Modes() })).toThrow('at allowedTools: expected an object');
});

test('a mode for a name that every object has in common is none', () => {
  const modes: unknown = JSON.parse('{"allowedTools":{"__proto__":"restrict","pdf":"restrict"}}');
  const { allowedTools } = checkPermissions(modes);
  expect(Object.keys(allowedTools as object)).toEqual(['pdf']);
});
