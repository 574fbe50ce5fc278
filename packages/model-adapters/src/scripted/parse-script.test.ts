import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { agentActionKinds, decisionSchema, SkillsError } from '@skillpack/core';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { scripted } from './scripted.js';
import { parseScript } from './parse-script.js';
import { readScriptYaml } from './read-script-yaml.js';
import { scriptSchema } from './script-schema.js';

const rulesYaml = `# Reads a PDF.
formatVersion: 1
rules:
  - name: read the skill
    when: { request: pdf, skillInactive: pdf }
    decide:
      action: { kind: select_skills, skills: [{ name: pdf }], reason: It reads PDF. }
      plan_update:
        kind: replace
        plan: { goal: Read it., steps: [], assumptions: [], constraints: {} }
  - name: fail once
    times: 1
    when: { turn: 2 }
    fail: TIMEOUT
    message: The server sleeps.
  - name: answer
    when:
      request: { regex: 'read (?<file>\\S+)', flags: i }
      after: select_skills
      ok: true
    decide: { kind: final_answer, content: 'Read \${file}.' }
  - say: no JSON
    finish: length
`;

const repliesJson = `{
  "formatVersion": 1,
  "replies": [
    { "decide": { "action": { "kind": "search_skills", "query": "pdf" } } },
    { "say": "", "finish": "refused" },
    { "say": "a", "reasoning": "Why not.", "usage": { "inputTokens": 5, "cost": 0.5 } },
    { "decide": { "kind": "search_skills", "query": "csv" }, "reasoning": "It needs one." },
    { "fail": "NETWORK_ERROR" }
  ]
}
`;

test('PSA-31: a script in YAML plays by its rules', async () => {
  const model = scripted(parseScript(rulesYaml, { fileName: 'pdf.yaml' }));
  const signal = new AbortController().signal;
  const base = { system: '', tools: [], actions: agentActionKinds, answerSchema: {} };
  const first = { role: 'user', content: 'Read a.pdf' } as const;
  const selected = await model.decide({ ...base, messages: [first] }, { signal });
  expect(JSON.parse(selected.text)).toMatchObject({
    action: { kind: 'select_skills', skills: [{ name: 'pdf' }] },
    plan_update: { kind: 'replace' },
  });
  const messages = [
    first,
    { role: 'assistant', content: selected.text },
    { role: 'observation', ok: true, content: '' },
  ] as const;
  await expect(model.decide({ ...base, messages }, { signal })).rejects.toSatisfy((error) =>
    SkillsError.is(error, 'TIMEOUT'),
  );
  const answered = await model.decide({ ...base, messages }, { signal });
  expect(JSON.parse(answered.text)).toEqual({ action: { kind: 'final_answer', content: 'Read a.pdf.' } });
});

test('PSA-31: a script in JSON is a list of replies, read the same as YAML', () => {
  const expected = [
    { action: { kind: 'search_skills', query: 'pdf' } },
    { say: '', finish: 'refused' },
    { say: 'a', finish: undefined, reasoning: 'Why not.', usage: { inputTokens: 5, cost: 0.5 } },
    { decide: { action: { kind: 'search_skills', query: 'csv' } }, reasoning: 'It needs one.' },
    { fail: 'NETWORK_ERROR', message: undefined },
  ];
  expect(parseScript(repliesJson, { fileName: 'a.JSON' })).toEqual(expected);
  expect(parseScript(`\uFEFF${repliesJson}`, { fileName: 'a.yml' })).toEqual(expected);
});

