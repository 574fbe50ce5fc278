import { expect, test } from 'vitest';
import { matchesDomain, parseDomainPattern } from './domain-pattern.js';
import type { Certainty } from './pattern-reading.js';

function matches(domain: string, url: string, certainty: Certainty = 'surely'): boolean {
  const reading = parseDomainPattern(domain);
  if ('problem' in reading) throw new Error(reading.problem);
  return matchesDomain(reading.pattern, url, certainty);
}

test.each([
  ['example.com', 'https://example.com'],
  ['example.com', 'https://example.com/a?b#c'],
  ['example.com', 'https://example.com/@types/node?a=b@c'],
  ['example.com', 'http://example.com:8080/'],
  ['example.com', 'HTTPS://EXAMPLE.COM/'],
  ['Example.com', 'https://example.com./'],
  ['*.example.com', 'https://a.example.com'],
  ['*.example.com', 'https://a.b.example.com'],
  ['bücher.example', 'https://xn--bcher-kva.example/'],
  ['xn--bcher-kva.example', 'https://bücher.example/'],
  ['127.0.0.1', 'http://127.1/'],
])('the domain %j means %j', (domain, url) => {
  expect(matches(domain, url)).toBe(true);
  expect(matches(domain, url, 'possibly')).toBe(true);
});

test.each([
  ['example.com', 'https://a.example.com'],
  ['example.com', 'https://example.com.evil.org'],
  ['example.com', 'https://evilexample.com'],
  ['example.com', 'https://evil.org/example.com'],
  ['example.com', 'https://evil.org#@example.com'],
  ['example.com', 'https://example.com@evil.org'],
  ['*.example.com', 'https://example.com'],
  ['*.example.com', 'https://evilexample.com'],
])('the domain %j does not mean %j', (domain, url) => {
  expect(matches(domain, url)).toBe(false);
  expect(matches(domain, url, 'possibly')).toBe(false);
});

test.each([
  ['example.com', 'ftp://example.com'],
  ['example.com', 'https://user@example.com'],
  ['example.com', 'https://example.com?@evil.org'],
  ['example.com', 'https://example.com#@evil.org/'],
  ['example.com', 'https://example.com\\@evil.org'],
  ['example.com', ' https://example.com'],
  ['example.com', 'https://exam\tple.com'],
  ['example.com', 'example.com'],
  ['example.com', '//example.com'],
  ['example.com', ''],
  ['example.com', 'https://'],
  ['example.com', 'file:///etc/passwd'],
  ['example.com', `https://evil.org/${'a'.repeat(10_000)}`],
])('whether the domain %j means %j cannot be told: no yes is taken from it, and no no is lost', (domain, url) => {
  expect(matches(domain, url)).toBe(false);
  expect(matches(domain, url, 'possibly')).toBe(true);
});

test.each([
  '',
  '*',
  '*.',
  '*.*.com',
  'a.*.com',
  'https://example.com',
  'example.com/a',
  'example.com:80',
  'a b',
  'user@a.com',
  'a%2ecom',
])('%j is no domain', (text) => {
  expect(parseDomainPattern(text)).toMatchObject({ problem: expect.stringMatching(/^A domain is a host alone/u) });
});
