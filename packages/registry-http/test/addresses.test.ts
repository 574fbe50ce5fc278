import { parsePackName, type OpenedArchive, type PackManifest } from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import { downloadArchive } from '../src/client/download-archive.js';
import { createHttpRegistry, type HttpRegistryOptions } from '../src/client/http-registry.js';
import { certificate, indexOf, someBytes, startProxy, startServer, testPorts } from './test-server.js';

const name = parsePackName('org/pdf');
const file = someBytes(1_000);
const blob = { digest: file.digest, size: file.bytes.length };
const token = (): string => 's3cret-token';

describe('the URL that a person names', () => {
  test.each([
    ['file:///etc/passwd', 'not an http or https URL'],
    ['ftp://registry.example/', 'not an http or https URL'],
    ['registry.example', 'not a URL'],
    ['https://user:s3cret@registry.example/', 'user name or a password'],
  ])('%s is refused', (url, why) => {
    const make = (): unknown => createHttpRegistry(url, testPorts());
    expect(make).toThrow(expect.objectContaining({ code: 'ADDRESS_REFUSED', message: expect.stringContaining(why) }));
    expect(make).toThrow(expect.objectContaining({ message: expect.not.stringContaining('s3cret') }));
  });

  test.each([
    ['http://93.184.215.14/', []],
    ['http://registry.example/', ['93.184.215.14']],
    ['http://registry.example/', ['127.0.0.1', '93.184.215.14']],
  ])('%s by plain http at %j is refused, and the hint says https', async (url, addresses) => {
    const ports = testPorts({ lookup: async () => addresses });
    await expect(createHttpRegistry(url, ports, { token }).getPack(name)).rejects.toMatchObject({
      code: 'ADDRESS_REFUSED',
      hint: 'Use https.',
    });
  });

  test('plain http to a name of this machine works, and the name is resolved once for a connection', async () => {
    const server = await startServer((_, response) => void response.end(indexOf(name)));
    let lookups = 0;
    // A resolver that changes its mind after it was judged, as in DNS rebinding.
    const lookup = async (): Promise<string[]> => [(lookups += 1) === 1 ? '127.0.0.1' : '127.0.0.2'];
    const registry = createHttpRegistry(`http://registry.example:${server.port}/`, testPorts({ lookup }));
    expect((await registry.getPack(name)).head.name).toBe(name);
    expect((await registry.getPack(name)).head.name).toBe(name);
    expect(lookups).toBe(1);
    await registry.close();
  });
});

