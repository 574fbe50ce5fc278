import { SkillsError } from '@skillpack/core';
import { makePack, skillText } from '@skillpack/core/testing';
import {
  createFolderRegistry,
  createRegistryServer,
  serveRegistry,
  type RegistryServerOptions,
} from '@skillpack/registry-http/server';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { archivePorts, packPorts } from '../registry/ports.js';
import { temporaryFolder } from '../registry/temporary-folder.js';
import { openChromium, whyNoChromium } from './open-chromium.js';

const path = '.well-known/agent-skills/index.json';
const other = 'https://app.example.com';
const pack = makePack(
  { name: 'acme/weather', version: '1.0.0', skills: { rain: { 'SKILL.md': skillText('rain', 'What rain does.') } } },
  packPorts,
);
const about = (response: Response): Record<string, string> =>
  Object.fromEntries([...response.headers].filter(([name]) => name === 'vary' || name.startsWith('access-control-')));
const open = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'accept-ranges, content-range, etag',
};

/** A registry with one pack, served; gives its address, with the final slash. */
async function serve(options: RegistryServerOptions): Promise<string> {
  const registry = createFolderRegistry(await temporaryFolder(), archivePorts);
  await registry.publish(pack);
  const handler = createRegistryServer(registry, archivePorts, { tokens: [{ token: 's3cret' }], ...options });
  const server = await serveRegistry(handler);
  onTestFinished(() => server.close(0));
  return server.url;
}

function preflight(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const asked = { origin: other, 'access-control-request-method': 'GET', ...headers };
  return fetch(url, { method: 'OPTIONS', headers: asked });
}

describe('a registry and pages of other origins', () => {
  test('says nothing of other origins unless it is told to, and answers no preflight', async () => {
    const url = await serve({});
    expect(about(await fetch(url + path, { headers: { origin: other } }))).toEqual({});
    const asked = await preflight(url + path);
    expect([asked.status, about(asked)]).toEqual([405, {}]);
  });

  test('lets every origin read what it has, errors and conditional answers with it', async () => {
    const url = await serve({ cors: true });
    const first = await fetch(url + path, { headers: { origin: other } });
    expect([first.status, about(first)]).toEqual([200, open]);
    const condition = { origin: other, 'if-none-match': first.headers.get('etag') ?? '' };
    const same = await fetch(url + path, { headers: condition });
    expect([same.status, about(same)]).toEqual([304, open]);
    const missing = await fetch(`${url}packs/acme/none.ndjson`, { headers: { origin: other } });
    expect([missing.status, about(missing)]).toEqual([404, open]);
    const found = await fetch(`${url}search?q=rain`, { headers: { origin: other } });
    expect([found.status, about(found)]).toEqual([200, open]);
  });

  test('answers a preflight: reading, with conditions and ranges', async () => {
    const asked = await preflight(`${await serve({ cors: true })}${path}`);
    expect([asked.status, about(asked)]).toEqual([
      204,
      {
        ...open,
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers':
          'if-match, if-modified-since, if-none-match, if-range, if-unmodified-since, range',
        'access-control-max-age': '86400',
      },
    ]);
  });

  test('an OPTIONS that is no preflight is a wrong method', async () => {
    const url = await serve({ cors: true });
    const response = await fetch(url + path, { method: 'OPTIONS', headers: { origin: other } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('lets the origins of a list read, and caches keep the answers apart', async () => {
    const url = await serve({ cors: [other, 'http://127.0.0.1:8080'] });
    for (const origin of [other, 'http://127.0.0.1:8080']) {
      expect(about(await fetch(url + path, { headers: { origin } }))).toEqual({
        ...open,
        'access-control-allow-origin': origin,
        vary: 'origin',
      });
    }
    for (const origin of ['https://evil.example.com', 'https://app.example.com.evil.net', 'null', undefined]) {
      const response = await fetch(url + path, { headers: origin === undefined ? {} : { origin } });
      expect([response.status, about(response)]).toEqual([200, { vary: 'origin' }]);
    }
    const asked = await preflight(url + path, { origin: 'https://evil.example.com' });
    expect([asked.status, about(asked)]).toEqual([204, { vary: 'origin' }]);
  });

  test('publishing is for no page: no preflight of it is answered, and its answers are not to be read', async () => {
    const url = `${await serve({ cors: true })}publish/acme/weather/1.0.0`;
    const asked = await preflight(url, { 'access-control-request-method': 'PUT' });
    expect([asked.status, about(asked)]).toEqual([405, {}]);
    const headers = { origin: other, authorization: 'Bearer s3cret', 'content-type': 'application/gzip' };
    const put = await fetch(url, { method: 'PUT', headers, body: Buffer.from(pack.archive) });
    expect([put.status, about(put)]).toEqual([200, {}]);
  });

  test('where reading needs a token, a page may send one, and its preflight needs none', async () => {
    const url = await serve({ cors: [other], auth: 'bearer' });
    const asked = await preflight(url + path, { 'access-control-request-headers': 'authorization' });
    expect([asked.status, asked.headers.get('access-control-allow-headers')]).toEqual([
      204,
      expect.stringMatching(/^authorization, /u),
    ]);
    const refused = await fetch(url + path, { headers: { origin: other } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, other]);
  });

  test.each([
    '*',
    'null',
    'app.example.com',
    'https://app.example.com/',
    'https://App.example.com',
    'https://app.example.com:443',
    'https://user@app.example.com',
    'https://app.example.com/page',
    'data:text',
    'chrome-extension://',
  ])('%s is no origin that a browser sends: USAGE', async (origin) => {
    await expect(serve({ cors: [origin] })).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
  });
});

const reason = whyNoChromium();
const title = 'a page of another origin, in Chromium';
describe.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (left out: ${reason})`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => browser.close());

  /** A page that has an origin of its own: that of another server. */
  async function openPage(): Promise<{ readonly page: Page; readonly origin: string }> {
    const server = await serveRegistry(
      async () => new Response('A page.', { headers: { 'content-type': 'text/html' } }),
    );
    onTestFinished(() => server.close(0));
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(server.url);
    return { page, origin: new URL(server.url).origin };
  }

  /** What a fetch of the page comes to: status, and a header that pages do not see by themselves. */
  async function ask(page: Page, url: string, init: RequestInit = {}): Promise<unknown> {
    return page.evaluate(
      async ({ address, options }) => {
        try {
          // Cast: it was one before it was a text.
          const response = await fetch(address, JSON.parse(options) as RequestInit);
          return [response.status, response.headers.has('etag'), (await response.text()).length > 0];
        } catch (error) {
          return String(error);
        }
      },
      { address: url, options: JSON.stringify(init) },
    );
  }

  test('cannot read a registry, and can when the registry lets it, with a condition and a range', async () => {
    const { page, origin } = await openPage();
    const closed = await serve({});
    expect(await ask(page, closed + path)).toBe('TypeError: Failed to fetch');
    expect(await ask(page, (await serve({ cors: ['https://app.example.com'] })) + path)).toBe(
      'TypeError: Failed to fetch',
    );
    for (const cors of [true, [origin]]) {
      const url = await serve({ cors });
      expect(await ask(page, url + path)).toEqual([200, true, true]);
      expect(await ask(page, url + path, { headers: { 'if-match': '"x"', range: 'bytes=0-9' } })).toEqual([
        206,
        true,
        true,
      ]);
      const put = { method: 'PUT', headers: { authorization: 'Bearer s3cret', 'content-type': 'application/gzip' } };
      expect(await ask(page, `${url}publish/acme/weather/1.0.0`, put)).toBe('TypeError: Failed to fetch');
    }
  });
});
