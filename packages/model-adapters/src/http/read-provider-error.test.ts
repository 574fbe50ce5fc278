import { inspect } from 'node:util';
import {
  APICallError,
  EmptyResponseBodyError,
  InvalidPromptError,
  JSONParseError,
  LoadAPIKeyError,
  NoSuchModelError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import { errorCodes, SkillsError } from '@skillpack/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readProviderError } from './read-provider-error.js';

const where = { model: 'mine:small', now: Date.parse('2026-11-22T12:00:00Z') };

const url = 'https://models.example/v1/chat/completions';

const call = (fields: Partial<ConstructorParameters<typeof APICallError>[0]>): APICallError =>
  new APICallError({ message: 'No.', url, requestBodyValues: { prompt: 'secret plans' }, ...fields });

const systemError = (code: string, message = `it is ${code}`): Error => Object.assign(new Error(message), { code });

const fetchFailed = (cause: unknown): TypeError => new TypeError('fetch failed', { cause });

test.for<readonly [string, unknown, string, string]>([
  [
    'an unknown model',
    new NoSuchModelError({ modelId: 'm', modelType: 'languageModel' }),
    'MODEL_NOT_FOUND',
    'no such model',
  ],
  ['a key that is missing', new LoadAPIKeyError({ message: 'No key.' }), 'UNAUTHORIZED', 'no key'],
  [
    'what a package cannot do',
    new UnsupportedFunctionalityError({ functionality: 'tools' }),
    'REQUEST_REFUSED',
    'tools',
  ],
  [
    'a prompt that a package refuses',
    new InvalidPromptError({ prompt: {}, message: 'Empty.' }),
    'REQUEST_REFUSED',
    'Empty.',
  ],
  [
    'JSON that cannot be parsed',
    new JSONParseError({ text: '{"a', cause: new SyntaxError('end') }),
    'MODEL_ERROR',
    'protocol',
  ],
  ['JSON of another shape', new TypeValidationError({ value: {}, cause: new Error('x') }), 'MODEL_ERROR', 'protocol'],
  ['an empty body', new EmptyResponseBodyError(), 'MODEL_ERROR', 'protocol'],
  ['a refused connection', fetchFailed(systemError('ECONNREFUSED')), 'NETWORK_ERROR', 'refuses connections'],
  ['a name without an address', fetchFailed(systemError('ENOTFOUND')), 'NETWORK_ERROR', 'its name was not found'],
  ['a certificate of its own', fetchFailed(systemError('DEPTH_ZERO_SELF_SIGNED_CERT')), 'NETWORK_ERROR', 'TLS'],
  ['a certificate of another host', fetchFailed(systemError('ERR_TLS_CERT_ALTNAME_INVALID')), 'NETWORK_ERROR', 'TLS'],
  ['https spoken to http', fetchFailed(systemError('ERR_SSL_WRONG_VERSION_NUMBER')), 'NETWORK_ERROR', 'TLS'],
  ['a connection that is cut', fetchFailed(systemError('UND_ERR_SOCKET')), 'NETWORK_ERROR', 'broke off'],
  [
    'a body that is cut',
    new TypeError('terminated', { cause: systemError('UND_ERR_SOCKET') }),
    'NETWORK_ERROR',
    'broke off',
  ],
  ['what is no HTTP', fetchFailed(systemError('HPE_INVALID_CONSTANT')), 'NETWORK_ERROR', 'does not speak HTTP'],
  ['headers that do not come', fetchFailed(systemError('UND_ERR_HEADERS_TIMEOUT')), 'TIMEOUT', 'in time'],
  ['several addresses', fetchFailed(new AggregateError([systemError('ECONNREFUSED')])), 'NETWORK_ERROR', 'refuses'],
  ['a browser without a network', new TypeError('Failed to fetch'), 'NETWORK_ERROR', 'could not be reached'],
  [
    'an APICallError of the network',
    call({ cause: systemError('ECONNRESET') }),
    'NETWORK_ERROR',
    'models.example broke off',
  ],
  [
    'the last of several attempts',
    Object.assign(new Error('Failed.'), { lastError: call({ statusCode: 401 }) }),
    'UNAUTHORIZED',
    'key',
  ],
  [
    'a proxy that lets nothing through',
    // As undici throws it for the answer 502 to CONNECT.
    fetchFailed(
      Object.assign(new Error('Request was cancelled.'), {
        code: 0,
        cause: Object.assign(systemError('UND_ERR_ABORTED'), { name: 'AbortError' }),
      }),
    ),
    'NETWORK_ERROR',
    'the proxy on the way does not connect to it',
  ],
  ['a proxy that hangs up', fetchFailed(systemError('UND_ERR_PRX_CONN')), 'NETWORK_ERROR', 'the proxy on the way'],
  ['an abort', new DOMException('Aborted', 'AbortError'), 'INTERRUPTED', 'waited'],
  ['a time limit', new DOMException('Too long', 'TimeoutError'), 'TIMEOUT', 'in time'],
  ['an error of a stream', { type: 'overloaded_error', message: 'Busy.' }, 'OVERLOADED', 'Busy.'],
  ['an error as a text', 'It broke.', 'MODEL_ERROR', 'It broke.'],
  ['nothing at all', undefined, 'MODEL_ERROR', 'protocol'],
])('PSA-29: %s is told with its code', ([, error, code, words]) => {
  const told = readProviderError(error, where);
  expect([told.code, told.message], told.message).toEqual([code, expect.stringContaining(words)]);
  expect(told.message).toContain('mine:small');
});

test('PSA-29: an error of ours comes back as it is, also from within another', () => {
  const ours = new SkillsError('MODEL_ERROR', 'Too large.');
  expect(readProviderError(ours, where)).toBe(ours);
  expect(readProviderError(call({ cause: new Error('x', { cause: ours }) }), where)).toBe(ours);
});

test('PSA-29: what is printed with an error holds neither the prompt nor headers', () => {
  const headers = { 'set-cookie': 'a=hunter2secret' };
  const told = readProviderError(call({ statusCode: 500, responseHeaders: headers, responseBody: 'Oops' }), where);
  expect(told.cause).toMatchObject({ name: 'AI_APICallError', message: 'No.' });
  expect(Object.keys(told.cause as object)).not.toContain('requestBodyValues');
  expect(told.data).toEqual({ model: 'mine:small', status: 500, host: 'models.example' });
});

test('PSA-29: a chain of causes that bites its tail, or throws when it is read, ends', () => {
  const circle: Error & { cause?: unknown } = new Error('round');
  circle.cause = circle;
  expect(readProviderError(circle, where).code).toBe('MODEL_ERROR');
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('mine');
      },
      has: () => {
        throw new Error('mine');
      },
    },
  );
  for (const error of [hostile, new Error('outer', { cause: hostile })]) {
    expect(readProviderError(error, where).code).toBe('MODEL_ERROR');
  }
});