describe('where a server may lead to', () => {
  async function redirecting(to: string, status: number = 302) {
    return startServer((request, response) => {
      if (request.url?.startsWith('/target') === true) response.end(file.bytes);
      else response.writeHead(status, { location: to }).end('moved');
    });
  }

  test.each([301, 302, 303, 307, 308])(
    'a redirect (%i) on the same origin is followed, with the token',
    async (status) => {
      const server = await redirecting('/target', status);
      expect(file.bytes.equals(await createHttpRegistry(server.url, testPorts(), { token }).getBlob(blob))).toBe(true);
      expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill('Bearer s3cret-token'));
    },
  );

  test('a redirect to another port of the host is followed, without the token, nor does it come back', async () => {
    let back = '';
    const other = await startServer((_, response) => void response.writeHead(302, { location: back }).end());
    const server = await redirecting(other.url);
    back = `${server.url}target`;
    await createHttpRegistry(server.url, testPorts(), { token }).getBlob(blob);
    expect(other.seen).toHaveLength(1);
    const sent = [...server.seen, ...other.seen].map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer s3cret-token', undefined, undefined]);
    for (const { headers } of other.seen)
      expect(Object.keys(headers).toSorted()).toEqual(['accept-encoding', 'connection', 'host', 'user-agent']);
  });

  test.each([
    ['http://127.0.0.2:PORT/', 'ADDRESS_REFUSED'],
    ['http://localhost:PORT/', 'ADDRESS_REFUSED'],
    ['https://127.0.0.2:PORT/', 'ADDRESS_REFUSED'],
    ['https://localhost:PORT/', 'ADDRESS_REFUSED'],
    ['https://[::1]:PORT/', 'ADDRESS_REFUSED'],
    ['https://[::ffff:127.0.0.1]:PORT/', 'ADDRESS_REFUSED'],
    ['https://2130706433:PORT/x', 'NETWORK_ERROR'],
    ['https://0x7f.2:PORT/', 'ADDRESS_REFUSED'],
    ['https://169.254.169.254/latest/meta-data/', 'ADDRESS_REFUSED'],
    ['http://169.254.169.254/latest/meta-data/', 'ADDRESS_REFUSED'],
    ['file:///etc/passwd', 'REDIRECT_REFUSED'],
    ['javascript:alert(1)', 'REDIRECT_REFUSED'],
    ['http://[', 'REGISTRY_ERROR'],
  ])('a redirect to %s is %s and never asked for', async (to, code) => {
    const inner = await startServer((_, response) => void response.end(file.bytes));
    const server = await redirecting(to.replace('PORT', String(inner.port)));
    const registry = createHttpRegistry(server.url, testPorts(), { token, retries: 0 });
    await expect(registry.getBlob(blob)).rejects.toMatchObject({ code });
    expect(server.seen).toHaveLength(1);
    expect(inner.seen).toEqual([]);
  });

  test('a name of the open internet that resolves to this machine is refused after a redirect', async () => {
    const inner = await startServer((_, response) => void response.end(file.bytes), 'https');
    const server = await redirecting(`https://cdn.example:${inner.port}/`);
    const ports = testPorts({ lookup: async () => ['127.0.0.1'] });
    const registry = createHttpRegistry(server.url, ports, { certificates: [certificate] });
    await expect(registry.getBlob(blob)).rejects.toMatchObject({
      code: 'ADDRESS_REFUSED',
      message: expect.stringContaining('127.0.0.1, an address of this machine'),
    });
    expect(inner.seen).toEqual([]);
  });

  test('a registry.json that names blobs on a private address is refused', async () => {
    const inner = await startServer((_, response) => void response.end(file.bytes));
    const server = await startServer((request, response) => {
      const info = { formatVersion: 1, id: 'x', name: 'x', blobs: `http://localhost:${inner.port}/` };
      if (request.url === '/registry.json') response.end(JSON.stringify(info));
      else response.writeHead(404).end();
    });
    await expect(createHttpRegistry(server.url, testPorts(), { token }).getBlob(blob)).rejects.toMatchObject({
      code: 'ADDRESS_REFUSED',
    });
    expect(inner.seen).toEqual([]);
  });

  test('another host by plain http is refused before its name is even resolved', async () => {
    const server = await redirecting('http://cdn.example/');
    const resolved: string[] = [];
    const lookup = async (host: string): Promise<string[]> => {
      resolved.push(host);
      return [];
    };
    await expect(createHttpRegistry(server.url, testPorts({ lookup })).getBlob(blob)).rejects.toMatchObject({
      code: 'ADDRESS_REFUSED',
      message: expect.stringContaining('by plain http'),
    });
    expect(resolved).toEqual([]);
  });

  test('a registry.json that names another origin gets no token sent there: not to read, not to publish', async () => {
    const other = await startServer((_, response) => void response.end(file.bytes));
    const server = await startServer((request, response) => {
      const info = { formatVersion: 1, id: 'x', name: 'x', blobs: other.url, publish: `${other.url}publish/` };
      if (request.url === '/registry.json') response.end(JSON.stringify(info));
      else response.writeHead(404).end();
    });
    const manifest = { name, version: '1.0.0' } as PackManifest;
    const archives = { open: async () => ({ manifest, format: 'tgz' }) as OpenedArchive };
    const registry = createHttpRegistry(server.url, testPorts({ archives }), { token });
    expect(file.bytes.equals(await registry.getBlob(blob))).toBe(true);
    expect(other.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    await expect(registry.publish({ archive: file.bytes, format: 'tgz' })).rejects.toMatchObject({
      code: 'ADDRESS_REFUSED',
      hint: expect.stringContaining('token'),
    });
    expect(other.seen).toHaveLength(1);
  });

  test('https never leads back to http', async () => {
    const plain = await startServer((_, response) => void response.end(file.bytes));
    const server = await startServer(
      (_, response) => void response.writeHead(302, { location: plain.url }).end(),
      'https',
    );
    const registry = createHttpRegistry(server.url, testPorts(), { certificates: [certificate] });
    await expect(registry.getBlob(blob)).rejects.toMatchObject({ code: 'REDIRECT_REFUSED' });
    expect(plain.seen).toEqual([]);
  });

  test('a redirect whose body never ends is followed all the same', async () => {
    const server = await startServer((request, response) => {
      if (request.url === '/target') {
        response.end(file.bytes);
        return;
      }
      response.writeHead(302, { location: '/target' });
      const drip = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(drip));
    });
    expect(file.bytes.equals(await createHttpRegistry(server.url, testPorts()).getBlob(blob))).toBe(true);
  });

  test('a loop ends after five redirects', async () => {
    const server = await startServer((request, response) => {
      response.writeHead(302, { location: `${request.url ?? ''}x` }).end();
    });
    await expect(createHttpRegistry(server.url, testPorts()).getBlob(blob)).rejects.toMatchObject({
      code: 'REDIRECT_REFUSED',
    });
    expect(server.seen).toHaveLength(6);
  });

  test('an archive by its URL is under the same guards', async () => {
    const server = await redirecting('http://169.254.169.254/');
    await expect(downloadArchive(server.url, testPorts(), { maxBytes: 100 })).rejects.toMatchObject({
      code: 'ADDRESS_REFUSED',
    });
  });
});

