import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { SkillsError } from '../errors/skills-error.js';
import { defineTool } from './define-tool.js';
import { makeTool } from './make-tool.js';
import { plainInput } from './plain-input.js';
import type { Tool } from './tool.js';

const ports = { clock: { now: () => 0 } };
const about = { name: 'look', description: 'Looks.', risk: 'low' } as const;
const run = (input: object) => ({ content: JSON.stringify(input) });

const plain = makeTool(
  {
    ...about,
    ...plainInput({
      skill: { kind: 'text', most: 5 },
      named: { kind: 'text', most: 500, names: ['pdf', 'tea'], optional: true },
      reason: { kind: 'text', least: 0, most: 3, optional: true },
      from_line: { kind: 'count', optional: true },
    }),
    run,
  },
  ports,
);

const bySchema = defineTool(
  {
    ...about,
    input: z.object({
      skill: z.string().check(z.minLength(1), z.maxLength(5)),
      named: z.optional(z.string().check(z.minLength(1), z.maxLength(500), z.meta({ enum: ['pdf', 'tea'] }))),
      reason: z.optional(z.string().check(z.maxLength(3))),
      from_line: z.optional(z.int().check(z.positive())),
    }),
    run,
  },
  ports,
);

/** What a tool says of an input before it is used. */
function saidOf(tool: Tool, input: unknown): string {
  try {
    tool.check?.(input);
    return 'taken';
  } catch (error) {
    if (!SkillsError.is(error, 'INVALID_INPUT')) throw error;
    return `${error.message} ${error.hint}`;
  }
}

test('describes the input as a schema of zod does', () => {
  expect(plain.inputSchema).toEqual(bySchema.inputSchema);
  const none = plainInput({ a: { kind: 'text', most: 1, optional: true } });
  expect(none.inputSchema).toEqual({
    type: 'object',
    properties: { a: { type: 'string', minLength: 1, maxLength: 1 } },
  });
});

test('takes what a schema of zod takes, and says of anything else what that says', async () => {
  const value = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom('pdf', '', undefined, null, true, 0, 1, 2, 1.5, NaN, Infinity, Number.MAX_SAFE_INTEGER + 1),
    fc.integer(),
    fc.constant({}),
  );
  const names = fc.constantFrom('skill', 'named', 'reason', 'from_line', 'other');
  const input = fc.oneof(
    { weight: 9, arbitrary: fc.dictionary(names, value) },
    { weight: 1, arbitrary: fc.oneof(value, fc.array(value)) },
  );
  const context = { signal: new AbortController().signal, id: '1' };
  await fc.assert(
    fc.asyncProperty(input, async (given) => {
      expect(saidOf(plain, given)).toBe(saidOf(bySchema, given));
      expect((await plain.run(given, context)).content).toBe((await bySchema.run(given, context)).content);
    }),
  );
});
