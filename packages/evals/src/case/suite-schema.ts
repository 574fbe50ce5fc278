import { agentActionKinds } from '@skillpack/core';
import * as z from 'zod/mini';
import { maxPatternLength } from './compile-pattern.js';
import { checkFields, ruleFields } from './one-of-fields.js';
import { strictFields } from './strict-fields.js';

/** What stands for a longer form, by the schema of that form, for whoever publishes it. */
export const shortForms: z.core.$ZodRegistry<{ readonly json: z.core.JSONSchema.BaseSchema }> = z.registry();

/** Of the fields of an object, those of which exactly one is there, for whoever publishes its schema. */
export const onlyOneOf: z.core.$ZodRegistry<{ readonly fields: readonly string[] }> = z.registry();

function withOneOf<Schema extends z.ZodMiniType>(schema: Schema, fields: readonly string[]): Schema {
  onlyOneOf.add(schema, { fields });
  return schema;
}

/** A value that may be written shorter: `expand` makes the long form of it, and leaves everything else as it is. */
function shortened<Schema extends z.ZodMiniType>(
  schema: Schema,
  { json, expand }: { readonly json: z.core.JSONSchema.BaseSchema; readonly expand: (value: unknown) => unknown },
): z.ZodMiniPipe<z.ZodMiniTransform, Schema> {
  const either = z.pipe(z.transform(expand), schema);
  shortForms.add(either, { json });
  return either;
}

const text = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest));
const name = z.lazy(() => text(256));
const path = z.lazy(() => text(1_024));
const words = z.lazy(() => text(10_000));
const input = z.lazy(() => text(100_000));
const count = (least: number) => z.int().check(z.minimum(least), z.maximum(1_000_000_000));
const listOf = <Item extends z.ZodMiniType>(item: Item, least: number, most: number) =>
  z.array(item).check(z.minLength(least), z.maxLength(most));

const names = z.lazy(() =>
  shortened(listOf(name, 1, 200), {
    json: { type: 'string', minLength: 1, maxLength: 256 },
    expand: (value) => (typeof value === 'string' ? [value] : value),
  }),
);

const expectedSkills = z.lazy(() =>
  shortened(
    strictFields({
      any_of: z.optional(names),
      all_of: z.optional(names),
      none: z.optional(z.union([z.literal(true), names], { error: 'expected true, a name or a list of names' })),
      others: z.optional(z.boolean()),
    }),
    {
      json: {
        anyOf: [
          { type: 'string', minLength: 1, maxLength: 256 },
          { type: 'array', minItems: 1, maxItems: 200, items: { type: 'string', minLength: 1, maxLength: 256 } },
        ],
      },
      expand: (value) => {
        if (value === 'none') return { none: true };
        return typeof value === 'string' || Array.isArray(value) ? { all_of: value } : value;
      },
    },
  ),
);

const stepActions = [...agentActionKinds, 'approval'] as const;

const step = z.lazy(() =>
  shortened(
    strictFields({
      action: z.optional(z.enum(stepActions)),
      skill: z.optional(name),
      tool: z.optional(name),
      path: z.optional(path),
      args: z.optional(listOf(z.string().check(z.maxLength(10_000)), 1, 100)),
      input: z.optional(z.record(z.string(), z.unknown())),
      inputExactly: z.optional(z.boolean()),
      ok: z.optional(z.boolean()),
    }),
    {
      json: { enum: [...stepActions] },
      expand: (value) => (typeof value === 'string' ? { action: value } : value),
    },
  ),
);

const actionRule = z.lazy(() =>
  withOneOf(
    strictFields({
      occurs: z.optional(step),
      atLeast: z.optional(count(1)),
      atMost: z.optional(count(1)),
      forbidden: z.optional(step),
      first: z.optional(step),
      before: z.optional(step),
      sequence: z.optional(listOf(step, 1, 100)),
      mode: z.optional(z.enum(['in_order', 'any_order', 'exact'])),
    }),
    Object.keys(ruleFields),
  ),
);

const outputOf = z.lazy(() =>
  shortened(strictFields({ turn: z.optional(count(1)), file: z.optional(path) }), {
    json: { const: 'answer' },
    expand: (value) => (value === 'answer' ? {} : value),
  }),
);

const json = z.lazy(() =>
  z.union([z.literal(true), z.record(z.string(), z.unknown())], { error: 'expected true, or a schema of JSON Schema' }),
);

