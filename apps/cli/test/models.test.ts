import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { chat, messages, type Provider, sayInForm, send } from '../../../test/provider-server.js';
import { createAgentWorld, writeInProject } from './agent-world.js';
import { greetingDecisions, refuse, sentKey, startModelServer } from './model-server.js';
import { finished, type World } from './run-skills.js';

// A test runs several commands, each of which is a process.
vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createAgentWorld();
});
afterEach(() => world.remove());

async function served(...options: Parameters<typeof startModelServer>): Promise<Provider> {
  const provider = await startModelServer(...options);
  onTestFinished(async () => provider.close());
  return provider;
}

const installed = join(import.meta.dirname, '..', '..', '..', 'packages', 'model-adapters', 'node_modules');

/** Installs a real package. @param folder that `node_modules` is in. */
function install(name: string, folder: string): void {
  const path = join(folder, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(installed, name), path);
}

/** Installs a package that says no more than this. */
function installFake(name: string, folder: string, source: string): void {
  const path = join(folder, 'node_modules', name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name, type: 'module', exports: { '.': './main.js' } }));
  writeFileSync(join(path, 'main.js'), source);
}

function textsIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

const task = ['run', 'Greet Ada, please.', '--model'];
const answer = 'Hello, Ada. – 三ページ\nIn two lines.\n';

test.each([
  ['openai:gpt-5', chat, (url: string) => ({ OPENAI_API_KEY: sentKey, OPENAI_BASE_URL: `${url}/v1` })],
  ['anthropic:claude-sonnet-4-5', messages, (url: string) => ({ ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: url })],
  [
    'anthropic:claude-sonnet-4-5',
    messages,
    (url: string) => ({ ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: `${url}/v1/` }),
  ],
  ['openai-compatible:URL/v1#small', chat, () => ({ SKILLS_MODEL_API_KEY: sentKey })],
  [
    'ai-sdk:@ai-sdk/anthropic#claude-sonnet-4-5',
    messages,
    (url: string) => ({ ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: `${url}/v1` }),
  ],
] as const)(
  'PSA-29: an agent works with %s over HTTP, and its key stands in a header alone',
  async (spec, protocol, env) => {
    const provider = await served(protocol);
    install('@ai-sdk/anthropic', world.project);
    const model = spec.replace('URL', provider.origin);
    const ran = await world.run([...task, model, '--trust-project', '--verbose'], { env: env(provider.origin) });
    expect([ran.exitCode, ran.stdout]).toEqual([0, answer]);
    expect(ran.stderr).toContain('read greet … ok');
    expect(ran.stderr).toMatch(/^20 tokens in, 10 out(?:, \$0\.\d+)?\nrecorded in /mu);
    expect(provider.calls).toHaveLength(2);
    for (const { headers, text } of provider.calls) {
      expect(headers['authorization'] ?? headers['x-api-key']).toContain(sentKey);
      expect(text).not.toContain(sentKey);
    }
    const shown = await world.run(['runs', 'show', 'last', '--json']);
    expect(shown.json().data).toMatchObject({ model, usage: { inputTokens: 20, outputTokens: 10 } });
    for (const text of [ran.stderr, shown.stdout, textsIn(world.home)]) expect(text).not.toContain(sentKey);
  },
);

