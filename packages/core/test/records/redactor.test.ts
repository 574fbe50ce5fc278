import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor, secretValuesOf } from '../../src/index.js';

const secret = 'p"ä ss\\w/o+rd\u{1F600}?';
const redact = createRedactor({ values: [secret, 'abcdef', 'defghi', '', 'x'] });

test('a secret is taken out however it is written', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const ascii = JSON.stringify(secret)
    .replace('ä', String.raw`\u00e4`)
    .replace('\u{1F600}', String.raw`\ud83d\ude00`);
  for (const written of [
    secret,
    JSON.stringify(secret),
    JSON.stringify(JSON.stringify(secret)),
    // As Python and PHP write JSON, others with capitals, and within a text of JSON.
    ascii,
    ascii.replace(/[\da-f]{4}/gu, (code) => code.toUpperCase()),
    JSON.stringify(ascii).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams({ key: secret }).toString().slice(4),
    base64(secret),
    base64(`user:${secret}`),
    base64(`me:${secret}\n`),
    Buffer.from(`u:${secret}`).toString('base64url'),
  ]) {
    const redacted = redact(`before ${written} after`);
    expect(redacted, written).toMatch(/^before .*\[redacted:value\].* after$/u);
    expect(redacted).not.toContain(written);
  }
});

test('of secrets that overlap nothing is left, and of what is too short to be one all is', () => {
  expect(redact('-abcdefghi-')).toBe('-[redacted:value]-');
  expect(redact('abcabcdefdef')).toBe('abc[redacted:value]def');
  expect(redact('x is a letter')).toBe('x is a letter');
});

test.each([
  ['Authorization: Bearer abc.DEF-123~456', 'Authorization: Bearer [redacted:token]'],
  ['key sk-ant-api03-abcdefghijklmnop_q.', 'key [redacted:token].'],
  ['ghp_0123456789abcdefghijABCDEFGHIJ012345', '[redacted:token]'],
  ['"AKIAIOSFODNN7EXAMPLE"', '"[redacted:token]"'],
  ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'aws_secret_access_key = [redacted:token]'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSM', '[redacted:token]'],
  ['Authorization: Bearer abcdefghij', 'Authorization: Bearer [redacted:token]'],
  ['{\\"authorization\\":\\"Basic formatting\\"}', '{\\"authorization\\":\\"Basic [redacted:token]\\"}'],
  ['send Basic bWU6aHVudGVyMg== with it', 'send Basic [redacted:token] with it'],
  ['a bearer 0a1b2c3d4e5f', 'a bearer [redacted:token]'],
  ['sk-0123456789abcdef0123456789abcdef', '[redacted:token]'],
  ['sk_live_abcdefghijklmnopq', '[redacted:token]'],
  ['sk-proj-aB3dE-fG_hI-jKlMn', '[redacted:token]'],
  ['"one\\nghp_0123456789abcdefghijABCDEFGHIJ012345"', '"one\\n[redacted:token]"'],
  ['"one\\u0009AKIAIOSFODNN7EXAMPLE"', '"one\\u0009[redacted:token]"'],
  ['"one\\tbearer 0a1b2c3d4e5f"', '"one\\tbearer [redacted:token]"'],
  ['xoxb-123456789012-abcdefghij', '[redacted:token]'],
  ['postgres://me:hunter2@db/x', 'postgres://[redacted:value]@db/x'],
  ['See https://a.example/x?password=hunter2&b=c.', 'See https://a.example/x?password=[redacted:token]&b=c.'],
  ['https://a.example/cb#access_token=abc&x=1', 'https://a.example/cb#access_token=[redacted:token]&x=1'],
  ['https://a.example/?code=4/0AbCdEf012345', 'https://a.example/?code=[redacted:token]'],
  ['https://a.example/?a=b&https://me:pw@b.example/?token=x', 'https://a.example/?a=b&[redacted:token]'],
  ['https://a.example/?pass%77ord=hunter2', 'https://a.example/?[redacted:token]'],
  ['https://a.example/?next=https%3A%2F%2Fme%3Apw%40b.example', 'https://a.example/?next=[redacted:token]'],
  ['-----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY-----!', '[redacted:private-key]!'],
  ['a -----BEGIN PRIVATE KEY-----\nMIIE cut off', 'a [redacted:private-key]'],
])('%j is told by its shape', (text, redacted) => {
  expect(redact(text)).toBe(redacted);
});

