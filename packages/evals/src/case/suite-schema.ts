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

/** What a field is for, for whoever publishes its schema. */
export const fieldWords: z.core.$ZodRegistry<{ readonly description: string }> = z.registry();

function told<Schema extends z.ZodMiniType>(schema: Schema, description: string): z.ZodMiniOptional<Schema> {
  const field = z.optional(schema);
  fieldWords.add(field, { description });
  return field;
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
      any_of: told(names, 'At least one of them is used.'),
      all_of: told(names, 'Every one of them is used.'),
      none: told(
        z.union([z.literal(true), names], { error: 'expected true, a name or a list of names' }),
        'None of them is used; true: none at all.',
      ),
      others: told(z.boolean(), 'Whether skills that are not named here may be used, too: true unless it says false.'),
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
      action: told(z.enum(stepActions), 'What was done; approval is a yes to it.'),
      skill: told(name, 'Of which skill; * stands for any characters, $NAME for one value within the rule.'),
      tool: told(name, 'Of call_tool, or the tool that was approved.'),
      path: z.optional(path),
      args: z.optional(listOf(z.string().check(z.maxLength(10_000)), 1, 100)),
      input: told(z.record(z.string(), z.unknown()), 'Fields of the input of the tool; others may be there.'),
      inputExactly: told(z.boolean(), 'Whether that is all of the input.'),
      ok: told(z.boolean(), 'Whether it succeeded.'),
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
      occurs: told(step, 'It happens: at least once, or as atLeast or atMost say.'),
      atLeast: told(count(1), 'Beside occurs: how often at least.'),
      atMost: told(count(1), 'Beside occurs: how often at most.'),
      forbidden: told(step, 'It never happens.'),
      first: told(step, 'It happens before the step under before does, each time.'),
      before: told(step, 'Beside first: the step that comes after it.'),
      sequence: told(listOf(step, 1, 100), 'They happen, in the order that mode says.'),
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
        contains: told(
          shortened(listOf(words, 1, 100), {
            json: { type: 'string', minLength: 1, maxLength: 10_000 },
            expand: (value) => (typeof value === 'string' ? [value] : value),
          }),
          'These texts are in it; all of them, or any.',
        ),
        mode: z.optional(z.enum(['all', 'any'])),
        equals: told(z.string().check(z.maxLength(1_000_000)), 'It is this text.'),
        startsWith: told(words, 'It begins with this text.'),
        caseless: told(z.boolean(), 'Upper and lower case are the same.'),
        regex: told(text(maxPatternLength), 'It matches, by the syntax of RE2.'),
        flags: told(z.string().check(z.maxLength(4)), 'Beside regex: i, m and s.'),
        json: told(json, 'It is JSON, and follows the schema, if it is one.'),
        within: told(z.boolean(), 'Beside json: it stands somewhere in the text.'),
        words: told(strictFields({ least: z.optional(count(0)), most: z.optional(count(0)) }), 'It has so many words.'),
        similar: told(text(100_000), 'It has the words of this text; least says how many of them.'),
        least: told(
          z.number().check(z.minimum(0), z.maximum(1)),
          'Beside similar: the share of its words, from 0 to 1.',
        ),
        file: z.optional(path),
        script: told(path, 'A program below the folder of the suite ends with 0.'),
        args: z.optional(z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(100))),
        rubric: told(words, 'A judge says that it holds.'),
        of: told(outputOf, 'What is looked at: the last answer, unless it says otherwise.'),
        not: told(z.boolean(), 'It must not be so.'),
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
      base64: told(z.string(), 'Bytes in Base64.'),
      from: told(path, 'A file below the folder of the suite.'),
    }),
    { json: { type: 'string' }, expand: (value) => (typeof value === 'string' ? { text: value } : value) },
  ),
);

const constraints = z.lazy(() =>
  strictFields({
    maxTurns: z.optional(count(1)),
    maxToolCalls: z.optional(count(0)),
    maxScripts: z.optional(count(0)),
    maxTokens: told(count(1), 'In and out of the model.'),
    maxCost: told(z.number().check(z.minimum(0), z.maximum(1_000_000)), 'US dollars.'),
    maxSeconds: z.optional(z.number().check(z.gt(0), z.maximum(86_400))),
    allowedTools: told(
      z.array(name).check(z.maxLength(200)),
      'run_script, and tools of call_tool. Any, unless it says so.',
    ),
    forbiddenTools: z.optional(z.array(name).check(z.maxLength(200))),
  }),
);

const someNames = z.lazy(() => z.array(name).check(z.maxLength(10_000)));

function caseFields() {
  return {
    kind: told(
      z.enum(['trigger', 'task']),
      'trigger: it ends with the first choice of skills. task: it is worked on to its end.',
    ),
    tags: told(z.array(text(100)).check(z.maxLength(50)), 'What reports group and filter by, such as near-miss.'),
    files: told(z.record(z.string(), file), 'What lies in the workspace, by path.'),
    offer: told(
      strictFields({
        skills: z.optional(someNames),
        distractors: told(someNames, 'Skills that are offered besides, so that there is something to choose from.'),
        preload: told(someNames, 'Skills whose texts are there from the beginning.'),
      }),
      'Which skills are offered.',
    ),
    expected: told(
      strictFields({
        skills: z.optional(expectedSkills),
        actions: told(z.array(actionRule).check(z.maxLength(200)), 'Rules on what is done.'),
        output: told(z.array(outputCheck).check(z.maxLength(200)), 'Checks of answers and files.'),
        disclosure: told(
          z.boolean(),
          'Whether no file of a skill may be read before the skill was: true unless it says false.',
        ),
        approvals: told(
          z.boolean(),
          'Whether nothing may be done that was neither allowed nor approved: true unless it says false.',
        ),
      }),
      'All of it has to hold.',
    ),
    constraints: told(constraints, 'Going beyond one ends the trial, and is a failed check.'),
    trials: told(z.int().check(z.minimum(1), z.maximum(1_000)), 'How often each arm is run.'),
    script: told(z.record(z.string(), z.unknown()), 'What a scripted model goes by: rules or replies.'),
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
      title: told(text(500), 'What it is about, for a person.'),
      input: told(input, 'What the person says.'),
      conversation: told(listOf(turn, 1, 100), 'Instead of input: one line of the person after another.'),
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
    defaults: told(defaults, 'What stands under every case.'),
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