test.for([
  ['nothing', '', 'a.yaml', 'is not valid: expected an object, found null'],
  ['neither list', '{}', 'a.yaml', 'is not valid: expected either replies or rules.'],
  ['both lists', 'replies: [{ say: a }]\nrules: [{ say: a }]', 'a.yaml', 'expected either replies or rules.'],
  ['no replies', 'replies: []', 'a.yaml', 'at replies: expected at least 1 items'],
  [
    'a condition with a slip',
    'rules: [{ when: { skilActive: pdf }, say: a }]',
    'a.yaml',
    'at rules.0.when: there is no “skilActive”',
  ],
  ['no reply', 'rules: [{ when: { turn: 1 } }]', 'a.yaml', 'at rules.0: expected exactly one of decide, say and fail.'],
  ['two replies', 'replies: [{ say: a, fail: TIMEOUT }]', 'a.yaml', 'at replies.0: expected exactly one of'],
  ['a lonely message', 'replies: [{ say: a, message: b }]', 'a.yaml', 'expected message only beside fail'],
  ['a lonely finish', 'replies: [{ fail: TIMEOUT, finish: stop }]', 'a.yaml', 'expected finish only beside say'],
  [
    'a failure that thought',
    'replies: [{ fail: TIMEOUT, reasoning: a }]',
    'a.yaml',
    'expected reasoning only beside decide',
  ],
  [
    'half a token',
    'replies: [{ say: a, usage: { inputTokens: 0.5 } }]',
    'a.yaml',
    'at replies.0.usage.inputTokens: expected',
  ],
  [
    'a cost below 0',
    'replies: [{ say: a, usage: { cost: -1 } }]',
    'a.yaml',
    'at replies.0.usage.cost: expected at least 0',
  ],
  ['a slip in usage', 'replies: [{ say: a, usage: { tokens: 1 } }]', 'a.yaml', 'there is no “tokens”'],
  [
    'an unknown code',
    'replies: [{ fail: NOPE }]',
    'a.yaml',
    'at replies.0.fail: expected a code of an error, such as TIMEOUT, found “NOPE”',
  ],
  [
    'a decision that is none',
    'rules: [{ decide: { kind: fly } }]',
    'a.yaml',
    'at rules.0.decide: The answer has no action.kind',
  ],
  [
    'a bad expression',
    "rules: [{ when: { saw: { regex: '(' } }, say: a }]",
    'a.yaml',
    'at rules.0.when.saw.regex: Invalid regular expression',
  ],
  ['bad flags', 'rules: [{ when: { saw: { regex: a, flags: g } }, say: a }]', 'a.yaml', 'at rules.0.when.saw'],
  [
    'a turn of 0',
    'rules: [{ when: { turn: 0 }, say: a }]',
    'a.yaml',
    'at rules.0.when.turn: expected at least 1, found 0',
  ],
  ['YAML with a slip', 'rules:\n  - say: "a', 'a.yaml', 'at line'],
  ['a key that stands twice', 'rules:\n  - say: a\n    say: b', 'a.yaml', 'the key “say” stands twice in one map'],
  ['JSON with a slip', '{ "replies": [', 'a.json', 'a.json is not JSON'],
  ['YAML in a .json', 'replies: [{ say: a }]', 'a.json', 'a.json is not JSON'],
  ['too many levels', `replies: ${'['.repeat(20_000)}`, 'a.yaml', 'The script a.yaml is not valid'],
  [
    'too many aliases',
    `a: &a [${'x,'.repeat(50)}]\n${Array.from({ length: 9 }, (_, index) => `${'bcdefghij'[index] ?? ''}: &${'bcdefghij'[index] ?? ''} [${`*${'abcdefghi'[index] ?? ''},`.repeat(50)}]`).join('\n')}`,
    'a.yaml',
    'alias',
  ],
  ['YAML with a slip below an empty line', '\nrules: @\n', 'a.yaml', 'at line 2.'],
  ['too much JSON', `{ "replies": ["${'x'.repeat(524_288)}"] }`, 'a.json', 'at most 524288'],
  ['too much', 'x'.repeat(600_000), 'a.yaml', 'of YAML at most 131072 are read, of JSON 524288'],
] as const)(
  'PSA-31: a script with %s is refused, with the place and what was expected',
  ([, text, fileName, words]) => {
    const error = caught(() => parseScript(text, { fileName }));
    expect(SkillsError.is(error, 'INVALID_CONFIG'), String(error)).toBe(true);
    expect(String(error)).toContain(words);
  },
);