test.each([
  ['openai:gpt-5', chat, 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  ['anthropic:claude-sonnet-4-5', messages, 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
  ['openai-compatible:URL#small', chat, 'SKILLS_MODEL_API_KEY', 'UNUSED'],
] as const)(
  'a key that %s repeats is taken out of what is told, recorded and kept',
  async (spec, protocol, variable, address) => {
    const decision = JSON.stringify({ action: { kind: 'final_answer', content: `The key is ${sentKey}.` } });
    const provider = await served(protocol, async (call, out) =>
      send(protocol, { call, out }, sayInForm(call, decision)),
    );
    const url = `${provider.origin}/v1`;
    const words = [...task, spec.replace('URL', url), '--record', 'calls.jsonl'];
    const ran = await world.run(words, { env: { [variable]: sentKey, [address]: url } });
    expect([ran.exitCode, ran.stdout]).toEqual([0, expect.stringMatching(/^The key is .+\.\n$/u)]);
    for (const text of [ran.stdout, ran.stderr, textsIn(world.home)]) expect(text).not.toContain(sentKey);
  },
);

test.each(['abcdefghijklmnop', '1234567890123456'])(
  'a key is a secret whatever it looks like: %s stands nowhere, in the end',
  async (key) => {
    const decision = JSON.stringify({ action: { kind: 'final_answer', content: `The key is ${key}.` } });
    const provider = await served(chat, async (call, out) => send(chat, { call, out }, sayInForm(call, decision)));
    const url = `${provider.origin}/v1`;
    for (const [model, env] of [
      ['openai:gpt-5', { OPENAI_API_KEY: ` ${key} `, OPENAI_BASE_URL: url }],
      [`openai-compatible:${url}#small`, { SKILLS_MODEL_API_KEY: ` ${key} ` }],
    ] as const) {
      const ran = await world.run([...task, model, '--record', 'calls.jsonl', '--verbose'], { env });
      expect([ran.exitCode, ran.stdout]).toEqual([0, 'The key is [redacted:value].\n']);
      for (const text of [ran.stdout, ran.stderr, textsIn(world.home)]) expect(text).not.toContain(key);
    }
  },
);

test.each(['abcdefghijklmnop', '1234567890123456'])(
  'a key %s of a package of the AI SDK, or of Anthropic, stands nowhere either',
  async (key) => {
    const said = `The key of ours is ${key}.`;
    const decision = JSON.stringify({ action: { kind: 'final_answer', content: said } });
    const provider = await served(messages, async (call, out) =>
      send(messages, { call, out }, sayInForm(call, decision)),
    );
    // The key of a service that this package has nothing to do with may be a word.
    const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: `${provider.origin}/v1`, MAPS_API_KEY: 'ours' };
    install('@ai-sdk/anthropic', join(world.home, '.agents'));
    for (const model of ['ai-sdk:@ai-sdk/anthropic#claude', 'anthropic:claude']) {
      const ran = await world.run([...task, model], { env });
      expect([ran.exitCode, ran.stdout]).toEqual([0, 'The key of ours is [redacted:value].\n']);
      for (const text of [ran.stderr, textsIn(world.home)]) expect(text).not.toContain(key);
    }
  },
);

test('each key goes to its own provider, whichever others there are', async () => {
  const keys = {
    OPENAI_API_KEY: 'sk-of-openai',
    ANTHROPIC_API_KEY: 'sk-of-anthropic',
    SKILLS_MODEL_API_KEY: 'sk-of-mine',
  };
  for (const [model, protocol, own] of [
    ['openai:gpt-5', chat, keys.OPENAI_API_KEY],
    ['anthropic:claude', messages, keys.ANTHROPIC_API_KEY],
    ['openai-compatible:URL/v1#small', chat, keys.SKILLS_MODEL_API_KEY],
    ['openai-compatible:URL/v1#small', chat, undefined],
  ] as const) {
    const { origin, calls } = await served(protocol);
    const bases = { OPENAI_BASE_URL: `${origin}/v1`, ANTHROPIC_BASE_URL: origin };
    const { SKILLS_MODEL_API_KEY: mine, ...others } = keys;
    const env = { ...others, ...bases, ...(own === undefined ? {} : { SKILLS_MODEL_API_KEY: mine }) };
    expect((await world.run([...task, model.replace('URL', origin)], { env })).stdout).toBe(answer);
    const sent = JSON.stringify(calls.map(({ headers, text }) => [headers, text]));
    expect([...new Set(sent.match(/sk-of-\w+/gu))]).toEqual(own === undefined ? [] : [own]);
  }
});

test('an address of a provider that holds a password is refused without it', async () => {
  for (const address of ['http://me:secret-word@127.0.0.1/v1', 'https://127.0.0.1/v1?key=secret-word']) {
    const env = { OPENAI_API_KEY: sentKey, OPENAI_BASE_URL: address };
    const { exitCode, stderr } = await world.run([...task, 'openai:gpt-5', '--verbose'], { env });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('OPENAI_BASE_URL is')]);
    expect(stderr).not.toContain('secret-word');
  }
});