const outputCheck = z.lazy(() =>
  shortened(
    withOneOf(
      strictFields({
        contains: z.optional(
          shortened(listOf(words, 1, 100), {
            json: { type: 'string', minLength: 1, maxLength: 10_000 },
            expand: (value) => (typeof value === 'string' ? [value] : value),
          }),
        ),
        mode: z.optional(z.enum(['all', 'any'])),
        equals: z.optional(z.string().check(z.maxLength(1_000_000))),
        startsWith: z.optional(words),
        caseless: z.optional(z.boolean()),
        regex: z.optional(text(maxPatternLength)),
        flags: z.optional(z.string().check(z.maxLength(4))),
        json: z.optional(json),
        within: z.optional(z.boolean()),
        words: z.optional(strictFields({ least: z.optional(count(0)), most: z.optional(count(0)) })),
        similar: z.optional(text(100_000)),
        least: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
        file: z.optional(path),
        script: z.optional(path),
        args: z.optional(z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(100))),
        rubric: z.optional(words),
        of: z.optional(outputOf),
        not: z.optional(z.boolean()),
        text: z.optional(text(500)),
      }),
      Object.keys(checkFields),
    ),
    {
      json: { type: 'string', minLength: 1, maxLength: 10_000 },
      expand: (value) => (typeof value === 'string' ? { contains: value } : value),
    },
  ),
);

const file = z.lazy(() =>
  shortened(
    strictFields({
      text: z.optional(z.string()),
      base64: z.optional(z.string()),
      from: z.optional(path),
    }),
    { json: { type: 'string' }, expand: (value) => (typeof value === 'string' ? { text: value } : value) },
  ),
);

const limits = z.lazy(() =>
  strictFields({
    maxTurns: z.optional(count(1)),
    maxToolCalls: z.optional(count(0)),
    maxScripts: z.optional(count(0)),
    maxTokens: z.optional(count(1)),
    maxCost: z.optional(z.number().check(z.minimum(0), z.maximum(1_000_000))),
    maxSeconds: z.optional(z.number().check(z.gt(0), z.maximum(86_400))),
    allowedTools: z.optional(z.array(name).check(z.maxLength(200))),
    forbiddenTools: z.optional(z.array(name).check(z.maxLength(200))),
  }),
);

const someNames = z.lazy(() => z.array(name).check(z.maxLength(10_000)));

function caseFields() {
  return {
    kind: z.optional(z.enum(['trigger', 'task'])),
    tags: z.optional(z.array(text(100)).check(z.maxLength(50))),
    files: z.optional(z.record(z.string(), file)),
    offer: z.optional(
      strictFields({
        skills: z.optional(someNames),
        distractors: z.optional(someNames),
        preload: z.optional(someNames),
      }),
    ),
    expected: z.optional(
      strictFields({
        skills: z.optional(expectedSkills),
        actions: z.optional(z.array(actionRule).check(z.maxLength(200))),
        output: z.optional(z.array(outputCheck).check(z.maxLength(200))),
        disclosure: z.optional(z.boolean()),
        approvals: z.optional(z.boolean()),
      }),
    ),
    limits: z.optional(limits),
    trials: z.optional(z.int().check(z.minimum(1), z.maximum(1_000))),
    script: z.optional(z.record(z.string(), z.unknown())),
  };
}

const turn = z.lazy(() =>
  shortened(strictFields({ input }), {
    json: { type: 'string', minLength: 1, maxLength: 100_000 },
    expand: (value) => (typeof value === 'string' ? { input: value } : value),
  }),
);

/** A case as it stands in a file. */
export const caseSchema = z.lazy(() =>
  withOneOf(
    strictFields({
      id: text(100),
      title: z.optional(text(500)),
      input: z.optional(input),
      conversation: z.optional(listOf(turn, 1, 100)),
      ...caseFields(),
    }),
    ['input', 'conversation'],
  ),
);

const defaults = z.lazy(() => strictFields(caseFields()));

/** A file of cases. Unknown fields are refused: an expectation with a slip in its name would always hold. */
export const suiteSchema = z.lazy(() =>
  strictFields({
    $schema: z.optional(z.string().check(z.maxLength(1_000))),
    formatVersion: z.literal(1),
    name: z.optional(text(100)),
    skills: z.optional(someNames),
    defaults: z.optional(defaults),
    cases: listOf(caseSchema, 1, 10_000),
  }),
);

/** A case as it stands in a file. */
export type WrittenCase = z.output<typeof caseSchema>;

/** A file of cases as it stands on a disk. */
export type WrittenSuite = z.output<typeof suiteSchema>;

/** What stands for all cases of a file. */
export type WrittenDefaults = z.output<typeof defaults>;

/** Which skills are to be used, as it stands in a file. */
export type WrittenSkills = z.output<typeof expectedSkills>;

/** A rule of actions as it stands in a file. */
export type WrittenRule = z.output<typeof actionRule>;

/** A step of a rule as it stands in a file. */
export type WrittenStep = z.output<typeof step>;

/** A check of an output as it stands in a file. */
export type WrittenCheck = z.output<typeof outputCheck>;

/** A file of a workspace as it stands in a file of cases. */
export type WrittenFile = z.output<typeof file>;
