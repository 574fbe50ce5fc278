import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDecisionStream, createRedactor, redactNothing, startRun, type AgentOptions } from '../../src/index.js';
import { DeltaRedactor } from '../../src/agent/redact-deltas.js';
import { redactAnswer } from '../../src/agent/redact-answer.js';
import { formsOf, rememberForms } from '../../src/agent/record/redactor-forms.js';
import { agentActionKinds } from '../../src/model/decision-schema.js';
import { agentWorld, named } from '../agent/agent-world.js';

const values = ['correct horse battery', 'hunter2\u{1F600}"é\n\\x/secret', 'abcdef', 'defghi', '口令 一二三四'];
const redact = createRedactor({ values });

/** What is told of an answer that arrives in these pieces, and what the record would hold of it. */
function stream(pieces: readonly string[], redactor = redact) {
  const told: string[] = [];
  const deltas = new DeltaRedactor(redactor, (delta) => told.push(delta));
  for (const piece of pieces) deltas.push(piece);
  const before = told.join('');
  const recorded = redactAnswer(pieces.join(''), redactor, { actions: agentActionKinds });
  deltas.end(recorded);
  return { told, before, recorded };
}

const action = (content: string): string => JSON.stringify({ action: { kind: 'final_answer', content } });

const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEow IBAAKC\nAQEA\n-----END RSA PRIVATE KEY-----';
const hidden: readonly (readonly [what: string, text: string, secret: string])[] = [
  ['a value', action('It is correct horse battery, as you know.'), 'correct horse battery'],
  ['a value with escapes', action(`It is ${values[1]} today.`), JSON.stringify(values[1]).slice(1, -1)],
  [
    'a value in escapes',
    action('It is X today.').replace('X', String.raw`c\u006frrect\u0020horse b\u0061ttery`),
    String.raw`c\u006frrect\u0020horse b\u0061ttery`,
  ],
  ['two values that overlap', action('So abcdefghi it is.'), 'abcdefghi'],
  ['a value of wide characters', action('口令是口令 一二三四。好'), '口令 一二三四'],
  [
    'a value in base64',
    action(`me ${Buffer.from('me:correct horse battery').toString('base64')} you`),
    'Y29ycmVjdCBob3JzZSBiYXR0ZXJ5',
  ],
  ['a token', action('Use ghp_0123456789abcdeFghijABCDEFGHIJ012345 for it.'), 'ghp_0123456789abcdeFghij'],
  [
    'a token at the beginning of a line',
    action('Use\nghp_0123456789abcdeFghijABCDEFGHIJ012345 for it.'),
    'ghp_0123456789abcdeFghij',
  ],
  ['a header', action('Say Authorization: Bearer abcdefghij then.'), 'abcdefghij'],
  ['a word after bearer', action('Say bearer 0a1b2c3d4e5f then.'), '0a1b2c3d4e5f'],
  [
    'an assignment',
    action('aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY end'),
    'wJalrXUtnFEMI/K7MDENG',
  ],
  ['a URL', action('See https://me:hunter2@db.example/x?token=abc123 for it.'), 'hunter2'],
  ['a private key', action(`Here: ${pem} and more words.`), 'MIIEow'],
  ['a private key that does not end', action(`Here: ${pem.slice(0, 60)}`), 'MIIEow'],
  ['no decision', 'I think that correct horse battery is it.', 'correct horse battery'],
  [
    'JSON within JSON',
    JSON.stringify(action('Z')).replace('Z', String.raw`c\\u006frrect horse b\\u0061ttery`),
    String.raw`c\\u006frrect horse b\\u0061ttery`,
  ],
];

/** Whether something of a secret is in a text: its first characters, behind which nothing can be told of it any more. */
function showsBeginning(text: string, answer: string, secret: string): boolean {
  const at = answer.indexOf(secret);
  return text.length > at && text.slice(0, at) === answer.slice(0, at) && text.slice(at).startsWith(secret.charAt(0));
}

test.each(hidden)('of %s that is cut at any place, no beginning is told', (_, answer, secret) => {
  expect(answer).toContain(secret);
  for (let cut = 0; cut <= answer.length; cut += 1) {
    const { told, before, recorded } = stream([answer.slice(0, cut), answer.slice(cut)]);
    expect(recorded).not.toContain(secret);
    expect(told.join(''), `${cut}`).toBe(recorded);
    expect(recorded.startsWith(before)).toBe(true);
    // Also where the rest never comes.
    expect(showsBeginning(stream([answer.slice(0, cut)]).before, answer, secret), `${cut}: ${before}`).toBe(false);
  }
});

