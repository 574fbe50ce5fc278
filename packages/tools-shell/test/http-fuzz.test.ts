import { createServer, type AddressInfo, type Server } from 'node:net';
import { parse } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpTool } from '../src/http/http-tool.js';

interface Listening {
  readonly server: Server;
  readonly port: number;
  connections: number;
}

/** Answers whatever comes; every connection counts. */
async function listen(host: string, answer: () => string): Promise<Listening> {
  const server = createServer((socket) => {
    listening.connections += 1;
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answer()));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  const listening: Listening = { server, port: (server.address() as AddressInfo).port, connections: 0 };
  return listening;
}

let leads = '';
let allowed: Listening;
let inner: Listening;

beforeAll(async () => {
  allowed = await listen('127.0.0.1', () =>
    leads === ''
      ? 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
      : `HTTP/1.1 302 Found\r\nlocation: ${leads}\r\ncontent-length: 0\r\n\r\n`,
  );
  // On every address of this machine, in both families: whatever a URL turns into, it would be reached.
  inner = await listen('::', () => 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
});

afterAll(() => {
  for (const { server } of [allowed, inner]) server.close();
});

async function ask(url: string, allowPrivate: readonly string[]): Promise<string> {
  const tool = createHttpTool(
    // Every name is this machine: the worst that a resolver can say.
    { clock: { now: () => 0 }, lookup: async () => ['127.0.0.1'] },
    { allowPrivate, timeout: 2_000, otherHosts: true },
  );
  const { ok, error } = await tool.run({ url }, { signal: new AbortController().signal, id: '1' });
  return ok ? 'ok' : (error?.code ?? 'no code');
}

const scheme = fc.constantFrom(
  'https://',
  'http://',
  'HTTPS://',
  'http:',
  'https:/',
  '//',
  '\\\\',
  'http:\\\\',
  'file://',
  'ftp://',
  '',
);
const user = fc.constantFrom('', 'a@', 'a:b@', '@', '%40', 'a\\@', 'localhost@', 'localhost:1@', '#@', '?@', '/@');
const byte = fc.nat(255);
// Private ones alone: no test asks the open internet.
const privateV4 = fc
  .tuple(fc.constantFrom([127], [10], [0], [169, 254], [192, 168]), byte, byte, byte, fc.nat(6))
  .map(([start, ...rest]) => written([...start, ...rest.slice(0, 3)].slice(0, 4), rest[3]));
const privateV6 = fc
  .tuple(fc.constantFrom('fc00', 'fe80', 'ff02', '0', '2002:7f00', '2001:db8', '64:ff9b:1'), fc.nat(0xffff))
  .map(([start, tail]) => `[${start}::${tail.toString(16)}]`);

/** An address of IPv4 in one of the forms that some readers take for it. */
function written(bytes: readonly number[], form: number): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const forms = [
    bytes.join('.'),
    bytes.map((value) => `0x${value.toString(16)}`).join('.'),
    bytes.map((value) => `0${value.toString(8)}`).join('.'),
    `${whole}`,
    `0x${whole.toString(16)}`,
    `${a}.${whole % 2 ** 24}`,
    `[::ffff:${bytes.join('.')}]`,
  ];
  return forms[form] ?? '';
}

const hosts =
  'localhost localhost. LOCALHOST a.localhost 127.0.0.1 127.1 127.0.0.1. 0 0.0.0.0 2130706433 0x7f000001 0x7f.1 0177.1 ' +
  '[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:0:0:1] [::1%lo] [::127.0.0.1] [64:ff9b::7f00:1] [ ] [] . .. ' +
  'example.com ①②⑦.0.0.1 ⓛocalhost loc\u00ADalhost %6cocalhost localhost%00 localhost%2e 127。0。0。1 169.254.169.254';
const host = fc.oneof(
  fc.constantFrom(...hosts.split(' '), '', 'local\thost', 'localhost#', 'localhost?', 'localhost/', 'localhost\\'),
  privateV4,
  privateV6,
  fc.domain(),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const end = fc.oneof(
  fc.constantFrom('', '/', '/a?b#c', '?x', '#x', '\\', '\\@localhost', '@localhost', '%0d%0a'),
  fc.webPath(),
);
const ports = (): fc.Arbitrary<string> =>
  fc.constantFrom(
    '',
    ':',
    `:${allowed.port}`,
    `:${inner.port}`,
    `:0${inner.port}`,
    `:${inner.port}x`,
    ':99999',
    ':0',
    ':80',
  );
const urls = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.tuple(scheme, user, host, ports(), end).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: fc.webUrl() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  );

describe('whatever URL a model or a server thinks of', () => {
  test('nothing of this machine is connected to that is not named', async () => {
    leads = '';
    const before = [allowed.connections, inner.connections];
    await fc.assert(
      fc.asyncProperty(urls(), async (url) => {
        expect(await ask(url, [])).toMatch(/^(?:ADDRESS_REFUSED|INVALID_INPUT)$/u);
      }),
      { numRuns: 3_000 },
    );
    expect([allowed.connections, inner.connections]).toEqual(before);
  });

  test('what is named is connected to where its name stands in the URL, and nothing else ever', async () => {
    leads = '';
    const named = `localhost:${allowed.port}`;
    const before = inner.connections;
    let reached = 0;
    await fc.assert(
      fc.asyncProperty(urls(), async (url) => {
        const count = allowed.connections;
        const code = await ask(url, [named]);
        if (allowed.connections === count) {
          expect(code).toMatch(/^(?:ADDRESS_REFUSED|INVALID_INPUT|NETWORK_ERROR)$/u);
          return;
        }
        reached += 1;
        // Another reader of URLs, by other rules, comes to the same host.
        // oxlint-disable-next-line typescript/no-deprecated -- it is another reader
        const { protocol, host: read, auth } = parse(url);
        expect([protocol, read?.toLowerCase(), auth]).toEqual([expect.stringMatching(/^https?:$/u), named, null]);
        expect(url.toLowerCase()).toMatch(/^https?:\/\/localhost:\d+(?:[/?#]|$)/u);
      }),
      {
        numRuns: 2_000,
        examples: [[`http://${named}`], [`http://LocalHost:${allowed.port}/x`], [`http://${named}?q`]],
      },
    );
    expect(reached).toBeGreaterThan(2);
    expect(inner.connections).toBe(before);
  });

  test('wherever a server leads to, nothing else is connected to', async () => {
    const named = `localhost:${allowed.port}`;
    const before = inner.connections;
    await fc.assert(
      fc.asyncProperty(urls(), async (location) => {
        leads = location.replaceAll(/[^\t\u0020-\u007E\u0080-\u{10FFFF}]/gu, '');
        expect(await ask(`http://${named}/`, [named])).toMatch(
          /^(?:ok|ADDRESS_REFUSED|REDIRECT_REFUSED|NETWORK_ERROR)$/u,
        );
      }),
      { numRuns: 1_500 },
    );
    leads = '';
    expect(inner.connections).toBe(before);
  });
});
