import { describe, expect, test } from 'vitest';
import { request, startProxy, startServer, type TestServer } from './http-servers.js';

type Kind = 'http' | 'https';

/** A server that leads from `/` to somewhere else. */
async function leading(
  to: string,
  { status = 302, kind = 'http' }: { readonly status?: number; readonly kind?: Kind } = {},
): Promise<TestServer> {
  return startServer((incoming, response) => {
    if (incoming.url === '/') response.writeHead(status, { location: to }).end('moved');
    else response.end(`reached ${incoming.method}`);
  }, kind);
}

const headers = {
  'X-Note': 'for this host',
  'content-type': 'application/json',
  'content-language': 'en',
  accept: 'a/b',
};
const body = '{"a":1}';

test.each([301, 302, 303, 307, 308])('a GET is led on by %i, with its headers on the same origin', async (status) => {
  const server = await leading('target?b=c#d', { status });
  const { ok, content, output } = await request({ url: server.url, headers: { 'x-note': 'a' } });
  expect({ ok, output }).toMatchObject({
    ok: true,
    output: { status: 200, redirects: 1, url: `${server.url}target?b=c` },
  });
  expect(content).toContain('1 redirect was followed.');
  expect(server.seen.map(({ url, headers: sent }) => [url, sent['x-note']])).toEqual([
    ['/', 'a'],
    ['/target?b=c', 'a'],
  ]);
});

test.each([
  [301, 'POST', 'GET', ''],
  [302, 'POST', 'GET', ''],
  [303, 'POST', 'GET', ''],
  [303, 'PUT', 'GET', ''],
  [303, 'PATCH', 'GET', ''],
  [303, 'DELETE', 'GET', ''],
  [301, 'PUT', 'PUT', body],
  [302, 'PATCH', 'PATCH', body],
  [302, 'DELETE', 'DELETE', body],
  [307, 'POST', 'POST', body],
  [308, 'POST', 'POST', body],
  [308, 'PUT', 'PUT', body],
])('%i leads a %s to a %s with the body “%s”', async (status, method, next, sent) => {
  const server = await leading('/target', { status });
  expect(await request({ url: server.url, method, headers, body })).toMatchObject({
    ok: true,
    output: { redirects: 1 },
  });
  const last = server.seen[1];
  expect([last?.method, last?.body]).toEqual([next, sent]);
  expect(last?.headers).toMatchObject({ 'x-note': 'for this host', accept: 'a/b' });
  const content = [last?.headers['content-type'], last?.headers['content-language'], last?.headers['content-length']];
  expect(content).toEqual(sent === '' ? [undefined, undefined, undefined] : ['application/json', 'en', '7']);
});

test.each([301, 302, 303, 307, 308])('a HEAD stays one by %i', async (status) => {
  const server = await leading('/target', { status });
  expect(await request({ url: server.url, method: 'HEAD' })).toMatchObject({ ok: true, output: { redirects: 1 } });
  expect(server.seen.map(({ method }) => method)).toEqual(['HEAD', 'HEAD']);
});

test.each([300, 304, 305, 306])('the status %i leads nowhere', async (status) => {
  const server = await leading('/target', { status });
  const { ok, output } = await request({ url: server.url });
  expect({ ok, output }).toMatchObject({ ok: true, output: { status, redirects: 0 } });
  expect(server.seen).toHaveLength(1);
});

test('a redirect that does not say where is an answer', async () => {
  const server = await startServer((_, response) => void response.writeHead(302).end('nowhere'));
  expect(await request({ url: server.url })).toMatchObject({ ok: true, output: { status: 302, redirects: 0 } });
});

test('the headers of a model do not go to another port of the host, nor do they come back', async () => {
  let back = '';
  const other = await startServer((_, response) => void response.writeHead(302, { location: back }).end());
  const server = await leading(other.url);
  back = `${server.url}target`;
  expect(await request({ url: server.url, headers: { 'x-note': 'a', accept: 'a/b' } })).toMatchObject({
    ok: true,
    output: { redirects: 2, url: back },
  });
  const sent = [server.seen[0], other.seen[0], server.seen[1]].map((seen) => [
    seen?.headers['x-note'],
    seen?.headers.accept,
  ]);
  expect(sent).toEqual([
    ['a', 'a/b'],
    [undefined, '*/*'],
    [undefined, '*/*'],
  ]);
});