test('words that only look a little like a token stay', () => {
  const text =
    'task-list-of-the-week, risk-assessment-of-things, a basic rule, sk-8, AKIA, -----BEGIN CERTIFICATE-----';
  expect(redact(text)).toBe(text);
});

test.each([
  'Use basic formatting. Basic authentication is simple; bearer certificates and bearer authentication are not.',
  'sk-learn-model-training, sk-learn-data-cleaning-x, sk-learn-2024-model-training, pk-internationalization-helper',
  'pypi-package-publishing-and-release-helper, glpat-explained-in-plain-words',
  'https://a.example/docs?code=python, https://a.example/?session=3 and (https://a.example/?key=name)',
  'curl "https://a.example/v1?key=$API_KEY&token=${TOKEN}" or https://a.example/?api_key={api_key}',
])('ordinary text stays as it is: %j', (text) => {
  expect(redact(text)).toBe(text);
});

test('whatever the text, no given secret is left in it, and there is nothing more to redact', () => {
  const part = fc.constantFrom(
    secret,
    'abcdef',
    'def',
    'ghi',
    'abc',
    'https://a:',
    '@b',
    'Bearer ',
    'basic ',
    'https://b.example/?token=',
    '?key=',
    '#',
    '&',
    'sk-',
    '[',
    'value]',
  );
  const text = fc.array(fc.oneof(part, fc.string({ maxLength: 6 }))).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (input) => {
      const once = redact(input);
      for (const value of [secret, 'abcdef', 'defghi']) expect(once).not.toContain(value);
      expect(redact(once)).toBe(once);
    }),
    { numRuns: 1_000 },
  );
});

test('a mark is no secret, even where a secret is a part of it', () => {
  expect(createRedactor({ values: ['redacted', 'value'] })('my value is redacted')).toBe('my value is redacted');
});

test.each([
  ['sk-'],
  ['eyJabcdefgh'],
  ['eyJabcdefgh.'],
  ['Bearer '],
  ['basic aaaa'],
  ['authorization: '],
  ['https://a:b@c/?token=x&'],
  ['://?a&'],
  ['://?a:'],
  ['-----BEGIN PRIVATE KEY-----'],
  ['-----END PRIVATE KEY-----'],
  ['aws_secret_access_key='],
  ['abcde'],
  ['abcdef'],
])(
  'a megabyte of %j takes no longer than one of anything else',
  (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    expect(redact(redact(text))).toBe(redact(text));
  },
  // A quadratic search takes longer than that.
  120_000,
);

test('secrets are found in an environment by name, and passwords in its URLs', () => {
  const values = secretValuesOf({
    OPENAI_API_KEY: 'not-a-shape-anyone-knows',
    GITHUB_TOKEN: 'short-one',
    DATABASE_URL: 'postgres://me:h%40nter22@db.example/x',
    SSH_AUTH_SOCK: '/tmp/ssh/agent.1',
    XDG_SESSION_TYPE: 'wayland',
    AUTH_MODE: 'none',
    SESSION_TIMEOUT: '3600000',
    TOKEN_FILE: '/run/secrets/token',
    PATH: '/usr/bin',
    MISSING_TOKEN: undefined,
  });
  expect(values).toStrictEqual(['not-a-shape-anyone-knows', 'short-one', 'h%40nter22', 'h@nter22']);
});

test.each([
  'sk_live_',
  'eyJhbGciOi.',
  'ghp_',
  'npm_',
  'glpat-',
  'aws_secret_access_key=',
  'authorization: bearer ',
  'basic ',
])('a text of millions of characters that begins as a token does, %s, ends with a text', (start) => {
  const redacted = createRedactor({ values: [secret] })(`${start}${'a1B'.repeat(3_000_000)} ${secret}`);
  expect(redacted.length).toBeGreaterThan(1_000_000);
  expect(redacted.slice(-30)).toMatch(/ \[redacted:value\]$/u);
});

test('a token of many parts is one', () => {
  expect(redact(`see eyJabcdefgh${'.abcdefgh'.repeat(40)} there`)).toBe('see [redacted:token] there');
});