test('a key is not sent over plain http to another machine, and a person is told what to do', async () => {
  for (const [model, env, keyless] of [
    ['openai:gpt-5', { OPENAI_API_KEY: sentKey, OPENAI_BASE_URL: 'http://models.example.com/v1' }, '<url>#<model>'],
    ['openai-compatible:http://models.example.com/v1#small', { SKILLS_MODEL_API_KEY: sentKey }, 'is not set.'],
  ] as const) {
    const { exitCode, stderr } = await world.run([...task, model], { env });
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('error[ADDRESS_REFUSED]')]);
    expect(stderr).toMatch(/^hint: Use https, or a tunnel .*SKILLS_MODEL_INSECURE=1/mu);
    expect(stderr).toMatch(new RegExp(`A server that wants no key is .*${keyless}`, 'u'));
    expect(stderr).not.toContain(sentKey);
  }
});

test('a package of the AI SDK says itself which key it lacks', async () => {
  install('@ai-sdk/anthropic', world.project);
  const { exitCode, stderr } = await world.run([...task, 'ai-sdk:@ai-sdk/anthropic#claude', '--trust-project']);
  expect([exitCode, stderr]).toEqual([4, expect.stringContaining('ANTHROPIC_API_KEY')]);
  expect(stderr).toContain('error[UNAUTHORIZED]');
});

test.each([
  ['openai:gpt-5', 'OPENAI_API_KEY', 'https://platform.openai.com/api-keys'],
  ['anthropic:claude-sonnet-4-5', 'ANTHROPIC_API_KEY', 'https://console.anthropic.com/settings/keys'],
])(
  'without a key for %s, a person is told which variable to set, and where to get one',
  async (model, variable, page) => {
    for (const env of [{}, { [variable]: '  ' }]) {
      const { exitCode, stderr } = await world.run([...task, model], { env });
      expect(exitCode).toBe(4);
      expect(stderr).toContain(`error[UNAUTHORIZED]`);
      expect(stderr).toContain(`${variable} is not set`);
      expect(stderr).toContain(page);
    }
  },
);

test.each([
  ['openai:', 2, 'says nothing behind its colon'],
  ['openai', 2, 'A model is named as openai:<model>'],
  ['openai-compatible:http://127.0.0.1:1/v1', 2, 'openai-compatible:<url>#<model>'],
  ['openai-compatible:http://me:secret-word@127.0.0.1/v1#m', 2, 'is no URL of a server'],
  ['openai-compatible:http://127.0.0.1/v1?secret-word=1#m', 2, 'is no URL of a server'],
  ['openia:http://me:secret-word@127.0.0.1/v1', 2, 'Did you mean openai?'],
  ['openai-compatible:file:///etc/passwd#m', 2, 'is no URL of a server'],
  ['ai-sdk:../evil#m', 2, 'is no name of a package'],
  ['ai-sdk:node:fs#m', 2, 'is no name of a package'],
  ['ai-sdk:@ai-sdk/mistral#m', 3, 'The package @ai-sdk/mistral is not installed'],
  ['recorded', 2, 'A model is named as recorded:<cassette>'],
  ['recorded:nothing.jsonl', 3, 'nothing.jsonl'],
  ['opanai:gpt-5', 2, 'Did you mean openai?'],
])('the model %s ends with %d, and what is wrong with it', async (model, exitCode, told) => {
  const env = { OPENAI_API_KEY: sentKey };
  const ran = await world.run([...task, model], { env });
  expect([ran.exitCode, ran.stdout]).toEqual([exitCode, '']);
  expect(ran.stderr).toContain(told);
  expect(ran.stderr).not.toContain('secret-word');
});

const refusal = (status: number, type: string, message: string) => ({
  status,
  body: { error: { type, code: type, message } },
});