describe('another host', () => {
  const hosts = { allowPrivate: ['127.0.0.1', 'api.example', 'other.example'], lookup: async () => ['127.0.0.1'] };

  test('is told to the model and not asked, for a yes said nothing of it', async () => {
    const other = await startServer((_, response) => void response.end('reached'), 'https');
    const target = `https://other.example:${other.port}/a?b=c`;
    const server = await leading(target, { kind: 'https' });
    const { ok, content, output } = await request({ url: `https://api.example:${server.port}/` }, hosts);
    expect({ ok, output }).toMatchObject({ ok: true, output: { status: 302, redirects: 0 } });
    expect(content).toContain(`It leads to another host, which was not asked: ${target}`);
    expect(other.connections()).toBe(0);
  });

  test('is told without what may be a token', async () => {
    const server = await leading('https://other.example/a?token=abcdefgh12345678&b=c');
    const { content } = await request({ url: server.url }, hosts);
    expect(content).toContain('https://other.example/a?b=c');
    expect(content).not.toContain('abcdefgh');
  });

  test('is asked where that is wanted, without the headers', async () => {
    const other = await startServer((_, response) => void response.end('reached'), 'https');
    const server = await leading(`https://other.example:${other.port}/`, { kind: 'https' });
    const url = `https://api.example:${server.port}/`;
    const result = await request({ url, headers: { 'x-note': 'a' } }, { ...hosts, otherHosts: true });
    expect(result).toMatchObject({ ok: true, output: { status: 200, redirects: 1 } });
    expect(other.seen[0]?.headers).not.toHaveProperty('x-note');
  });

  test('is still judged: by the domains and by its addresses', async () => {
    const other = await startServer((_, response) => void response.end('reached'), 'https');
    for (const host of ['other.example', '127.0.0.2', 'localhost']) {
      const server = await leading(`https://${host}:${other.port}/`, { kind: 'https' });
      const options = { allowPrivate: ['api.example'], lookup: hosts.lookup, otherHosts: true };
      const url = `https://api.example:${server.port}/`;
      for (const domains of [undefined, ['api.example']]) {
        expect((await request({ url }, { ...options, domains })).error?.code).toBe('ADDRESS_REFUSED');
      }
    }
    expect(other.connections()).toBe(0);
  });

  test('of the open internet is not asked either, when it is not among the domains', async () => {
    const server = await leading('https://other.example/', { kind: 'https' });
    const proxy = await startProxy(server.port);
    const near = { allowPrivate: [], lookup: async () => ['93.184.215.14'], environment: { HTTPS_PROXY: proxy.url } };
    const options = { ...near, domains: ['api.example'], otherHosts: true };
    const { error } = await request({ url: 'https://api.example/' }, options);
    expect(error).toMatchObject({ code: 'ADDRESS_REFUSED', message: expect.stringContaining('other.example') });
    expect(proxy.connections()).toBe(1);
  });

  test.each(['PUT', 'POST', 'PATCH', 'DELETE'])('gets no body: a %s is not led there', async (method) => {
    const other = await startServer((_, response) => void response.end('reached'), 'https');
    const server = await leading(`https://other.example:${other.port}/`, { kind: 'https', status: 307 });
    const url = `https://api.example:${server.port}/`;
    const { error, output } = await request({ url, method, body }, { ...hosts, otherHosts: true });
    expect(error?.code).toBe('REDIRECT_REFUSED');
    // The first host has got it.
    expect(output).toEqual({ success: false, uncertain: true });
    expect(other.connections()).toBe(0);
  });
});

