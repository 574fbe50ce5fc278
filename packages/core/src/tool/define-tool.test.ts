import fc from 'fast-check';
import { expect, test } from 'vitest';
// oxlint-disable-next-line no-restricted-imports -- whoever defines a tool may have it
import * as full from 'zod';
import * as z from 'zod/mini';
import { SkillsError } from '../errors/skills-error.js';
import { fakeClock } from '../testing/fake-clock.js';
import { defineTool, type ToolDefinition } from './define-tool.js';

const input = z.object({
  text: z.string().check(z.minLength(1), z.maxLength(20)),
  times: z.optional(z.int().check(z.minimum(1), z.maximum(3))),
});

function shout(change: Partial<ToolDefinition<typeof input>> = {}) {
  const clock = fakeClock(1_000);
  const tool = defineTool(
    {
      name: 'shout',
      description: 'Writes a text in capital letters.',
      input,
      risk: 'low',
      run: ({ text, times = 1 }) => {
        clock.advance(25);
        return { content: text.toUpperCase().repeat(times), output: { times } };
      },
      ...change,
    },
    { clock },
  );
  return { tool, clock };
}

const context = { id: '1', signal: new AbortController().signal };

test('a tool tells its input as JSON Schema, and gives content, output and times', async () => {
  const { tool } = shout();
  expect(tool).toMatchObject({ name: 'shout', risk: 'low', description: 'Writes a text in capital letters.' });
  expect(tool.inputSchema).toEqual({
    type: 'object',
    properties: {
      text: { type: 'string', minLength: 1, maxLength: 20 },
      times: { type: 'integer', minimum: 1, maximum: 3 },
    },
    required: ['text'],
  });
  expect(await tool.run({ text: 'ho', times: 2 }, context)).toEqual({
    ok: true,
    content: 'HOHO',
    output: { times: 2 },
    started: 1_000,
    ended: 1_025,
    duration: 25,
  });
});

test.each([
  [undefined, 'expected an object, which is missing'],
  [{}, 'text: expected a text, which is missing'],
  [{ text: 7 }, 'text: expected a text, found 7'],
  [{ text: 'x'.repeat(21) }, 'text: expected at most 20 characters'],
  [{ text: 'ho', times: 9 }, 'times: expected at most 3'],
])('input that does not fit is a result that says what is wrong: %j', async (given, problem) => {
  let ran = false;
  const { tool } = shout({
    run: () => {
      ran = true;
      return { content: '' };
    },
  });
  const { ok, error, content } = await tool.run(given, context);
  expect({ ok, code: error?.code, ran }).toEqual({ ok: false, code: 'INVALID_INPUT', ran: false });
  expect(content).toContain(problem);
});

test('input that does not fit is told with the key that is unknown and the number that would do', async () => {
  const strict = z.strictObject({
    line: z.optional(z.int().check(z.positive())),
    rest: z.optional(z.number().check(z.lt(9))),
  });
  const { inputSchema, run } = defineTool(
    { name: 'lines', description: 'x', input: strict, risk: 'low', run: () => ({ content: '' }) },
    { clock: fakeClock() },
  );
  const told = async (given: unknown): Promise<string> => (await run(given, context)).content;
  expect(await told({ line: 0 })).toContain('line: expected more than 0, found 0');
  expect(await told({ rest: 9 })).toContain('rest: expected less than 9, found 9');
  expect(await told({ extra: 1 })).toBe(
    'The input of lines does not fit: there is no “extra”. Call it again with input that follows its schema: line, rest.',
  );
  const hostile = { ['x\u202E'.repeat(200)]: 1, a: 1, b: 1, c: 1, d: 1, e: 1 };
  expect(await told(hostile)).toMatch(/there is no “x<U\+202E>[^“]*”, “a”, “b”, “c”, “d” and 1 more\./u);
  expect((await told(hostile)).length).toBeLessThan(500);
  expect(inputSchema['additionalProperties']).toBe(false);
});