test.each([
  [refusal(401, 'invalid_api_key', `Incorrect API key provided: ${sentKey}`), 'UNAUTHORIZED', 4],
  [refusal(404, 'model_not_found', 'The model `small` does not exist'), 'MODEL_NOT_FOUND', 3],
  [refusal(400, 'context_length_exceeded', 'maximum context length is 4096 tokens'), 'CONTEXT_TOO_LONG', 4],
  [refusal(400, 'invalid_value', 'temperature is too high'), 'REQUEST_REFUSED', 4],
])(
  'a provider that says %j ends the run with %s and %d, with the command that goes on with it',
  async (said, code, exitCode) => {
    const provider = await served(chat, async (_call, out) => refuse(out, said));
    const env = { SKILLS_MODEL_API_KEY: sentKey };
    const model = `openai-compatible:${provider.origin}/v1#small`;
    const ran = await world.run([...task, model], { env });
    expect([ran.exitCode, ran.stdout]).toEqual([exitCode, '']);
    expect(ran.stderr).toContain(`error[${code}]: `);
    expect(ran.stderr).toMatch(/^hint: .+ To let it go on: skills runs resume \S+ /mu);
    expect(ran.stderr).not.toContain(sentKey);
    const json = await world.run([...task, model, '--json'], { env });
    expect(json.json()).toMatchObject({ ok: false, error: { code, data: { run: expect.any(String) } } });
  },
);

test('in a chat, what keeps a model from being asked is told with what to do', async () => {
  const provider = await served(chat, async (_call, out) => refuse(out, refusal(401, 'invalid_api_key', 'No.')));
  const model = `openai-compatible:${provider.origin}/v1#small`;
  const { exitCode, stdout, stderr } = await world.runShell(`echo hello | "$NODE" "$SKILLS" chat --model '${model}'`);
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^the model could not be asked: .*No\./mu);
  expect(stderr).toMatch(/^hint: .+$/mu);
});

test('a server that is not there is told, after it was asked again', async () => {
  const provider = await startModelServer();
  await provider.close();
  const { exitCode, stderr } = await world.run([...task, `openai-compatible:${provider.origin}/v1#x`]);
  expect(exitCode).toBe(5);
  expect(stderr).toContain('error[NETWORK_ERROR]: ');
  expect(stderr).toContain(provider.origin.replace('http://', ''));
  expect(stderr).toMatch(/^waiting \d\.\d s before the model is asked again; Ctrl-C ends it$/mu);
});

test('a rate limit is waited for, a person sees how long, and the run goes on by itself', async () => {
  const provider = await served(chat, async (call, out, turn) => {
    if (turn === 0)
      await refuse(out, { ...refusal(429, 'rate_limit_exceeded', 'Slow down.'), headers: { 'retry-after': '2' } });
    else await send(chat, { call, out }, sayInForm(call, JSON.stringify(greetingDecisions[turn - 1])));
  });
  const ran = await world.run([...task, `openai-compatible:${provider.origin}/v1#small`]);
  expect([ran.exitCode, ran.stdout]).toEqual([0, answer]);
  expect(ran.stderr).toContain('Slow down.');
  expect(ran.stderr).toContain('waiting 2.0 s before the model is asked again; Ctrl-C ends it');
});

test.skipIf(process.platform === 'win32')(
  'Ctrl-C ends the waiting for a rate limit, and the run can go on',
  async () => {
    const provider = await served(chat, async (_call, out) =>
      refuse(out, { ...refusal(429, 'rate_limit_exceeded', 'Slow down.'), headers: { 'retry-after': '50' } }),
    );
    const child = world.start([...task, `openai-compatible:${provider.origin}/v1#small`]);
    const done = finished(child);
    await new Promise<void>((resolve) => {
      child.stderr?.on('data', (text: string) => {
        if (text.includes('waiting 50 s')) resolve();
      });
    });
    child.kill('SIGINT');
    const { exitCode, stderr } = await done;
    expect(exitCode).toBe(130);
    expect(stderr).toContain('to go on: skills runs resume');
  },
);

