import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createRedactor } from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import { createHttpTool } from '../src/http/http-tool.js';
import { request, startServer } from './http-servers.js';

const text = { 'content-type': 'text/plain; charset=utf-8' };
const secret = 'hunter2-Correct-Horse-9f3k';
const withSigns = 'x7Qp+Zr/4tLm+Va/s9';
const withBlanks = 'wide horse (battery)';

describe('what a model is told of an answer', () => {
  test('status, type, size, some headers and the text', async () => {
    const server = await startServer((_, response) => {
      response
        .writeHead(200, { ...text, etag: '"1"', 'set-cookie': 'session=1', 'x-powered-by': 'ants' })
        .end('Grüße\n');
    });
    const result = await request({ url: `${server.url}a?b=c#d` });
    expect(result).toMatchObject({
      ok: true,
      content: [
        `GET ${server.url}a?b=c answered 200, text/plain; charset=utf-8, 8 bytes.`,
        'etag: "1"',
        '',
        'Its body:',
        'Grüße\n',
      ].join('\n'),
      contentForUser: `GET ${server.url}a?b=c answered 200, 8 bytes.`,
      output: {
        status: 200,
        url: `${server.url}a?b=c`,
        redirects: 0,
        content_type: 'text/plain; charset=utf-8',
        bytes: 8,
        truncated: false,
      },
    });
    expect(result.outputs).toBeUndefined();
    expect(server.seen).toEqual([
      {
        method: 'GET',
        url: '/a?b=c',
        headers: {
          host: `127.0.0.1:${server.port}`,
          connection: 'close',
          accept: '*/*',
          'accept-encoding': 'gzip, br',
          'user-agent': 'skillpack',
        },
        body: '',
      },
    ]);
  });

  test.each([400, 401, 404, 418, 500, 503])(
    'PSA-24: the status %i is an outcome that the model reads, not a failure of the tool',
    async (status) => {
      const headers = { ...text, 'retry-after': '7', 'www-authenticate': 'Bearer' };
      const server = await startServer((_, response) => void response.writeHead(status, headers).end('no'));
      const { ok, error, content, output } = await request({ url: server.url });
      expect({ ok, error, status: output['status'] }).toEqual({ ok: true, error: undefined, status });
      expect(content).toContain(`answered ${status}`);
      expect(content).toContain('retry-after: 7\nwww-authenticate: Bearer\n\nIts body:\nno');
    },
  );

  test('of a long text the middle is left out, and the whole is kept', async () => {
    const body = `${'a'.repeat(900)}|${'b'.repeat(900)}`;
    const server = await startServer((_, response) => void response.writeHead(200, text).end(body));
    const { content, output, outputs } = await request({ url: server.url }, { answerLength: 100 });
    const note = '\n[… 1701 of 1801 characters are left out here; the whole is kept as “body” …]\n';
    expect(content.split('Its body:\n')[1]).toBe(`${'a'.repeat(50)}${note}${'b'.repeat(50)}`);
    expect(output).toMatchObject({ truncated: true, bytes: 1_801 });
    expect(outputs?.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([['body', body]]);
  });

  test('a cut does not split a character', async () => {
    const server = await startServer((_, response) => void response.writeHead(200, text).end('a😀'.repeat(100)));
    const { content } = await request({ url: server.url }, { answerLength: 4 });
    expect(content.isWellFormed()).toBe(true);
  });

  test('what is no text is described, and kept as it is', async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]);
    const server = await startServer(
      (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(png),
    );
    const { content, output, outputs } = await request({ url: server.url });
    expect(content.split('\n').at(-1)).toBe('Its body is no text but image/png; its 7 bytes are kept as “body”.');
    expect(output).toMatchObject({ content_type: 'image/png', bytes: 7, truncated: false });
    expect(outputs?.map(({ name, bytes }) => [name, [...bytes]])).toEqual([['body', [...png]]]);
  });

  test.each([
    ['text/html', Buffer.from('<p>hi</p>'), '<p>hi</p>'],
    ['application/problem+json', Buffer.from('{}'), '{}'],
    ['application/json', Buffer.from('\uFEFF{}'), '{}'],
    ['text/plain; charset=iso-8859-1', Buffer.from('Gr\xfc\xdfe', 'latin1'), 'Grüße'],
    ['text/plain; charset="utf-16le"', Buffer.from('Grüße', 'utf16le'), 'Grüße'],
    ['text/plain; charset=iso-8859-2', Buffer.from('\uFEFFGrüße'), 'Grüße'],
    ['text/plain; charset=nobody-knows', Buffer.from('Grüße'), 'Grüße'],
    ['text/plain', Buffer.from([0x61, 0xff, 0x62]), 'a\uFFFDb'],
    ['', Buffer.from('plain'), 'plain'],
    ['application/octet-stream', Buffer.from('plain'), 'plain'],
  ])('%s is a text, read as it is encoded', async (type, body, expected) => {
    const headers = type === '' ? {} : { 'content-type': type };
    const server = await startServer((_, response) => void response.writeHead(200, headers).end(body));
    expect((await request({ url: server.url })).content.split('Its body:\n')[1]).toBe(expected);
  });

  test.each([
    ['text/plain', Buffer.from('a\0b')],
    ['application/pdf', Buffer.from('%PDF-1.7')],
    ['', Buffer.from([0xff, 0xfe, 0x61])],
    ['application/octet-stream', Buffer.from([0xc3])],
  ])('%s with such bytes is no text', async (type, body) => {
    const headers = type === '' ? {} : { 'content-type': type };
    const server = await startServer((_, response) => void response.writeHead(200, headers).end(body));
    const { content, outputs } = await request({ url: server.url });
    expect(content).toMatch(/Its body is no text/u);
    expect(outputs?.[0]?.bytes).toEqual(new Uint8Array(body));
  });

  test('control and invisible characters are seen, in the text and in headers', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(200, { ...text, etag: 'a\x80b' }).end('red \u001B[31m\u202E\ttab\r\nline');
    });
    const { content } = await request({ url: server.url });
    expect(content).toContain('Its body:\nred <U+001B>[31m<U+202E>\ttab\nline');
    expect(content).toContain('etag: a<U+0080>b\n');
  });

  test.each([
    ['gzip', gzipSync('unpacked')],
    ['x-gzip', gzipSync('unpacked')],
    ['GZIP', gzipSync('unpacked')],
    ['br', brotliCompressSync('unpacked')],
    ['identity', Buffer.from('unpacked')],
  ])('a body with the content-encoding %s is unpacked', async (coding, body) => {
    const headers = { ...text, 'content-encoding': coding };
    const server = await startServer((_, response) => void response.writeHead(200, headers).end(body));
    const { content, output } = await request({ url: server.url });
    expect(content).toContain('Its body:\nunpacked');
    expect(output).toMatchObject({ bytes: 8 });
  });

  test.each(['deflate', 'gzip, gzip', 'zstd'])(
    'the content-encoding %s is told, and the body kept as it is',
    async (coding) => {
      const body = deflateSync('unpacked');
      const headers = { ...text, 'content-encoding': coding };
      const server = await startServer((_, response) => void response.writeHead(200, headers).end(body));
      const { content, outputs } = await request({ url: server.url });
      expect(content).toContain(`It is still encoded as ${coding}, which is not unpacked here.`);
      expect(outputs?.[0]?.bytes).toEqual(new Uint8Array(body));
    },
  );

  test.each([
    ['GET', 204],
    ['GET', 304],
    ['HEAD', 200],
  ])('%s with %i has no body, and that is no failure', async (method, status) => {
    const coded = { ...text, 'content-encoding': 'gzip', 'content-length': '123456789012' };
    const headers = status === 204 ? { etag: '"1"' } : coded;
    const server = await startServer((_, response) => void response.writeHead(status, headers).end());
    const { ok, content, output } = await request({ url: server.url, method });
    expect({ ok, status: output['status'], bytes: output['bytes'] }).toEqual({ ok: true, status, bytes: 0 });
    expect(content).not.toContain('body');
  });

  test('an empty body may say that it is packed', async () => {
    const headers = { ...text, 'content-encoding': 'gzip' };
    const server = await startServer((_, response) => void response.writeHead(200, headers).end());
    expect(await request({ url: server.url })).toMatchObject({ ok: true, output: { status: 200, bytes: 0 } });
  });

  test('chunked trailers are not taken for the body', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(200, { ...text, trailer: 'x-late' });
      response.write('first ');
      response.addTrailers({ 'x-late': 'trailer', location: 'http://169.254.169.254/' });
      response.end('second');
    });
    const { content, output } = await request({ url: server.url });
    expect(content.split('Its body:\n')[1]).toBe('first second');
    expect(content).not.toContain('169.254');
    expect(output).toMatchObject({ status: 200, redirects: 0 });
  });
});

