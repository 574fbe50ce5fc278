import { expect, test } from 'vitest';
import { isProxied, readProxy } from './proxy.js';

const proxied = (url: string, NO_PROXY: string): boolean => {
  const proxy = readProxy({ HTTPS_PROXY: 'http://proxy.example:3128', NO_PROXY });
  return proxy !== undefined && isProxied(new URL(url), proxy);
};

test.each([
  [''],
  ['other.example'],
  ['ample'],
  ['pi.example'],
  ['b.api.example'],
  ['api.example:8443'],
  [','],
  ['127.0.0.1, ::1'],
])('with NO_PROXY %j, https://api.example/ is asked for through the proxy', (except) => {
  expect(proxied('https://api.example/', except)).toBe(true);
});

test.each([
  ['*'],
  ['api.example'],
  ['API.Example'],
  ['example'],
  ['.example'],
  ['*.example'],
  ['.api.example'],
  ['other.example,api.example'],
  ['other.example api.example'],
  [' , api.example:443'],
])('with NO_PROXY %j, https://api.example/ is asked for directly', (except) => {
  expect(proxied('https://api.example/', except)).toBe(false);
});

test.each([
  [{}, undefined],
  [{ HTTPS_PROXY: '' }, undefined],
  [{ HTTP_PROXY: 'http://proxy.example' }, undefined],
  [{ HTTPS_PROXY: 'proxy.example:3128' }, 'http://proxy.example:3128'],
  [{ https_proxy: 'https://a', HTTPS_PROXY: 'https://b' }, 'https://a'],
])('the proxy in %j is %s', (environment, url) => {
  expect(readProxy(environment)?.url).toBe(url);
});

test.each(['socks5://127.0.0.1:1080', 'http://', 'http://a b', 'a b'])('%s is no proxy', (HTTPS_PROXY) => {
  expect(() => readProxy({ HTTPS_PROXY })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
});