test.each(hidden)('of %s that arrives character by character, no beginning is told', (_, answer, secret) => {
  const { told, recorded } = stream([...answer]);
  expect(told.join('')).toBe(recorded);
  expect(told.every((__, count) => !showsBeginning(told.slice(0, count + 1).join(''), answer, secret))).toBe(true);
});

test('whatever arrives in whatever pieces, it comes to what the record holds, and to no secret', () => {
  const part = fc.oneof(
    fc.constantFrom(...values, ...values.flatMap((value) => [value.slice(0, 4), value.slice(3)])),
    fc.constantFrom(
      ' ',
      '\n',
      '，',
      'Bearer ',
      'https://a:b@c/?token=x',
      'sk-',
      'eyJabcdefgh.abcdefgh',
      '\\',
      '"',
      '{',
      pem,
    ),
    fc.constantFrom('\\u0061', '\\ud83d', '\\ude00', '\\n', '\\\\', '\\u00', '-----BEGIN ', ':'),
    fc.string({ maxLength: 8, unit: 'binary' }),
  );
  const text = fc.tuple(fc.boolean(), fc.array(part)).map(([asAction, parts]) => {
    return asAction ? action(parts.join('')) : parts.join('');
  });
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 12 }), { maxLength: 40 }), (answer, sizes) => {
      const pieces: string[] = [];
      let from = 0;
      for (const size of sizes) pieces.push(answer.slice(from, (from += size)));
      pieces.push(answer.slice(from));
      const { told, recorded, before } = stream(pieces);
      expect(recorded.startsWith(before)).toBe(true);
      expect(told.join('')).toBe(recorded);
      for (const value of values) expect(told.join('')).not.toContain(value);
    }),
    { numRuns: 500 },
  );
});

test('what is a secret only as it is written, with its escapes, comes to what the record holds, too', () => {
  const text = action('So X it is.').replace('X', String.raw`\u00abcd efgh`);
  expect(JSON.parse(text)).toMatchObject({ action: { content: 'So «cd efgh it is.' } });
  const { told, recorded } = stream([...text], createRedactor({ values: ['abcd efgh'] }));
  expect(recorded).not.toContain('abcd efgh');
  expect(told.join('')).toBe(recorded);
});

test('an answer without secrets is told word by word, in a script without spaces character by character', () => {
  const words = 'The plan is simple and short, and so is the answer.';
  expect(stream([...words]).told).toStrictEqual(words.split(/(?<= )/u));
  expect(stream([...'今天的天气很好。']).told).toStrictEqual([...'今天的天气很好。']);
});

test('how often a long word is looked at does not grow with how many pieces it comes in', () => {
  let looks = 0;
  const counting = (text: string): string => {
    looks += 1;
    return redact(text);
  };
  rememberForms(counting, formsOf(redact) ?? []);
  const text = 'x'.repeat(20_000);
  const told: string[] = [];
  const deltas = new DeltaRedactor(counting, (delta) => told.push(delta));
  for (const character of text) deltas.push(character);
  expect(looks).toBeLessThan(500);
  deltas.end(text);
  expect(told).toStrictEqual([text]);
});

async function toldBy(answer: string, options: Partial<AgentOptions>): Promise<readonly string[]> {
  const world = agentWorld([answer]);
  const model = {
    ...world.model,
    decide: async (...[request, given]: Parameters<typeof world.model.decide>) => {
      const said = await world.model.decide(request, given);
      for (const character of said.text) given.onText?.(character);
      return said;
    },
  };
  const told: string[] = [];
  const run = await startRun({ ...world.ports, model }, named(options));
  await run.ask('Go.', { onText: (delta) => told.push(delta) });
  expect(told.join('')).toBe(world.of('model_answered')[0]?.text);
  return told;
}

test('what a run tells while the model writes has no secret either, and is what the record holds', async () => {
  const text = action('It is correct horse battery, as you know.');
  const told = await toldBy(text, { redact });
  expect(told.length).toBeGreaterThan(4);
  expect(told.join('')).toContain('It is [redacted:value], as you know.');
  const shown: string[] = [];
  const reader = createDecisionStream(({ delta }) => shown.push(delta));
  for (const delta of told) reader.push(delta);
  expect(shown.join('')).toBe('It is [redacted:value], as you know.');
  // Of a function of somebody else's, nobody knows what it takes out.
  expect(await toldBy(text, { redact: (given) => redact(given) })).toHaveLength(1);
  expect(await toldBy(text, { redact: redactNothing })).toStrictEqual([...text]);
});

test('a model that tells nothing while it writes tells nothing at its end', async () => {
  const told: string[] = [];
  const run = await startRun(agentWorld([action('Done.')]).ports, named({ redact }));
  await run.ask('Go.', { onText: (delta) => told.push(delta) });
  expect(told).toStrictEqual([]);
});