describe('what is sent', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s with a body and headers', async (method) => {
    const server = await startServer((_, response) => void response.writeHead(201).end());
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json', 'X-Note': 'a: b' };
    const { ok, output } = await request({ url: server.url, method, headers, body: '{"a":"ü"}' });
    expect({ ok, output }).toMatchObject({ ok: true, output: { status: 201 } });
    expect(server.seen).toMatchObject([
      {
        method,
        body: '{"a":"ü"}',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'x-note': 'a: b',
          'content-length': '10',
        },
      },
    ]);
  });

  test('a body without a type is plain text, and an empty one is a body', async () => {
    const server = await startServer((_, response) => void response.end());
    await request({ url: server.url, method: 'POST', body: 'x' });
    await request({ url: server.url, method: 'POST', body: '' });
    await request({ url: server.url, method: 'POST' });
    expect(server.seen.map(({ headers }) => [headers['content-type'], headers['content-length']])).toEqual([
      ['text/plain; charset=utf-8', '1'],
      ['text/plain; charset=utf-8', '0'],
      [undefined, '0'],
    ]);
  });

  test.each(['GET', 'HEAD'])('a body with %s is refused before anything is connected to', async (method) => {
    const server = await startServer((_, response) => void response.end());
    const { error } = await request({ url: server.url, method, body: 'x' });
    expect(error?.code).toBe('INVALID_INPUT');
    expect(server.connections()).toBe(0);
  });

  test('a body over the limit is refused, by its bytes', async () => {
    const server = await startServer((_, response) => void response.end());
    const ask = (body: string) => request({ url: server.url, method: 'POST', body }, { requestBytes: 10 });
    expect((await ask('ü'.repeat(5))).ok).toBe(true);
    expect((await ask('ü'.repeat(6))).error?.code).toBe('FILE_TOO_LARGE');
    expect(server.connections()).toBe(1);
  });

  test.each([
    [{}],
    [{ url: 7 }],
    [{ url: 'https://example.com/', extra: 1 }],
    [{ url: 'https://example.com/', method: 'TRACE' }],
    [{ url: 'https://example.com/', method: 'get' }],
    [{ url: 'https://example.com/', headers: { a: 1 } }],
    [{ url: 'https://example.com/', headers: ['a'] }],
    [{ url: `https://example.com/${'a'.repeat(9_000)}` }],
  ])('the input %j does not fit', async (input) => {
    expect((await request(input)).error?.code).toBe('INVALID_INPUT');
  });
});

