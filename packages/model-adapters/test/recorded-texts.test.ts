import { createRedactor, secretValuesOf, SkillsError, type ModelRequest } from '@skillpack/core';
import {
  memoryCassette,
  recorded,
  scripted,
  type MemoryCassette,
  type RecordedOptions,
} from '@skillpack/model-adapters';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calling, decided, errorOf, requestOf, saw, user } from './recorded-ground.js';

async function record(request: ModelRequest, said: string, options: RecordedOptions = {}): Promise<MemoryCassette> {
  const cassette = memoryCassette();
  const model = await recorded(scripted([{ say: said }]), cassette, { ...options, mode: 'record' });
  // What is recorded changes nothing of what happens.
  expect((await model.decide(request, calling())).text).toBe(said);
  await model.close();
  return cassette;
}

async function replay(cassette: MemoryCassette, request: ModelRequest, options: RecordedOptions = {}): Promise<string> {
  return (await (await recorded(undefined, cassette, options)).decide(request, calling())).text;
}

const secret = 'tr0ub4dor&"3';

test('PSA-29: no secret reaches a cassette: of a system text, a message, a tool, an answer, however it is written', async () => {
  const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
  const url = 'https://ada:hunter22@host.test/x';
  const [base64, json, percent] = [btoa(secret), JSON.stringify({ key: secret }), encodeURIComponent(secret)];
  const escaped = `{"key":"tr0ub4dor\\u0026\\"3"} {"key":"\\u0074r0ub4dor&\\"3"} ghp_\\u0061bcdefghijklmnopqrstuvwxyz0123456789`;
  const all = [secret, base64, json, percent, escaped, token, url].join('\n');
  const inputSchema = { type: 'object', properties: { [secret]: { description: all } } };
  const request = requestOf([user(all), decided(all), saw(all)], {
    system: all,
    tools: [{ name: 'read', description: all, inputSchema }],
  });
  const redact = createRedactor({ values: secretValuesOf({ MY_API_KEY: secret }) });
  const cassette = await record(request, all, { redact });
  const text = cassette.text ?? '';
  const unescaped = text.replace(/\\u([\da-f]{4})/giu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  for (const hidden of ['tr0ub4dor', base64, percent, token, token.slice(4), 'hunter22']) {
    expect(text, hidden).not.toContain(hidden);
    expect(unescaped, hidden).not.toContain(hidden);
  }
  expect(await replay(cassette, request, { redact })).toContain('[redacted:value]');
});

test('PSA-29: an error of a provider is recorded without what is secret in its message', async () => {
  const cassette = memoryCassette();
  const model = {
    name: 'mine:one',
    contextTokens: 9,
    decide: async () => {
      throw new SkillsError('UNAUTHORIZED', `The key ${secret} is not valid.`, { hint: `Not ${secret}.` });
    },
  };
  const redact = createRedactor({ values: [secret] });
  const recording = await recorded(model, cassette, { mode: 'record', redact });
  expect((await errorOf(recording.decide(requestOf([user('x')]), calling()))).message).toContain(secret);
  await recording.close();
  expect(cassette.text).toContain('is not valid');
  expect(cassette.text).not.toContain('tr0ub4dor');
});

test('PSA-29: a request has the same key whether a secret is in the environment or not, and whichever it is', async () => {
  const redactorOf = (value: string | undefined) => ({
    redact: createRedactor({ values: secretValuesOf({ MY_API_KEY: value, PATH: '/bin' }) }),
  });
  const request = requestOf([user('Read a.pdf.')]);
  const cassette = await record(request, 'recorded', redactorOf(secret));
  expect(await replay(cassette, request, redactorOf(undefined))).toBe('recorded');
  expect(await replay(cassette, request)).toBe('recorded');
  const held = (value: string) => requestOf([user(`The key is ${value}.`)]);
  const withSecret = await record(held(secret), 'recorded', redactorOf(secret));
  expect(await replay(withSecret, held('another-value-9'), redactorOf('another-value-9'))).toBe('recorded');
});

const folders = (folder: string, home: string): RecordedOptions => ({
  replace: [
    { from: folder, to: '{workspace}' },
    { from: home, to: '{home}' },
  ],
});

test('PSA-29: what was recorded in one folder replays in another, and answers name the other one', async () => {
  const requestIn = (folder: string, home: string) =>
    requestOf(
      [user(`Read ${folder}/a.pdf.`), decided(`{"args":["${folder}/a.pdf"]}`), saw(`In ${folder}:\n${home}/x`)],
      {
        system: `Workspace: ${folder}`,
      },
    );
  const [here, there] = [
    ['/home/ada/project', '/home/ada'],
    ['/tmp/w.1+(x)', '/root'],
  ] as const;
  const cassette = await record(
    requestIn(...here),
    `{"path":"${here[0]}/a.pdf","home":"${here[1]}/x"}`,
    folders(...here),
  );
  expect(cassette.text).not.toContain('/home/ada');
  expect(await replay(cassette, requestIn(...there), folders(...there))).toBe(
    `{"path":"${there[0]}/a.pdf","home":"${there[1]}/x"}`,
  );
  const elsewhere = errorOf((await recorded(undefined, cassette)).decide(requestIn(...there), calling()));
  expect((await elsewhere).message).toContain('- Read {workspace}/a.pdf.\n+ Read /tmp/w.1+(x)/a.pdf.');
});

test('PSA-29: a folder of Windows is put back as JSON writes it', async () => {
  const here = { replace: [{ from: '/work', to: '{workspace}' }] };
  const there = { replace: [{ from: String.raw`C:\Users\ada`, to: '{workspace}' }] };
  const said = (folder: string) => JSON.stringify({ path: `${folder}/a.pdf` });
  const cassette = await record(requestOf([user('/work'), decided(said('/work'))]), said('/work'), here);
  const folder = String.raw`C:\Users\ada`;
  expect(await replay(cassette, requestOf([user(folder), decided(said(folder))]), there)).toBe(said(folder));
});

test('PSA-29: only whole names are replaced, also behind an escape of JSON', async () => {
  const text = String.raw`/app /app/x /opt/app /application /app-2 "\n/app/y" \u0009/app my/app /app. (/app)`;
  const cassette = await record(requestOf([user(text)]), text, { replace: [{ from: '/app', to: '{w}' }] });
  expect(cassette.text).toContain(
    JSON.stringify(String.raw`{w} {w}/x /opt/app /application /app-2 "\n{w}/y" \u0009{w} my/app {w}. ({w})`),
  );
});

test('PSA-29: replacements that cannot be undone are refused', async () => {
  for (const replace of [
    [{ from: '', to: '{w}' }],
    [{ from: '/a', to: '' }],
    [{ from: '/a', to: '/a/b' }],
    [
      { from: '/a', to: '{w}' },
      { from: '/b', to: '{w}' },
    ],
    [
      { from: '/a', to: '{w}' },
      { from: '/a', to: '{v}' },
    ],
    [
      { from: '/a', to: '{w}' },
      { from: '{w}', to: '{v}' },
    ],
  ]) {
    const error = await errorOf(recorded(scripted([]), memoryCassette(), { mode: 'record', replace }));
    expect(error.code, JSON.stringify(replace)).toBe('USAGE');
  }
});

test('PSA-29: whatever is said in whichever folder, the answer in another folder is the one with that folder', async () => {
  const folder = fc.stringMatching(/^\/[a-z][a-z0-9./_-]{2,12}[a-z0-9]$/u);
  const words = fc.array(fc.constantFrom('W', '/x', 'a.pdf', ' ', ' W/b ', '\n', '.'), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(folder, folder, words, words, async (here, there, asked, said) => {
      const inFolder = (parts: readonly string[], name: string): string =>
        JSON.stringify(parts.map((part) => part.replace('W', () => name)));
      const options = (from: string): RecordedOptions => ({ replace: [{ from, to: '{workspace}' }] });
      const texts = [asked, said].map((parts) =>
        parts.map((part) => (part.includes('W') ? part : part.replaceAll('/', ':'))),
      );
      const [question = [], answer = []] = texts;
      const cassette = await record(requestOf([user(inFolder(question, here))]), inFolder(answer, here), options(here));
      const request = requestOf([user(inFolder(question, there))]);
      expect(await replay(cassette, request, options(there))).toBe(inFolder(answer, there));
    }),
  );
});

test('PSA-29: how much time a run has left makes it no other request; what else it has left does', async () => {
  const left = (words: string) => requestOf([user(`Go.\n\n<run_state>\nturn 1\nleft: ${words}\n</run_state>`)]);
  const said = 'What is\nleft: 5 seconds';
  const cassette = await record(left('11 turns, 30 actions, 10 scripts, 599 seconds, $1.00'), said);
  expect(await replay(cassette, left('11 turns, 30 actions, 10 scripts, 3 seconds, $1.00'))).toBe(said);
  for (const other of [
    '10 turns, 30 actions, 10 scripts, 599 seconds, $1.00',
    '11 turns, 30 actions, 10 scripts, 599 seconds, $0.50',
  ])
    expect((await errorOf((await recorded(undefined, cassette)).decide(left(other), calling()))).code).toBe(
      'RECORDING_NOT_FOUND',
    );
});

test('PSA-29: a secret that is spelled with escapes reaches no cassette: of any character, and of JSON within JSON', async () => {
  const secrets = ['pässwört-geheim', 'пароль-сильный', 'plain-Secret-123', 'a"b\\c/d-secret', '\u{1F511}\u{1F511}key'];
  const inUnits = (text: string): string =>
    Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const writings: readonly ((text: string) => string)[] = [
    inUnits,
    (text) => inUnits(text).replace(/[\da-f]{4}/gu, (code) => code.toUpperCase()),
    // As PHP writes JSON, and as Python does.
    (text) => inJson(text).replaceAll('/', String.raw`\/`),
    (text) => inJson(text).replace(/[^\0-\x7F]+/gu, inUnits),
    (text) => Array.from(text, (character, index) => (index % 2 ? inUnits : inJson)(character)).join(''),
  ];
  const redact = createRedactor({ values: secrets });
  for (const [hidden, write] of secrets.flatMap((one) => writings.map((way) => [one, way] as const))) {
    for (const written of [write(hidden), inJson(write(hidden))]) {
      const said = `{"action":{"kind":"final_answer","content":"It is ${written} there."}}`;
      const cassette = await record(requestOf([user('go'), saw(`{"key":"${written}"} \\u0041`)]), said, { redact });
      expect(cassette.text?.match(/\[redacted:value\]/gu), written).toHaveLength(2);
    }
  }
  const harmless = String.raw`C:\\users\\uabcd \u0041 \\u0041 \/ "\n"`;
  const cassette = await record(requestOf([user(harmless)]), harmless, { redact });
  expect(JSON.parse(cassette.text?.split('\n')[3] ?? '')).toMatchObject({ answer: { text: harmless } });
});

test('PSA-29: what is put back is not looked at again, and two texts that JSON writes alike cannot be told apart', async () => {
  const replace = [
    { from: '/x/{b}', to: '{a}' },
    { from: '/y', to: '{b}' },
  ];
  const cassette = await record(requestOf([user('/x/{b} /y')]), 'It is /x/{b}, and /y.', { replace });
  expect(cassette.text).toContain('It is {a}, and {b}.');
  expect(await replay(cassette, requestOf([user('/x/{b} /y')]), { replace })).toBe('It is /x/{b}, and /y.');
  const alike = [
    { from: String.raw`C:\Ada`, to: '{a}' },
    { from: String.raw`C:\\Ada`, to: '{b}' },
  ];
  expect((await errorOf(recorded(scripted([]), memoryCassette(), { mode: 'record', replace: alike }))).code).toBe(
    'USAGE',
  );
});

test('PSA-29: a replacement breaks no secret in two, and makes none', async () => {
  const replace = [{ from: '/home/ada', to: '{home}' }];
  for (const secretPath of ['/home/ada/key-123', '{home}/key-123']) {
    const redact = createRedactor({ values: [secretPath] });
    const cassette = await record(requestOf([user('go')]), 'It is /home/ada/key-123 there.', { redact, replace });
    expect(cassette.text).not.toContain('key-123');
  }
});

test('PSA-29: the output of a script that names its folder is the same in another folder, however long its path is', async () => {
  const [here, there] = ['/home/ada/project', '/tmp/x'];
  const after = (folder: string, said = 'three pages') =>
    requestOf([
      user('go'),
      saw(
        `pages.sh ended with exit code 0.\nIts stdout, ${folder.length + 20} bytes:\n\`\`\`\n${folder}: ${said}\n\`\`\`\nIts stderr, ${folder.length} bytes:\n${folder}`,
      ),
    ]);
  const cassette = await record(after(here), 'Three.', { replace: [{ from: here, to: '{workspace}' }] });
  const options = { replace: [{ from: there, to: '{workspace}' }] };
  expect(await replay(cassette, after(there), options)).toBe('Three.');
  const other = (await recorded(undefined, cassette, options)).decide(after(there, 'four pages'), calling());
  expect((await errorOf(other)).code).toBe('RECORDING_NOT_FOUND');
});