test('a project chooses no model, no windows and prices of one, and no key', async () => {
  const provider = await served();
  const model = `openai-compatible:${provider.origin}/v1#small`;
  for (const chosen of [model, 'recorded:calls.jsonl', 'scripted']) {
    writeInProject(
      world,
      '.agents/config.json',
      JSON.stringify({ model: chosen, models: { small: {} }, apiKey: sentKey }),
    );
    const ran = await world.run(['run', 'Greet Ada, please.', '--trust-project']);
    expect([ran.exitCode, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toContain('No model is chosen that could decide.');
    expect(ran.stderr).toContain('“model” is left out: it counts only in a config.json of your own.');
    expect(ran.stderr).toContain('“models” is left out: it counts only in a config.json of your own.');
  }
  expect(provider.calls).toEqual([]);
});

test('a record does not choose a server: whoever goes on with the run says so, or has configured it', async () => {
  const provider = await served(chat, async (call, out, turn) =>
    turn === 0
      ? refuse(out, refusal(401, 'invalid_api_key', 'No.'))
      : send(chat, { call, out }, sayInForm(call, JSON.stringify(greetingDecisions[turn - 1]))),
  );
  const env = { SKILLS_MODEL: `openai-compatible:${provider.origin}/v1#small`, SKILLS_MODEL_API_KEY: sentKey };
  expect((await world.run(['run', 'Greet Ada, please.'], { env })).exitCode).toBe(4);
  const resume = ['runs', 'resume', 'last', '--trust-project'];
  const refused = await world.run(resume, { env: { SKILLS_MODEL_API_KEY: sentKey } });
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('The record says that the run was begun with'),
  ]);
  expect(provider.calls).toHaveLength(1);
  const ran = await world.run(resume, { env });
  expect([ran.exitCode, ran.stdout]).toEqual([0, answer]);
});

test('what a model costs is told by the person’s own table', async () => {
  const provider = await served();
  const table = { small: { contextTokens: 50_000, prices: { input: 100, output: 1000 } } };
  const config = join(world.home, '.agents', 'config.json');
  const model = [...task, `openai-compatible:${provider.origin}/v1#small`];
  writeFileSync(config, JSON.stringify({ models: table }));
  expect((await world.run(model)).stderr).toContain('20 tokens in, 10 out, $0.012\n');
  writeFileSync(config, JSON.stringify({ models: 'models.json' }));
  const missing = await world.run(model);
  expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining('error[INVALID_CONFIG]')]);
  writeFileSync(join(world.home, '.agents', 'models.json'), JSON.stringify({ formatVersion: 1, models: table }));
  expect((await world.run(model)).stderr).toContain('20 tokens in, 10 out, $0.012\n');
});

test('a package of the AI SDK is loaded from a project that is trusted, and from the person’s own folder', async () => {
  const provider = await served(messages);
  const env = { ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: `${provider.origin}/v1` };
  const name = '@ai-sdk/anthropic';
  const model = [...task, `ai-sdk:${name}#claude-sonnet-4-5`];
  installFake(name, world.project, "process.stderr.write('FOREIGN CODE RAN'); export const anthropic = 1;");
  const refused = await world.run(model, { env });
  expect([refused.exitCode, refused.stderr]).toEqual([4, expect.stringContaining('error[APPROVAL_REQUIRED]')]);
  expect(refused.stderr).not.toContain('FOREIGN');
  // The person's own comes first where the project is nobody's; their own configuration never means the project's.
  install(name, join(world.home, '.agents'));
  expect((await world.run(model, { env })).stdout).toBe(answer);
  writeFileSync(join(world.home, '.agents', 'config.json'), JSON.stringify({ model: model.at(-1) }));
  const configured = await world.run(['run', 'Greet Ada, please.', '--trust-project'], { env });
  expect([configured.exitCode, configured.stdout]).toEqual([0, answer]);
  const trusted = await world.run([...model, '--trust-project'], { env });
  expect([trusted.exitCode, trusted.stderr]).toEqual([2, expect.stringContaining('FOREIGN CODE RAN')]);
  expect(trusted.stderr).toContain('exports no provider of models that is ready to be used');
});

test('where a record alone does not choose the model, the commands that go on with its run name it', async () => {
  const model = 'openai-compatible:http://127.0.0.1:9/v1#small';
  const failed = await world.run([...task, model]);
  expect(failed.exitCode).not.toBe(0);
  for (const words of [
    ['runs', 'list'],
    ['runs', 'show', 'last'],
  ]) {
    expect((await world.run(words)).stdout).toMatch(
      /skills runs resume \S+ --trust-project --model 'openai-compatible:http:\/\/127\.0\.0\.1:9\/v1#small'/u,
    );
  }
  const refused = await world.run(['runs', 'resume', 'last', '--trust-project']);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining(`say --model '${model}'`)]);
});