test.each([
  ['file:///etc/passwd', 'REDIRECT_REFUSED'],
  ['ftp://127.0.0.1:PORT/', 'REDIRECT_REFUSED'],
  ['gopher://127.0.0.1:PORT/_GET', 'REDIRECT_REFUSED'],
  ['data:text/html,hello', 'REDIRECT_REFUSED'],
  ['javascript:alert(1)', 'REDIRECT_REFUSED'],
  ['http://[', 'REDIRECT_REFUSED'],
  ['https://a b/', 'REDIRECT_REFUSED'],
  ['http://127.0.0.2:PORT/', 'ADDRESS_REFUSED'],
  ['https://127.0.0.2:PORT/', 'ADDRESS_REFUSED'],
  ['//localhost:PORT/', 'ADDRESS_REFUSED'],
  ['/\\localhost:PORT/', 'ADDRESS_REFUSED'],
  ['https://localhost:PORT/', 'ADDRESS_REFUSED'],
  ['https://0x7f000002:PORT/', 'ADDRESS_REFUSED'],
  ['https://[::1]:PORT/', 'ADDRESS_REFUSED'],
  ['https://[::ffff:127.0.0.1]:PORT/', 'ADDRESS_REFUSED'],
  ['http://169.254.169.254/latest/meta-data/', 'ADDRESS_REFUSED'],
  ['https://169.254.169.254/latest/meta-data/', 'ADDRESS_REFUSED'],
  ['http://user:pw@127.0.0.1:PORT/', 'REDIRECT_REFUSED'],
  ['http://user@127.0.0.1:PORT/', 'REDIRECT_REFUSED'],
])('a redirect to %s is %s and never asked for', async (to, code) => {
  const inner = await startServer((_, response) => void response.end('reached'));
  const server = await leading(to.replace('PORT', String(inner.port)));
  // Led to whatever host, as far as it may be asked.
  const options = { otherHosts: true, lookup: async () => ['127.0.0.1'] };
  const { error, ok } = await request({ url: server.url }, options);
  expect({ ok, code: error?.code }).toEqual({ ok: false, code });
  expect(server.seen).toHaveLength(1);
  expect(inner.connections()).toBe(0);
});

test('https never leads to http, not on the same host either', async () => {
  const plain = await startServer((_, response) => void response.end('reached'));
  const server = await leading(plain.url, { kind: 'https' });
  const { error } = await request({ url: server.url });
  expect(error?.code).toBe('REDIRECT_REFUSED');
  expect(plain.connections()).toBe(0);
});

test('a host that may be asked by http may lead to https', async () => {
  const tls = await startServer((_, response) => void response.end('reached'), 'https');
  const server = await leading(tls.url);
  expect(await request({ url: server.url })).toMatchObject({ ok: true, output: { redirects: 1, url: tls.url } });
});

test.each([
  ['a loop', '/'],
  ['a chain that grows', 'x/'],
])('%s ends after five redirects', async (_, to) => {
  const server = await startServer((incoming, response) => {
    response.writeHead(302, { location: to === '/' ? '/' : `${incoming.url}${to}` }).end();
  });
  const { error } = await request({ url: server.url });
  expect(error).toMatchObject({ code: 'REDIRECT_REFUSED', message: expect.stringContaining('after 5 redirects') });
  expect(server.seen).toHaveLength(6);
  expect(server.connections()).toBe(6);
});

test('five redirects are followed', async () => {
  const server = await startServer((incoming, response) => {
    if (incoming.url === '/xxxxx') response.end('reached');
    else response.writeHead(302, { location: `${incoming.url}x` }).end();
  });
  expect(await request({ url: server.url })).toMatchObject({ ok: true, output: { redirects: 5 } });
});

test('the body of a redirect is not read, however long it is', async () => {
  const server = await startServer((incoming, response) => {
    if (incoming.url === '/target') {
      response.end('reached');
      return;
    }
    response.writeHead(302, { location: '/target' });
    const drip = setInterval(() => response.write('x'), 5);
    response.on('close', () => clearInterval(drip));
  });
  expect((await request({ url: server.url }, { answerBytes: 10 })).content).toContain('reached');
  await expect.poll(() => server.open()).toBe(0);
});