test('a script of another version is refused', () => {
  const error = caught(() => parseScript('{ "formatVersion": 2, "replies": [] }', { fileName: 'a.json' }));
  expect(SkillsError.is(error, 'UNSUPPORTED_FORMAT'), String(error)).toBe(true);
});

test('what is no text is refused with the name of the script, as where there was none to hand in', () => {
  for (const nothing of [JSON.stringify(undefined), null, 7, { replies: [] }]) {
    for (const fileName of ['script.json', 'script.yaml']) {
      expect(() => parseScript(nothing as string, { fileName })).toThrow(
        expect.objectContaining({
          code: 'INVALID_CONFIG',
          message: `The script ${fileName} is not there, or is no text.`,
        }),
      );
    }
  }
});

test('whatever a file holds, it is read or refused with a code, soon', () => {
  const started = performance.now();
  for (const piece of ['a:\n', '- ', '{', '? ', '&a ', '*a ', '"', "rules: [{say: '", '\t', '!!js ', '<<: ']) {
    const error = caughtOrUndefined(() => parseScript(piece.repeat(10_000 / piece.length), { fileName: 'a.yaml' }));
    expect(SkillsError.is(error), String(error)).toBe(true);
  }
  expect(performance.now() - started).toBeLessThan(20_000);
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('a.yaml', 'a.json'), (text, fileName) => {
      const error = caughtOrUndefined(() => parseScript(text, { fileName }));
      expect(error === undefined || SkillsError.is(error), String(error)).toBe(true);
    }),
  );
});

const schemaFile = new URL('../../schemas/scripted-model.schema.json', import.meta.url);

test('PSA-31: the published schema of a script is the one that is read with, decisions included', async () => {
  const decision = decisionSchema(agentActionKinds) as { properties: { action: { anyOf: object[] } } };
  const decide = { anyOf: [decision, ...decision.properties.action.anyOf] };
  const { $schema, ...rest } = z.toJSONSchema(scriptSchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.properties !== undefined && 'decide' in jsonSchema.properties) {
        jsonSchema.properties['decide'] = { $ref: '#/$defs/decide' };
      }
    },
  });
  const schema = {
    $schema,
    $id: 'urn:skillpack:schema:scripted-model:1',
    title: 'A script for a scripted model',
    ...rest,
    $defs: { decide },
  };
  // After a change on purpose, `vitest run packages/model-adapters -u` writes the file anew.
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(fileURLToPath(schemaFile));
});

test('PSA-31: a validator that is not ours accepts these scripts by the published schema, and no slip', () => {
  const schema = JSON.parse(readFileSync(schemaFile, 'utf8')) as AnySchema;
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
  expect([validate(readScriptYaml(rulesYaml)), validate.errors]).toEqual([true, null]);
  expect(validate(JSON.parse(repliesJson))).toBe(true);
  expect(validate({ rules: [{ when: { skilActive: 'pdf' }, say: 'a' }] })).toBe(false);
  expect(validate({ rules: [{ decide: { action: { kind: 'fly' } } }] })).toBe(false);
});

test('PSA-31: the scripts on the page on models are read', () => {
  const page = readFileSync(new URL('../../../../docs/models.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gmu)].map(([, yaml = '']) => yaml);
  expect(blocks).toHaveLength(2);
  for (const yaml of blocks) expect(parseScript(yaml, { fileName: 'page.yaml' })).toBeDefined();
});

function caughtOrUndefined(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

function caught(run: () => unknown): unknown {
  const error = caughtOrUndefined(run);
  if (error === undefined) throw new Error('nothing was thrown');
  return error;
}