test.each([
  ['openai:gpt-5', 'OPENAI'],
  ['anthropic:claude-sonnet-4-5', 'ANTHROPIC'],
])(
  'without a key for %s at another server, a person is told that server, and how one without a key is named',
  async (model, whose) => {
    const ran = await world.run([...task, model], { env: { [`${whose}_BASE_URL`]: 'http://127.0.0.1:9/v1' } });
    expect([ran.exitCode, ran.stderr]).toEqual([
      4,
      expect.stringContaining(`${whose}_BASE_URL names “http://127.0.0.1:9/v1”`),
    ]);
    expect(ran.stderr).toContain("--model 'openai-compatible:<url>#<model>'");
    expect(ran.stderr).not.toContain('https://');
  },
);

test('how long an answer may be is what the person’s own table says, and a model that nobody knows has room', async () => {
  const { origin, calls } = await served(messages);
  const models = {
    'anthropic:claude-sonnet-4-5': { maxOutputTokens: 9001 },
    'anthropic:mine': { maxOutputTokens: 9000 },
  };
  writeFileSync(join(world.home, '.agents', 'config.json'), JSON.stringify({ models }));
  const env = { ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: origin };
  for (const model of ['claude-sonnet-4-5', 'mine', 'nobody-knows']) {
    expect((await world.run([...task, `anthropic:${model}`], { env })).exitCode).toBe(0);
  }
  const asked = calls.map(({ text }) => /"max_tokens":(\d+)/u.exec(text)?.[1]);
  expect([...new Set(asked)]).toEqual(['9001', '9000', '16384']);
});

test('a package that breaks while it is loaded tells no key, and one that prints leaves the output alone', async () => {
  const folder = join(world.home, '.agents', 'node_modules', 'loud');
  const entry = join(folder, 'index.js');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module","exports":"./index.js"}');
  writeFileSync(entry, 'console.log("noise"); throw new Error(`It broke: ${process.env.LOUD_API_KEY}`);');
  const env = { LOUD_API_KEY: 'a plain secret word' };
  const broken = await world.run([...task, 'ai-sdk:loud#m', '--json', '--verbose'], { env });
  expect(broken.json().error?.message).toContain('It broke: [redacted:');
  expect(broken.stdout + broken.stderr).not.toContain('a plain secret word');
  expect(broken.stderr).toContain('noise');
});

test('without network, a provider is not asked, and a server on this machine is', async () => {
  const { origin, calls } = await served();
  const env = { SKILLS_OFFLINE: '1', OPENAI_API_KEY: sentKey, ANTHROPIC_API_KEY: sentKey };
  for (const model of [
    'openai:gpt-5',
    'anthropic:claude',
    'openai-compatible:https://models.invalid/v1#m',
    'ai-sdk:@ai-sdk/openai#m',
  ]) {
    const ran = await world.run([...task, model], { env });
    expect([ran.exitCode, ran.stderr]).toEqual([5, expect.stringContaining('error[OFFLINE]')]);
  }
  expect((await world.run([...task, `openai-compatible:${origin}/v1#small`], { env })).exitCode).toBe(0);
  expect(calls.length).toBeGreaterThan(0);
});

test.each([
  ['gpt-5', 'Did you mean openai:gpt-5?'],
  ['claude-sonnet-4-5', 'Did you mean anthropic:claude-sonnet-4-5?'],
  ['ollama:qwen3', "Did you mean 'openai-compatible:http://localhost:11434/v1#qwen3'?"],
  ['http://localhost:11434/v1#qwen3', "Did you mean 'openai-compatible:<url>#<model>'?"],
  ['ai-sdk:mistral#x', 'Did you mean @ai-sdk/mistral?'],
])('whoever names %s is told what they may mean', async (model, told) => {
  expect((await world.run([...task, model])).stderr).toContain(told);
});