test('input that does not fit is told with what there is to give: nothing, one field, or twenty of many', async () => {
  const told = async (fields: readonly string[]): Promise<string> => {
    const strict = z.strictObject(Object.fromEntries(fields.map((field) => [field, z.optional(z.string())])));
    const tool = defineTool(
      { name: 'lines', description: 'x', input: strict, risk: 'low', run: () => ({ content: '' }) },
      { clock: fakeClock() },
    );
    const { content } = await tool.run({ extra: 1 }, context);
    return content.slice(content.indexOf('schema: ') + 'schema: '.length);
  };
  expect(await told([])).toBe('an empty object.');
  expect(await told(['a'])).toBe('a.');
  const many = Array.from({ length: 30 }, (_, at) => `f${at}`);
  expect(await told(many)).toBe(`${many.slice(0, 20).join(', ')}.`);
});

test('AGIO-21: what was aborted while it ran is interrupted, whatever came of it', async () => {
  const controller = new AbortController();
  const { tool } = shout({
    run: () => {
      controller.abort();
      return { content: 'done' };
    },
  });
  const running = tool.run({ text: 'ho' }, { id: '1', signal: controller.signal });
  await expect(running).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
});

test('whatever a model gives as input, there is a result, and no control character in it', async () => {
  const { tool } = shout({ run: () => ({ content: 'done' }) });
  await fc.assert(
    fc.asyncProperty(fc.anything({ withNullPrototype: true, withBigInt: true }), async (given) => {
      const { content } = await tool.run(given, context);
      // eslint-disable-next-line no-control-regex -- that there is none is the promise
      expect(content).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u202E]/u);
    }),
  );
});

test('a failure of the run is a result with code, message and hint; a defect is thrown', async () => {
  const failing = shout({
    run: () => {
      throw new SkillsError('FILE_NOT_FOUND', 'There is no voice.', { hint: 'Drink something.' });
    },
  });
  expect(await failing.tool.run({ text: 'ho' }, context)).toMatchObject({
    ok: false,
    content: 'There is no voice. Drink something.',
    error: { code: 'FILE_NOT_FOUND', message: 'There is no voice.' },
  });
  const broken = shout({
    run: () => {
      throw new TypeError('x is undefined');
    },
  });
  await expect(broken.tool.run({ text: 'ho' }, context)).rejects.toThrow(TypeError);
});

test('AGIO-21: the signal of a run reaches the tool, and an aborted one ends it as interrupted', async () => {
  const controller = new AbortController();
  let heard: unknown;
  const { tool } = shout({
    run: async (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          heard = signal.reason;
          reject(new Error('stopped'));
        });
      }),
  });
  const running = tool.run({ text: 'ho' }, { id: '1', signal: controller.signal });
  controller.abort('enough');
  await expect(running).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
  expect(heard).toBe('enough');
  const late = tool.run({ text: 'ho' }, { id: '2', signal: controller.signal });
  await expect(late).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
});

test.each(['', 'a b', 'naïve', 'x'.repeat(65)])('a tool cannot be called %j', (name) => {
  expect(() => shout({ name })).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test.each([
  ['no object', z.string()],
  ['a date', z.object({ at: z.date() })],
  ['nothing', undefined],
])('the input of a tool cannot be %s', (_, schema) => {
  // Cast: a program in JavaScript hands in what it likes.
  expect(() => shout({ input: schema as never })).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test('the input of a tool may be of zod or of zod/mini', async () => {
  const tool = defineTool(
    {
      name: 'add',
      description: 'Adds.',
      input: full.object({ terms: full.array(full.number()).min(1) }),
      risk: 'low',
      run: ({ terms }) => ({ content: String(terms.reduce((sum, term) => sum + term, 0)) }),
    },
    { clock: fakeClock() },
  );
  expect(await tool.run({ terms: [1, 2] }, context)).toMatchObject({ ok: true, content: '3' });
  expect(await tool.run({ terms: [] }, context)).toMatchObject({ ok: false, error: { code: 'INVALID_INPUT' } });
});