describe('TLS, HTTP/2 and proxies', () => {
  test('a certificate that nobody trusts is NETWORK_ERROR at once, with a hint', async () => {
    const server = await startServer((_, response) => void response.end(indexOf(name)), 'https');
    const ports = testPorts();
    await expect(createHttpRegistry(server.url, ports).getPack(name)).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect(ports.delays).toEqual([]);
  });

  test('HTTP/2 is spoken where the server offers it, documents and blobs alike', async () => {
    const server = await startServer((request, response) => {
      response.end(request.url?.includes('/blobs/') === true ? file.bytes : indexOf(name));
    }, 'http2');
    const registry = createHttpRegistry(server.url, testPorts(), { certificates: [certificate] });
    const packs = await Promise.all(Array.from({ length: 20 }, () => registry.getPack(name)));
    expect(packs).toHaveLength(20);
    expect(file.bytes.equals(await registry.getBlob(blob))).toBe(true);
    expect(new Set(server.seen.map(({ httpVersion }) => httpVersion))).toEqual(new Set(['2.0']));
    await registry.close();
  });

  test('a proxy of the environment is used for https, and the token goes to the registry alone', async () => {
    const server = await startServer((request, response) => {
      const { host = '' } = request.headers;
      if (host.startsWith('cdn.example')) response.end(file.bytes);
      else response.writeHead(302, { location: 'https://cdn.example/file' }).end();
    }, 'https');
    const proxy = await startProxy(server.port);
    const options: HttpRegistryOptions = {
      token,
      certificates: [certificate],
      environment: { HTTPS_PROXY: proxy.url },
    };
    const registry = createHttpRegistry('https://registry.example/', testPorts(), options);
    expect(file.bytes.equals(await registry.getBlob(blob))).toBe(true);
    expect(proxy.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'CONNECT registry.example:443',
      'CONNECT cdn.example:443',
    ]);
    expect(server.seen.map(({ headers }) => [headers.host, headers.authorization])).toEqual([
      ['registry.example', 'Bearer s3cret-token'],
      ['cdn.example', undefined],
    ]);
    await registry.close();
  });

  test('a private address stays refused behind a proxy', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(302, { location: 'https://10.0.0.1/' }).end();
    }, 'https');
    const proxy = await startProxy(server.port);
    const options = { certificates: [certificate], environment: { https_proxy: proxy.url } };
    const registry = createHttpRegistry('https://registry.example/', testPorts(), options);
    await expect(registry.getBlob(blob)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    expect(proxy.seen).toHaveLength(1);
  });

  test('plain http goes through a proxy only to private hosts; NO_PROXY goes around it', async () => {
    const server = await startServer((_, response) => void response.end('direct'));
    const proxy = await startProxy(server.port);
    const environment = { HTTP_PROXY: proxy.url };
    const url = `${server.url}a.tgz`;
    const get = async (
      address: string,
      variables: Record<string, string>,
      lookup = testPorts().lookup,
    ): Promise<string> => {
      const ports = testPorts({ lookup });
      return Buffer.from(await downloadArchive(address, ports, { maxBytes: 100, environment: variables })).toString();
    };
    expect(await get(url, environment)).toBe(`proxied ${url}`);
    expect(await get(url, { ...environment, NO_PROXY: 'example.com,127.0.0.1' })).toBe('direct');
    expect(await get(url, {})).toBe('direct');
    expect(await get(url, { http_proxy: `127.0.0.1:${proxy.port}` })).toBe(`proxied ${url}`);
    for (const wrong of ['socks5://127.0.0.1:1080', 'http://', 'http://a b']) {
      await expect(get(url, { HTTPS_PROXY: wrong })).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    }
    const outside = get('http://registry.example/a.tgz', environment, async () => ['93.184.215.14']);
    await expect(outside).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    expect(proxy.seen).toHaveLength(2);
  });

  test('a token that would break out of its header is refused before anything is sent', async () => {
    const server = await startServer((_, response) => void response.end(indexOf(name)));
    const registry = createHttpRegistry(server.url, testPorts(), { token: () => 'a\r\nx-injected: 1' });
    await expect(registry.getPack(name)).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    expect(server.seen).toEqual([]);
  });
});