describe('secrets', () => {
  const redact = createRedactor({ values: [secret, withSigns, withBlanks] });

  test('are taken out of texts and headers before they are cut, and of what is kept', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(200, { ...text, etag: `"${secret}"` }).end(`${'a'.repeat(40)} ${secret} ${'b'.repeat(200)}`);
    });
    for (let answerLength = 84; answerLength < 140; answerLength += 1) {
      const { content, outputs } = await request({ url: server.url }, { redact, answerLength });
      for (const told of [content, Buffer.from(outputs?.[0]?.bytes ?? []).toString()]) {
        expect(told).not.toMatch(/hunter|Correct|Horse|9f3k/u);
      }
    }
  });

  test('in a redirect are taken out of the message that refuses it', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(302, { location: `ftp://host/${secret}` }).end();
    });
    const { content, error } = await request({ url: server.url }, { redact });
    expect(error?.code).toBe('REDIRECT_REFUSED');
    expect(content + error?.message).not.toContain(secret);
  });

  const base = 'https://127.0.0.1/';
  test.each<[string, object]>([
    ['the path', { url: `${base}${secret}` }],
    ['the query', { url: `${base}?q=${secret}` }],
    ['the query, encoded', { url: `${base}?q=%68${secret.slice(1)}&x=%` }],
    ['the query, with one letter encoded, and signs that are not', { url: `${base}?q=%78${withSigns.slice(1)}` }],
    ['the query, with plus signs for blanks', { url: `${base}?q=wide%20horse+(battery)` }],
    ['the query, with one letter encoded twice', { url: `${base}?q=%2568${secret.slice(1)}` }],
    ['the path, in parts that the URL puts together', { url: `${base}${withSigns.replace('/', '/./')}` }],
    ['the path, with a detour', { url: `${base}${withSigns.replace('/', '/x/%2e%2e/')}` }],
    ['the body, as JSON may write it', { url: base, method: 'POST', body: `["\\u0068${secret.slice(1)}"]` }],
    ['the body, as JSON writes slashes', { url: base, method: 'POST', body: withSigns.replaceAll('/', '\\/') }],
    ['the query, in base64', { url: `${base}?q=${Buffer.from(secret).toString('base64')}` }],
    ['the fragment', { url: `${base}#${secret}` }],
    ['a header', { url: base, headers: { 'x-note': secret } }],
    ['a header that is an API key', { url: base, headers: { 'x-api-key': 'sk_live_abcdefghijklmnop1234' } }],
    [
      'a header, by its name',
      { url: base, headers: { aws_secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' } },
    ],
    ['the body', { url: base, method: 'POST', body: `{"a":"${secret}"}` }],
    ['the body, encoded', { url: base, method: 'POST', body: `a=${secret.replace('-', '%2D')}` }],
    ['the body, as a private key', { url: base, method: 'POST', body: '-----BEGIN PRIVATE KEY-----\nMIIE\n' }],
  ])('are not sent: in %s', async (_, input) => {
    const server = await startServer((_request, response) => void response.end(), 'https');
    const { url, ...rest } = { url: '', ...input };
    const given = { ...rest, url: url.replace('127.0.0.1', `127.0.0.1:${server.port}`) };
    const { error, content } = await request(given, { redact });
    expect(error?.code).toBe('TOOL_NOT_ALLOWED');
    expect(content).not.toContain(secret);
    expect(server.connections()).toBe(0);
  });

  test('what only looks a little like one is sent', async () => {
    const server = await startServer((_, response) => void response.end());
    const url = `${server.url}search?q=token+bucket&code=python&page=2&link=https%3A%2F%2Fexample.com%2Fa`;
    const headers = { 'x-request-id': '6f1c0a52-8d0b-4a53-9f3e-1d2c3b4a5f60', accept: 'text/html, */*;q=0.1' };
    const body = 'A basic formatting of https://example.com/?page=2, and a 100% + 1.';
    expect(await request({ url, method: 'POST', headers, body }, { redact })).toMatchObject({ ok: true });
  });
});

