import { addressKind } from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import { request, startProxy, startRawServer, startServer, type TestServer } from './http-servers.js';

const open = { allowPrivate: [] };

async function answering(kind: 'http' | 'https' = 'http'): Promise<TestServer> {
  return startServer((_, response) => void response.end('reached'), kind);
}

describe('where a request may go', () => {
  test.each([
    'http://127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/',
    'https://localhost:PORT/',
    'https://localhost.:PORT/',
    'https://LOCALHOST:PORT/',
    'https://127.1:PORT/',
    'https://127.0.1:PORT/',
    'https://0:PORT/',
    'https://2130706433:PORT/',
    'https://0x7f000001:PORT/',
    'https://0x7f.1:PORT/',
    'https://0177.0.0.1:PORT/',
    'https://017700000001:PORT/',
    'https://127.0.0.1.:PORT/',
    'https://127.0.0.2:PORT/',
    'https://[::1]:PORT/',
    'https://[0:0:0:0:0:0:0:1]:PORT/',
    'https://[::ffff:127.0.0.1]:PORT/',
    'https://[::ffff:7f00:1]:PORT/',
    'https://[::127.0.0.1]:PORT/',
    'https://[64:ff9b::127.0.0.1]:PORT/',
    'https://[64:ff9b::7f00:1]:PORT/',
    'https://[2002:7f00:1::]:PORT/',
    'https://[fe80::1%25lo]:PORT/',
    'https://[::1%lo]:PORT/',
    'https://①②⑦.⓪.⓪.①:PORT/',
    'https://127。0。0。1:PORT/',
    'https://１２７.0.0.1:PORT/',
    'https://loc\u00ADalhost:PORT/',
    'https://ⓛocalhost:PORT/',
    'https://\u212Aelvin.example:PORT/',
    'https://%6c%6f%63%61%6c%68%6f%73%74:PORT/',
    'https://127.0.0.1%2f@public.example:PORT/',
    'https://public.example@127.0.0.1:PORT/',
    'https://public.example:443@127.0.0.1:PORT/',
    'https://public.example%40127.0.0.1:PORT/',
    'https://public.example\\@127.0.0.1:PORT/',
    'https://127.0.0.1:PORT\\@public.example/',
    'https://public.example#@127.0.0.1:PORT/',
    'https://127.0.0.1:PORT#@public.example/',
    'https://127.0.0.1:PORT?@public.example/',
    'https:\\\\127.0.0.1:PORT/',
    'https:127.0.0.1:PORT/',
    'https:/127.0.0.1:PORT/',
    'https:///127.0.0.1:PORT/',
    'https:////127.0.0.1:PORT/',
    '//127.0.0.1:PORT/',
    ' https://127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/ ',
    'ht\ntps://127.0.0.1:PORT/',
    'https://127.0.\t0.1:PORT/',
    'https://127.0.0.1:\nPORT/',
    'HTTPS://127.0.0.1:PORT/',
    'https://127.0.0.1:00PORT/',
    'https://127.0.0.1:PORTx/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/latest/meta-data/',
    'https://100.100.100.200/latest/meta-data/',
    'https://168.63.129.16/metadata/instance',
    'http://public.example:PORT/',
    'file:///etc/passwd',
    'ftp://127.0.0.1:PORT/',
    'data:text/plain,hello',
    'javascript:alert(1)',
    'unix:///var/run/docker.sock',
    'blob:https://127.0.0.1:PORT/1',
    'https://',
    'https://:PORT/',
    'https://user:s3cr3t-pw@public.example:PORT/',
    'https://public.example:0PORT99/',
  ])('%s is refused before anything is connected to', async (url) => {
    const [plain, tls] = await Promise.all([answering(), answering('https')]);
    for (const { port } of [plain, tls]) {
      // The machine's own resolver, as in use: nothing here is to be asked of another one.
      const lookup = async (host: string): Promise<string[]> => [host.startsWith('local') ? '127.0.0.1' : '10.0.0.1'];
      const { ok, error, content } = await request({ url: url.replace('PORT', String(port)) }, { ...open, lookup });
      expect({ ok, code: error?.code }).toEqual({ ok: false, code: 'ADDRESS_REFUSED' });
      expect(content).not.toContain('s3cr3t-pw');
    }
    expect(plain.connections() + tls.connections()).toBe(0);
  });

  test('the resolver of the machine is the one that is asked by itself', async () => {
    const server = await answering('https');
    const { error } = await request({ url: `https://localhost:${server.port}/` }, { ...open, lookup: undefined });
    expect(error).toMatchObject({ code: 'ADDRESS_REFUSED', message: expect.stringMatching(/127\.0\.0\.1|::1/u) });
    expect(server.connections()).toBe(0);
  });

  test.each([
    [['127.0.0.1']],
    [['93.184.215.14', '127.0.0.1']],
    [['127.0.0.1', '93.184.215.14']],
    [['::1']],
    [['::ffff:10.0.0.1']],
    [['169.254.169.254']],
    [['fd00:ec2::254']],
    [['not an address']],
    [['']],
  ])('a name of the open internet with the addresses %j is refused', async (addresses) => {
    const server = await answering('https');
    const url = `https://api.example:${server.port}/`;
    const { error } = await request({ url }, { ...open, lookup: async () => addresses });
    expect(error?.code).toBe('ADDRESS_REFUSED');
    expect(server.connections()).toBe(0);
  });

  test('a resolver that changes its answer changes nothing: it is asked once for a connection', async () => {
    const server = await answering('https');
    const asked: string[] = [];
    // First what may be, and what a second question would be answered with.
    const lookup = async (host: string): Promise<string[]> => [asked.push(host) === 1 ? '127.0.0.1' : '127.0.0.2'];
    const url = `https://api.example:${server.port}/`;
    expect(await request({ url }, { allowPrivate: ['api.example'], lookup })).toMatchObject({ ok: true });
    expect(asked).toEqual(['api.example']);
  });

  test('a resolver that changes its answer between two redirects is judged again', async () => {
    const server = await startServer((request_, response) => {
      if (request_.url === '/') response.writeHead(302, { location: '/again' }).end();
      else response.end('reached');
    }, 'https');
    const proxy = await startProxy(server.port);
    let count = 0;
    const lookup = async (): Promise<string[]> => [(count += 1) === 1 ? '93.184.215.14' : '127.0.0.1'];
    const environment = { HTTPS_PROXY: proxy.url };
    const { error } = await request({ url: 'https://api.example/' }, { ...open, lookup, environment });
    expect(error?.code).toBe('ADDRESS_REFUSED');
    expect(server.seen.map(({ url }) => url)).toEqual(['/']);
  });

  test('several addresses are tried, and all of them were judged', async () => {
    const server = await answering('https');
    const lookup = async (): Promise<string[]> => ['127.0.0.2', '127.0.0.1'];
    const url = `https://api.example:${server.port}/`;
    expect(await request({ url }, { allowPrivate: ['api.example'], lookup })).toMatchObject({ ok: true });
  });
});

