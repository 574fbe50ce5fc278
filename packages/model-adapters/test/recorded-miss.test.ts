import { createRedactor } from '@skillpack/core';
import {
  memoryCassette,
  recorded,
  scripted,
  type MemoryCassette,
  type RecordedOptions,
} from '@skillpack/model-adapters';
import { expect, test } from 'vitest';
import { calling, decided, errorOf, requestOf, saw, user } from './recorded-ground.js';

type Request = ReturnType<typeof requestOf>;

async function record(requests: readonly Request[], options: RecordedOptions = {}): Promise<MemoryCassette> {
  const cassette = memoryCassette();
  const say = requests.map((_, index) => ({ say: `answer ${index + 1}` }));
  const model = await recorded(scripted(say), cassette, { ...options, mode: 'record' });
  for (const request of requests) await model.decide(request, calling());
  await model.close();
  return cassette;
}

async function missOf(cassette: MemoryCassette, request: Request, options: RecordedOptions = {}): Promise<string> {
  const error = await errorOf((await recorded(undefined, cassette, options)).decide(request, calling()));
  expect(error.code).toBe('RECORDING_NOT_FOUND');
  expect(error.hint).toContain('Record the run again');
  return error.message;
}

const first = requestOf([user('Read a.pdf.')]);
const second = requestOf([...first.messages, decided('{"open":1}'), saw('Page 1.\nBy Ada, 2026-01-01.\nThe end.')]);

test('PSA-29: a miss shows the nearest recorded request, and the lines in which it differs', async () => {
  const cassette = await record([first, second]);
  const changed = requestOf([...first.messages, decided('{"open":1}'), saw('Page 1.\nBy Ada, 2026-01-02.\nThe end.')]);
  expect(await missOf(cassette, changed)).toBe(
    `The cassette in memory holds no answer to this request of scripted:script with 3 messages. The nearest of its 2 calls, on line 5, differs:
message 3 (observation), line 2:
- By Ada, 2026-01-01.
+ By Ada, 2026-01-02.`,
  );
});

test('PSA-29: nearest is what has as many messages, then the longest common beginning, then what looks most alike', async () => {
  const others = ['zebra', 'page two', 'page four'].map((text) => requestOf([user('x'), decided('y'), saw(text)]));
  const cassette = await record([first, ...others, requestOf([user('x'), decided('other'), saw('page five')])]);
  const message = await missOf(cassette, requestOf([user('x'), decided('y'), saw('page five')]));
  expect(message).toContain('- page four\n+ page five');
});

test('PSA-29: a miss says what is more, what is less, and what of the rest is another one', async () => {
  const cassette = await record([second]);
  const shorter = await missOf(cassette, requestOf(second.messages.slice(0, 2)));
  expect(shorter).toContain('message 3 (observation), is not there now:\n- Page 1.\n- By Ada, 2026-01-01.\n- The end.');
  const longer = await missOf(cassette, requestOf([...second.messages, user('More.')]));
  expect(longer).toContain('message 4 (user), was not there:\n+ More.');
  const other = requestOf(second.messages, {
    system: 'You answer with one action.\n- csv: Reads CSV.',
    actions: ['ask_user'],
  });
  const rest = await missOf(cassette, other);
  expect(rest).toContain('system text, line 2:\n- - pdf: Reads PDF.\n+ - csv: Reads CSV.');
  expect(rest).toContain('actions, line 1:');
  const [tool] = second.tools;
  const tools = await missOf(
    cassette,
    requestOf(second.messages, { tools: tool === undefined ? [] : [{ ...tool, name: 'read' }] }),
  );
  expect(tools).toContain('tools, line 1:\n- {"name":"read_file"');
  expect(await missOf(cassette, requestOf(second.messages, { answerSchema: { type: 'object' } }))).toContain(
    'the schema of the answer',
  );
});

test('PSA-29: what a miss shows is short, on visible lines, and without secrets', async () => {
  const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
  const hostile = `\u001B[31mred\u202E ${token} my-secret-value `;
  const lines = Array.from({ length: 5000 }, (_, index) => `${hostile} line ${index} ${'x'.repeat(2000)}`);
  const cassette = await record([requestOf([user(lines.join('\n'))])]);
  const redact = createRedactor({ values: ['my-secret-value'] });
  const message = await missOf(cassette, requestOf([user(`${lines.join('\n')}${hostile}`.replaceAll('line', 'row'))]), {
    redact,
  });
  expect(message.length).toBeLessThan(3000);
  expect(message).toContain('+ … 4996 more lines');
  for (const invisible of ['\u001B', '\u202E']) expect(message).not.toContain(invisible);
  expect(message).toContain('<U+001B>');
  expect(message).not.toContain(token);
  expect(
    message
      .split('\n')
      .filter((line) => line.startsWith('+'))
      .join('\n'),
  ).not.toContain('my-secret-value');
});

test('PSA-29: a cassette without calls, or with many, is told as that', async () => {
  expect(await missOf(await record([]), first)).toContain(
    'holds no calls, such as this request of scripted:script with 1 message.',
  );
  const many = await record(Array.from({ length: 600 }, (_, index) => requestOf([user(`Read ${index}.pdf`)])));
  expect(await missOf(many, requestOf([user('Read 599.PDF')]))).toContain('- Read 599.pdf\n+ Read 599.PDF');
});

test('PSA-29: many calls that share one long message are compared with it once', async () => {
  const cassette = memoryCassette();
  const long = 'x'.repeat(1_000_000);
  const model = await recorded(scripted([{ say: 'One.' }]), cassette, { mode: 'record' });
  await model.decide(requestOf([user(`${long}1`)]), calling());
  await model.close();
  const lines = (cassette.text ?? '').trimEnd().split('\n');
  const recordedCall = JSON.parse(lines.at(-1) ?? '') as { readonly key: string; readonly request: object };
  for (let call = 0; call < 5000; call += 1) {
    const key = `sha256:${String(call).padStart(64, '0')}`;
    const request = { ...recordedCall.request, after: recordedCall.key, messages: [user(`It is ${call}.`)] };
    lines.push(JSON.stringify({ ...recordedCall, key, request }));
  }
  const hostile = await recorded(undefined, memoryCassette(`${lines.join('\n')}\n`));
  const begun = performance.now();
  const error = await errorOf(hostile.decide(requestOf([user(`${long}2`), user('It is 4000.')]), calling()));
  expect(error.message).toContain('The nearest of its 5001 calls');
  // Each by itself would take 5000 times a million steps, which is half a minute.
  expect(performance.now() - begun).toBeLessThan(10_000);
});