test('the tool is of high risk, runs no code, and tells its input as a schema', () => {
  const tool = createHttpTool({ clock: { now: () => 0 } }, {});
  expect(tool).toMatchObject({ name: 'http_request', risk: 'high' });
  expect(tool.runsCode).toBeUndefined();
  expect(tool.inputSchema).toMatchObject({
    properties: { url: { type: 'string' }, method: { enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] } },
    required: ['url'],
    additionalProperties: false,
  });
});

test('what would be refused anyway is refused before anybody is asked for a yes', () => {
  const { check } = createHttpTool({ clock: { now: () => 0 } }, { domains: ['api.example'] });
  expect(() => check?.({ url: 'https://api.example/' })).not.toThrow();
  for (const [input, code] of [
    [{ url: 'https://other.example/' }, 'ADDRESS_REFUSED'],
    [{ url: 'https://api.example/', headers: { cookie: 'a' } }, 'INVALID_INPUT'],
    [{ url: 'https://api.example/', extra: 1 }, 'INVALID_INPUT'],
  ] as const) {
    expect(() => check?.(input)).toThrow(expect.objectContaining({ code }));
  }
});

test.each([
  [{ timeout: 0 }],
  [{ answerBytes: 1.5 }],
  [{ minimumRate: -1 }],
  [{ headerBytes: Number.NaN }],
  [{ domains: ['https://example.com'] }],
  [{ domains: ['example.com/'] }],
  [{ domains: ['example.com:443'] }],
  [{ domains: ['*'] }],
  [{ domains: ['*.'] }],
  [{ domains: [''] }],
  [{ domains: ['a.*.example.com'] }],
  [{ domains: ['*.127.0.0.1'] }],
  [{ allowPrivate: ['http://localhost'] }],
  [{ allowPrivate: ['localhost:'] }],
  [{ allowPrivate: ['localhost:0'] }],
  [{ allowPrivate: ['localhost:65536'] }],
  [{ allowPrivate: ['::1'] }],
  [{ allowPrivate: ['user@localhost'] }],
  [{ allowPrivate: ['*'] }],
])('options that cannot be meant are refused: %j', (options) => {
  expect(() => createHttpTool({ clock: { now: () => 0 } }, options)).toThrow(
    expect.objectContaining({ code: 'USAGE' }),
  );
});