test.each(['https', 'http'] as const)('by %s, no address is connected to that was not judged', async (kind) => {
  const server = await answering(kind);
  // Where the server is as well; but that is not what the resolver said.
  const options = { allowPrivate: ['localhost'], lookup: async () => ['127.0.0.3', '127.0.0.4'] };
  const { error } = await request({ url: `${kind}://localhost:${server.port}/` }, options);
  expect(error?.code).toBe('NETWORK_ERROR');
  expect(server.connections()).toBe(0);
});

describe('hosts that are named', () => {
  test.each([
    ['127.0.0.1', 'http://127.0.0.1:PORT/', true],
    ['127.0.0.1:PORT', 'http://127.0.0.1:PORT/', true],
    ['127.0.0.1:1', 'http://127.0.0.1:PORT/', false],
    ['localhost', 'http://localhost:PORT/', true],
    ['LOCALHOST:PORT', 'http://localhost:PORT/', true],
    ['localhost', 'http://LocalHost:PORT/', true],
    ['localhost', 'http://localhost.:PORT/', false],
    ['localhost', 'http://127.0.0.1:PORT/', false],
    ['localhost', 'http://a.localhost:PORT/', false],
    ['localhost', 'http://localhost.evil.example:PORT/', false],
    ['localhost', 'http://xlocalhost:PORT/', false],
    ['127.0.0.1', 'http://2130706433:PORT/', false],
    ['127.0.0.1', 'http://127.0.0.1@localhost:PORT/', false],
  ])('with allowPrivate %s, %s is asked: %s', async (entry, url, asked) => {
    const server = await answering();
    const port = String(server.port);
    const options = { allowPrivate: [entry.replace('PORT', port)], lookup: async () => ['127.0.0.1'] };
    const { ok, error } = await request({ url: url.replace('PORT', port) }, options);
    expect({ ok, code: error?.code }).toEqual({ ok: asked, code: asked ? undefined : 'ADDRESS_REFUSED' });
    expect(server.connections()).toBe(asked ? 1 : 0);
  });

  test('are asked by plain http at private addresses alone', async () => {
    const options = { allowPrivate: ['nas.example'], lookup: async () => ['93.184.215.14'] };
    expect(await request({ url: 'http://nas.example/' }, options)).toMatchObject({
      error: { code: 'ADDRESS_REFUSED', message: expect.stringContaining('by plain http') },
    });
  });

  test.each([
    ['api.example', 'https://api.example/', true],
    ['api.example', 'https://API.example/', true],
    ['API.Example', 'https://api.example/', true],
    ['api.example', 'https://www.api.example/', false],
    ['api.example', 'https://xapi.example/', false],
    ['api.example', 'https://api.example.evil.example/', false],
    ['api.example', 'https://api.example./', false],
    ['*.api.example', 'https://www.api.example/', true],
    ['*.api.example', 'https://a.b.api.example/', true],
    ['*.api.example', 'https://api.example/', false],
    ['*.api.example', 'https://xapi.example/', false],
    ['*.api.example', 'https://.api.example/', false],
    ['bücher.example', 'https://xn--bcher-kva.example/', true],
    ['bucher.example', 'https://xn--bcher-kva.example/', false],
    ['apple.example', 'https://xn--pple-43d.example/', false],
    ['93.184.215.14', 'https://93.184.215.14/', true],
    ['93.184.215.14', 'https://93.184.215.15/', false],
  ])('with domains %s, %s is asked: %s', async (domain, url, asked) => {
    const looked: string[] = [];
    const lookup = async (host: string): Promise<string[]> => {
      looked.push(host);
      return ['127.0.0.1'];
    };
    const server = await answering('https');
    const proxy = await startProxy(server.port);
    const environment = { HTTPS_PROXY: proxy.url };
    const { error } = await request({ url }, { ...open, domains: [domain], lookup, environment });
    const isLiteral = /\d\/$/u.test(url);
    // What is allowed gets as far as to its addresses, of which these are private.
    expect(error?.code).toBe(isLiteral && asked ? undefined : 'ADDRESS_REFUSED');
    expect(looked.length > 0 || (isLiteral && asked)).toBe(asked);
    expect(proxy.connections()).toBe(isLiteral && asked ? 1 : 0);
  });

  test('no domain at all is no host at all, but for those that may be private', async () => {
    const server = await answering();
    const { error, content } = await request({ url: 'https://api.example/' }, { domains: [] });
    expect(error?.code).toBe('ADDRESS_REFUSED');
    expect(content).toContain('Allowed are 127.0.0.1.');
    expect(await request({ url: server.url }, { domains: [] })).toMatchObject({ ok: true });
  });

  test('a host in letters that look like others has to be written as it is connected to', async () => {
    const { content } = await request({ url: 'https://\u0430pple.example/' }, open);
    expect(content).toContain('xn--');
  });
});

