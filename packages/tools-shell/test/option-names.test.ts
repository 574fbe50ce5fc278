import { tmpdir } from 'node:os';
import { SkillsError } from '@skillpack/core';
import {
  createCommandTool,
  createHttpTool,
  createProcessRunner,
  createReadTools,
  createWriteTools,
  findSandbox,
} from '@skillpack/tools-shell';
import { expect, test } from 'vitest';

const clock = { now: () => 0 };
const environment = {};
const workspace = tmpdir();

// Cast: JavaScript hands over what it likes.
const anything = (options: unknown) => options as never;

async function complaintOf(make: () => unknown): Promise<SkillsError> {
  try {
    await make();
  } catch (error) {
    if (SkillsError.is(error, 'USAGE')) return error;
    throw error;
  }
  throw new Error('It was taken.');
}

const factories = {
  createHttpTool: (options: object) => createHttpTool({ clock }, anything(options)),
  createCommandTool: (options: object) =>
    createCommandTool({ clock, environment }, anything({ workspace, ...options })),
  createProcessRunner: (options: object) => createProcessRunner({ environment }, anything({ workspace, ...options })),
  createReadTools: (options: object) => createReadTools({ clock }, anything({ workspace, ...options })),
  createWriteTools: (options: object) => createWriteTools({ clock }, anything({ workspace, ...options })),
  findSandbox: async (options: object) => findSandbox({ environment }, anything({ workspace, ...options })),
} as const;

test.each([
  ['createHttpTool', { domain: ['example.com'] }, 'domain', 'domains'],
  ['createHttpTool', { allowprivate: [] }, 'allowprivate', 'allowPrivate'],
  ['createCommandTool', { sandBox: undefined }, 'sandBox', 'sandbox'],
  ['createCommandTool', { timeouts: 5 }, 'timeouts', 'timeout'],
  ['createProcessRunner', { sandbx: {} }, 'sandbx', 'sandbox'],
  ['createProcessRunner', { folders: () => [] }, 'folders', 'workspace'],
  ['createReadTools', { filebytes: 1 }, 'filebytes', 'fileBytes'],
  ['createWriteTools', { protectedPath: ['secret'] }, 'protectedPath', 'protectedPaths'],
  ['findSandbox', { candidate: ['bubblewrap'] }, 'candidate', 'candidates'],
] as const)(
  '%s takes no option that it does not have, and names the nearest: %j',
  async (name, options, wrong, near) => {
    const { message, hint } = await complaintOf(() => factories[name](options));
    expect(message).toBe(`${name} has no option “${wrong}”.`);
    expect(hint).toContain(near);
  },
);

test('an option is not taken from a prototype either, where its name is none', async () => {
  const options: object = Object.create({ domain: ['example.com'] });
  expect((await complaintOf(() => createHttpTool({ clock }, anything(options)))).message).toContain('“domain”');
});

test.each([[undefined], [null], ['example.com'], [['example.com']]])(
  'what is no object is refused as options: %j',
  async (options) => {
    const { message } = await complaintOf(() => createHttpTool({ clock }, anything(options)));
    expect(message).toBe('The options of createHttpTool are no object.');
  },
);

test.each([
  ['createHttpTool', { domains: null }, 'domains is null; it has to be a list of texts.'],
  ['createHttpTool', { domains: 'example.com' }, 'domains is the text “example.com”; it has to be a list of texts.'],
  ['createHttpTool', { allowPrivate: [80] }, 'allowPrivate is something else; it has to be a list of texts.'],
  ['createWriteTools', { protectedPaths: null }, 'protectedPaths is null; it has to be a list of texts.'],
  ['createProcessRunner', { variables: 'TOKEN' }, 'variables is the text “TOKEN”; it has to be a list of texts.'],
  ['createProcessRunner', { sandbox: null }, 'The option sandbox is no sandbox.'],
  ['createCommandTool', { sandbox: 'bubblewrap' }, 'The option sandbox is no sandbox.'],
  ['findSandbox', { candidates: ['bubblwrap'] }, 'There is no sandbox “bubblwrap”.'],
  ['findSandbox', { candidates: ['constructor'] }, 'There is no sandbox “constructor”.'],
  ['findSandbox', { limits: { memroy: 5 } }, 'The object limits has no option “memroy”.'],
  ['findSandbox', { limits: null }, 'The options of The object limits are no object.'],
] as const)('%s takes no value that would allow more than was meant: %j', async (name, options, message) => {
  expect((await complaintOf(() => factories[name](options))).message).toBe(message);
});

test('every option that there is is taken', () => {
  const none = undefined;
  const [list, hosts] = [
    { domains: ['example.com'], allowPrivate: [] },
    { otherHosts: false, environment },
  ];
  const rates = { minimumRate: 1, rateWindow: 1, requestBytes: 1, answerBytes: 1, headerBytes: 1, answerLength: 1 };
  const runner = { workspace, variables: [], set: {}, streamBytes: 1, grace: 1, sandbox: none, protected: none };
  expect(() => {
    createHttpTool({ clock }, { ...list, ...hosts, ...rates, certificates: [], timeout: 1_000 });
    createProcessRunner({ environment }, runner);
    createCommandTool({ clock, environment }, { ...runner, timeout: 1, longestTimeout: 1, folders: () => [] });
    createReadTools({ clock }, { workspace, folders: none, answerLength: 1, fileBytes: 1, matches: 1, entries: 1 });
    createWriteTools({ clock }, { workspace, protectedPaths: [], protected: none, home: workspace, fileBytes: 1 });
  }).not.toThrow();
});