test('PSA-29: whatever a provider throws has a code, and a message that can be shown', () => {
  const secret = 'hunter2-0123456789';
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(`a ${secret} b`), fc.constant(secret));
  const record = fc.dictionary(
    fc.constantFrom(
      'message',
      'type',
      'code',
      'error',
      'detail',
      'data',
      'cause',
      'errors',
      'name',
      'statusCode',
      'url',
    ),
    fc.oneof(
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(text),
      fc.dictionary(fc.constantFrom('message', 'code'), text),
    ),
  );
  const thrown = fc.oneof(
    text,
    record,
    record.map((fields) => Object.assign(new Error('x'), fields)),
    fc
      .record({
        statusCode: fc.integer({ min: 100, max: 600 }),
        responseBody: fc.oneof(
          text,
          record.map((r) => JSON.stringify(r)),
        ),
      })
      .map((fields) => call(fields)),
  );
  fc.assert(
    fc.property(thrown, (error) => {
      const told = readProviderError(error, { ...where, secrets: [secret] });
      expect(Object.keys(errorCodes)).toContain(told.code);
      // eslint-disable-next-line no-control-regex -- finding them is what it is for
      expect(told.message).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E]/u);
      expect(told.message.length).toBeLessThan(1200);
      expect(`${told.message}${JSON.stringify(told)}${String(told.cause)}`).not.toContain(secret);
    }),
  );
});

test('PSA-29: a body of megabytes that was made to be slow is read in no time', () => {
  const parts = [
    '<',
    '<script ',
    'model ',
    'prompt contains ',
    '[',
    '{"a":',
    'context ',
    ' ',
    'exceeds the maximum ',
    '\\u0022',
  ];
  for (const part of parts) {
    const start = performance.now();
    for (const responseBody of [part.repeat(1e6), `{"error":{"message":${JSON.stringify(part.repeat(20_000))}}}`]) {
      readProviderError(call({ statusCode: 400, responseBody }), { ...where, secrets: ['hunter2-0123456789'] });
    }
    expect(performance.now() - start, part).toBeLessThan(1500);
  }
});

test.for(['hunter2_secret', 'Hunter2_Secret', 'gsk_AbCdEf'])(
  'PSA-29: the key %s that stands where a word of the provider should, or in a name or a code, is told nobody',
  (key) => {
    const named = Object.assign(new Error('No.'), { name: key, code: key });
    for (const sent of [{ error: { message: 'No.', type: key } }, { error: { message: 'No.', code: key } }, named]) {
      const told = readProviderError(sent, { ...where, secrets: [key] });
      expect(inspect(told, { depth: 9, showHidden: true }).toLowerCase()).not.toContain(key.toLowerCase());
      expect(told.data).toMatchObject({ reason: '[redacted:value]' });
    }
  },
);

test('errors that lead to each other, or have a new cause each time, are read to an end', () => {
  const [one, other] = [new Error('one'), new Error('other')];
  one.cause = other;
  other.cause = one;
  const endless = (): Error => Object.defineProperty(new Error('again'), 'cause', { get: endless });
  for (const error of [one, endless()]) expect(readProviderError(error, where).code).toBe('MODEL_ERROR');
});