describe('proxies', () => {
  const lookup = async (): Promise<string[]> => ['2606:2800::1', '93.184.215.14'];

  test('a proxy is told the address that was judged, never the name, and TLS goes through it to the host', async () => {
    const server = await answering('https');
    const proxy = await startProxy(server.port);
    const environment = { HTTPS_PROXY: proxy.url.replace('://', '://me:pass@') };
    const url = 'https://api.example/a';
    const result = await request({ url, headers: { 'x-note': 'a' } }, { ...open, lookup, environment });
    expect(result).toMatchObject({ ok: true, output: { url, status: 200 } });
    expect(proxy.seen.map(({ method, url: target }) => `${method} ${target}`)).toEqual(['CONNECT 93.184.215.14:443']);
    expect(proxy.seen[0]?.headers).toMatchObject({ 'proxy-authorization': 'Basic bWU6cGFzcw==' });
    expect(proxy.seen[0]?.headers).not.toHaveProperty('x-note');
    expect(server.seen[0]?.headers).toMatchObject({ host: 'api.example', 'x-note': 'a' });
    expect(server.seen[0]?.headers).not.toHaveProperty('proxy-authorization');
    await expect.poll(() => proxy.open() + server.open()).toBe(0);
  });

  test('a certificate for another host is refused through a proxy as well', async () => {
    const server = await answering('https');
    const proxy = await startProxy(server.port);
    const environment = { https_proxy: `127.0.0.1:${proxy.port}` };
    const { error } = await request({ url: 'https://unnamed.example/' }, { ...open, lookup, environment });
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', message: expect.stringContaining('unnamed.example') });
    expect(server.seen).toEqual([]);
  });

  test('only an address of IPv6 is asked for in brackets', async () => {
    const server = await answering('https');
    const proxy = await startProxy(server.port);
    const options = { ...open, lookup: async () => ['2606:2800::1'], environment: { HTTPS_PROXY: proxy.url } };
    expect(await request({ url: 'https://api.example:8443/' }, options)).toMatchObject({ ok: true });
    expect(proxy.seen[0]?.url).toBe('[2606:2800::1]:8443');
  });

  test('a private address stays refused behind a proxy, and the proxy is not asked', async () => {
    const proxy = await startProxy(1);
    const environment = { HTTPS_PROXY: proxy.url };
    const inside = async (): Promise<string[]> => ['10.0.0.1'];
    for (const url of ['https://api.example/', 'https://10.0.0.1/', 'https://[::1]/']) {
      const { error } = await request({ url }, { ...open, lookup: inside, environment });
      expect(error?.code).toBe('ADDRESS_REFUSED');
    }
    expect(proxy.connections()).toBe(0);
  });

  test.each([
    ['HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n', /does not connect to “api\.example”: it answered 403\.$/u],
    ['', /ECONNRESET/u],
  ])('a proxy that says no by %j is NETWORK_ERROR, and nothing was sent', async (no, message) => {
    const proxy = await startRawServer(
      (socket) => void socket.once('data', () => (no === '' ? socket.end() : socket.write(no))),
    );
    const options = { ...open, lookup, environment: { HTTPS_PROXY: proxy.url } };
    const result = await request({ url: 'https://api.example/', method: 'POST' }, options);
    expect(result.error).toMatchObject({ code: 'NETWORK_ERROR', message: expect.stringMatching(message) });
    expect(result.output).toEqual({ success: false });
    await expect.poll(() => proxy.open()).toBe(0);
  });

  test('a proxy that speaks TLS is spoken to so, and by its certificate', async () => {
    const server = await answering('https');
    const proxy = await startProxy(server.port, 'https');
    const environment = { HTTPS_PROXY: proxy.url.replace('://', '://m%65:100%@') };
    const url = 'https://api.example/';
    expect(await request({ url }, { ...open, lookup, environment })).toMatchObject({ ok: true });
    expect(proxy.seen[0]?.headers['proxy-authorization']).toBe(`Basic ${btoa('me:100%')}`);
    const { error } = await request({ url }, { ...open, lookup, environment, certificates: [] });
    expect(error?.code).toBe('NETWORK_ERROR');
    expect([proxy.seen.length, server.seen.length]).toEqual([1, 1]);
  });

  test('hosts that may be private, and those of NO_PROXY, are asked directly', async () => {
    const server = await answering('https');
    const proxy = await startProxy(server.port);
    const near = { allowPrivate: ['api.example'], lookup: async () => ['127.0.0.1'] };
    const url = `https://api.example:${server.port}/`;
    await request({ url }, { ...near, environment: { HTTPS_PROXY: proxy.url } });
    expect([server.seen.length, proxy.seen.length]).toEqual([1, 0]);
    await request({ url: server.url }, { environment: { HTTP_PROXY: proxy.url, ALL_PROXY: proxy.url } });
    expect([server.seen.length, proxy.seen.length]).toEqual([2, 0]);
  });

  test.each(['socks5://127.0.0.1:1080', 'http://', 'http://a b'])('%s is no proxy', async (HTTPS_PROXY) => {
    await expect(request({ url: 'https://api.example/' }, { environment: { HTTPS_PROXY } })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    });
  });
});

test('the addresses that these tests take for public are', () => {
  for (const address of ['93.184.215.14', '2606:2800::1']) expect(addressKind(address)).toBe('public');
});
