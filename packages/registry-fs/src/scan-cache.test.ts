import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { formatReceipt, visibleText, type Digest, type PackName } from '@skillpack/core';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScanReport } from './scan-report.js';
import { scanSkillRoots } from './scan-skill-roots.js';

let base = '';
let root = '';
let folder = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'skillpack-scan-cache-'));
  root = join(base, 'root');
  folder = join(base, 'cache', 'scan');
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

/** Long after whatever the test writes. */
const later = (): number => Date.now() + 60_000;
const text = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n`;

function put(name: string, content: string = text(name, 'What it does.')): void {
  mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, name, 'SKILL.md'), content);
}

function scan(now: () => number = later): Promise<ScanReport> {
  return scanSkillRoots([{ path: root, scope: 'project' }], { now: () => 0, cache: { folder, now } });
}

function uncached(): Promise<ScanReport> {
  return scanSkillRoots([{ path: root, scope: 'project' }], { now: () => 0 });
}

/** What each skill says, by name. */
async function said(now?: () => number): Promise<Readonly<Record<string, string | undefined>>> {
  return Object.fromEntries((await scan(now)).found.map(({ name, head }) => [name, head.description]));
}

function cacheFile(): string {
  const [name, ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  return join(folder, name ?? '');
}

/** Replaces the text of a skill in the cache, as somebody would who can write it: whoever believes the cache now says so. */
function forge(change: (body: string) => string): void {
  const bytes = readFileSync(cacheFile(), 'latin1');
  const start = bytes.indexOf('[');
  const body = change(bytes.slice(start));
  const sum = crc32(Buffer.from(body, 'latin1')).toString(16).padStart(8, '0');
  writeFileSync(cacheFile(), Buffer.from(bytes.slice(0, start - 8) + sum + body, 'latin1'));
}

test('a scan that remembers finds what one without memory finds, the first time and every other', async () => {
  put('plain');
  put('odd', '---\r\nname: odd\r\ndescription: a: b\r\n---\r\n');
  put('nested/library', '---\nname: library\ndescription: &a x\nlicense: *a\n---\n');
  put('refused', '---\nname: [\n---\n');
  mkdirSync(join(root, 'empty'));
  const { duration: _, ...expected } = await uncached();
  for (let round = 0; round < 3; round += 1) expect(await scan()).toMatchObject(expected);
});

test('what is remembered is not read again', async () => {
  put('pdf');
  await scan();
  forge((body) => body.replace('What it does.', 'What was kept'));
  expect(await said()).toEqual({ pdf: 'What was kept' });
});

test('what is remembered of the others is not read again where skills come, go and are moved', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'group/e', 'group/f']) put(name, text(name.slice(-1), 'What it does.'));
  await scan();
  forge((body) => body.replaceAll('What it does.', 'What was kept'));
  rmSync(join(root, 'b'), { recursive: true });
  put('bb');
  renameSync(join(root, 'group', 'e'), join(root, 'e'));
  const kept = { a: 'What was kept', c: 'What was kept', d: 'What was kept', f: 'What was kept' };
  const read = { bb: 'What it does.', e: 'What it does.' };
  expect(await said()).toEqual({ ...kept, ...read });
  forge((body) => body.replaceAll('What it does.', 'What was kept anew'));
  expect(await said()).toEqual({ ...kept, bb: 'What was kept anew', e: 'What was kept anew' });
});

test('a file that was edited is read, even where size and time of modification were put back', async () => {
  put('pdf', text('pdf', 'One'));
  const file = join(root, 'pdf', 'SKILL.md');
  // A whole second: what is put back is exactly what was.
  const longAgo = new Date('2020-01-01T00:00:00Z');
  utimesSync(file, longAgo, longAgo);
  await scan();
  const before = lstatSync(file);
  await new Promise((resume) => {
    setTimeout(resume, 20);
  });
  writeFileSync(file, text('pdf', 'Two'));
  utimesSync(file, longAgo, longAgo);
  const { mtimeMs, size, ino } = lstatSync(file);
  expect({ mtimeMs, size, ino }).toEqual({ mtimeMs: before.mtimeMs, size: before.size, ino: before.ino });
  expect(await said()).toEqual({ pdf: 'Two' });
});

test.each([
  ['device', 0],
  ['inode', 1],
  ['size', 2],
  ['time of modification', 3],
  ['time of change', 4],
])('a file of another %s is another file', async (_, field) => {
  put('pdf');
  await scan();
  forge((body) => body.replace('What it does.', 'What was kept'));
  expect(await said()).toEqual({ pdf: 'What was kept' });
  forge((body) => {
    const lists = JSON.parse(body) as [string, string[], number[], unknown[]];
    lists[2][field] = Number(lists[2][field]) + 1;
    return JSON.stringify(lists);
  });
  expect(await said()).toEqual({ pdf: 'What it does.' });
});

test('the cache of another root whose name has the same checksum is none', async () => {
  put('pdf');
  await scan();
  forge((body) => body.replace('What it does.', 'What was kept'));
  expect(await said()).toEqual({ pdf: 'What was kept' });
  forge((body) => JSON.stringify([`${root}/other`, ...(JSON.parse(body) as unknown[]).slice(1)]));
  expect(await said()).toEqual({ pdf: 'What it does.' });
});

test.skipIf(process.platform === 'win32')('a file that is read through a link is not remembered', async () => {
  put('pdf');
  renameSync(join(root, 'pdf', 'SKILL.md'), join(root, 'pdf', 'text.md'));
  symlinkSync('text.md', join(root, 'pdf', 'SKILL.md'));
  expect(await said()).toEqual({ pdf: 'What it does.' });
  expect(() => readFileSync(cacheFile(), 'utf8')).toThrow('ENOENT');
});

test('a file that changed within a tick of the clock before the scan is not remembered', async () => {
  put('pdf');
  await scan(() => lstatSync(join(root, 'pdf', 'SKILL.md')).ctimeMs + 1000);
  expect(() => readdirSync(folder)).toThrow('ENOENT');
  await scan(() => lstatSync(join(root, 'pdf', 'SKILL.md')).ctimeMs + 2000);
  expect(readdirSync(folder)).toHaveLength(1);
});

test('folders that were added, removed, renamed or replaced are seen', async () => {
  put('one');
  put('two');
  put('three');
  await scan();
  put('four');
  rmSync(join(root, 'one'), { recursive: true });
  renameSync(join(root, 'two'), join(root, 'second'));
  rmSync(join(root, 'three'), { recursive: true });
  put('three', text('three', 'Another'));
  expect(await said()).toEqual({ four: 'What it does.', two: 'What it does.', three: 'Another' });
  expect(readFileSync(cacheFile(), 'utf8')).not.toContain('"one"');
  rmSync(join(root, 'four', 'SKILL.md'));
  expect(await said()).toEqual({ two: 'What it does.', three: 'Another' });
});

test.skipIf(process.platform === 'win32')(
  'a file whose place a link or a folder took is not remembered any more',
  async () => {
    put('pdf');
    put('csv');
    await scan();
    renameSync(join(root, 'pdf', 'SKILL.md'), join(base, 'outside.md'));
    symlinkSync(join(base, 'outside.md'), join(root, 'pdf', 'SKILL.md'));
    rmSync(join(root, 'csv', 'SKILL.md'));
    mkdirSync(join(root, 'csv', 'SKILL.md'));
    expect((await scan()).ignored.map(({ reason }) => reason)).toEqual(['not-a-file', 'link-outside']);
  },
);

test('a limit that is lower than before holds for what is remembered', async () => {
  put('pdf', `${text('pdf', 'd')}${'x'.repeat(500)}`);
  await scan();
  const report = await scanSkillRoots(
    [{ path: root, scope: 'project' }],
    { now: () => 0, cache: { folder, now: later } },
    { parse: { limits: { fileBytes: 400 } } },
  );
  expect(report.ignored.map(({ reason }) => reason)).toEqual(['too-large']);
});

test.each([
  [
    'is of another version',
    (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('scan 2', 'scan 1'), 'latin1'),
  ],
  ['is cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 5)],
  ['is empty', () => Buffer.alloc(0)],
  [
    'has a byte that fell over',
    (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('What it', 'What id'), 'latin1'),
  ],
])('a cache that %s is none, and is written anew', async (_, damage) => {
  put('pdf');
  await scan();
  const whole = readFileSync(cacheFile());
  writeFileSync(cacheFile(), damage(whole));
  expect(await said()).toEqual({ pdf: 'What it does.' });
  expect(readFileSync(cacheFile())).toEqual(whole);
});

test('whatever somebody writes into the cache, a scan ends, and finds the skills that are there', async () => {
  put('pdf');
  put('csv');
  await scan();
  const whole = readFileSync(cacheFile());
  const pieces = [
    '[',
    ']',
    '"',
    ',',
    '-1',
    '1e400',
    '9007199254740993',
    'null',
    '{}',
    '"__proto__"',
    '\n',
    '---\n',
    '\u001B',
    '\u0000',
    '"pdf"',
  ];
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length), fc.nat(20), fc.constantFrom(...pieces), async (at, cut, piece) => {
      writeFileSync(cacheFile(), whole);
      forge((body) => body.slice(0, at) + piece + body.slice(at + cut));
      const { found, ignored } = await scan();
      expect(found.length + ignored.length).toBe(2);
      for (const { head } of found) expect(visibleText(head.description ?? '')).toBe(head.description ?? '');
    }),
    { numRuns: 200 },
  );
});

test('text in the cache is cleaned like that of a file', async () => {
  put('pdf', text('odd', 'What it does.'));
  await scan();
  forge((body) => body.replace('What it does.', String.raw`\u001B[2J it does.`));
  expect(await said()).toEqual({ odd: '[2J it does.' });
});

test.each([
  ['text that nobody can see', '"What it does."', String.raw`"\u001B[2J it does."`],
  ['a key that nobody can see', '"license"', String.raw`"lic\u202Eense"`],
  ['a description that is none', '"What it does."', '" "'],
  ['a description that is too long', '"What it does."', `"${'x'.repeat(1025)}"`],
  ['a description that is no text', '"What it does."', '["What"]'],
  ['another name', '"name":"pdf"', '"name":"csv"'],
  ['no name', '"name":"pdf"', '"title":"pdf"'],
  ['a name that is none', '"name":"pdf"', '"name":"../pdf"'],
  ['a flag', '"license":', '"disable-model-invocation":'],
  ['values within values', '"license":"MIT"', '"license":{"name":"MIT"}'],
  ['metadata that is a list', '{"author":"me"}', '["me"]'],
  ['metadata within metadata', '"author":"me"', '"author":{"name":"me"}'],
  ['metadata that nobody can see', '"author":"me"', String.raw`"author":"\u200Bme"`],
  ['a prototype', '"license":"MIT"', '"__proto__":null'],
  ['the prototype of metadata', '"author":"me"', '"__proto__":null'],
  ['too much text', '"license":"MIT"', `"license":"${'x'.repeat(65_536)}"`],
  ['too many keys', '"license":"MIT"', Array.from({ length: 251 }, (_, index) => `"k${index}":1`).join()],
  ['tools that are a list', '"license":"MIT"', '"allowed-tools":["Read"]'],
  ['a need that is too long', '"license":"MIT"', `"compatibility":"${'x'.repeat(501)}"`],
  ['a line that is none', '[8,{', '[0,{'],
  ['a line that is no number', '[8,{', '["8",{'],
])('of a cache that somebody gave %s, that is not believed, and is written anew', async (_, before, after) => {
  put('pdf', '---\nname: pdf\ndescription: What it does.\nlicense: MIT\nmetadata:\n  author: me\n---\n');
  await scan();
  const whole = readFileSync(cacheFile());
  let forged = '';
  forge((body) => (forged = body.replace(before, after)));
  expect(forged).toContain(after);
  const { found } = await scan();
  const [expected] = (await uncached()).found;
  expect(found).toEqual([expected]);
  expect(readFileSync(cacheFile())).toEqual(whole);
});

const value = fc.oneof(
  fc.constantFrom(
    'MIT',
    '1.0',
    '1.10',
    '1',
    'true',
    '~',
    '',
    'null',
    'a: b',
    '"x"',
    '[a, b]',
    '2026-01-01',
    '|\n  x',
    'é',
  ),
  fc.string({ maxLength: 8 }),
);
const key = fc.constantFrom(
  'license',
  'compatibility',
  'version',
  'author',
  'allowed-tools',
  'allowed_tools',
  'disable-model-invocation',
  'user-invocable',
  'run-mode',
  'model',
  '__proto__',
  'metadata:\n  author',
  'metadata:\n  version',
  'metadata',
);

test('whatever front matter says, a scan that remembers it finds the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(key, value), { maxLength: 4 }), value, async (fields, description) => {
      const lines = fields.map(([name, words]) => `${name}: ${words}\n`).join('');
      put('pdf', `---\nname: pdf\ndescription: Does ${description}\n${lines}---\n`);
      const { found, ignored } = await uncached();
      for (let round = 0; round < 2; round += 1) {
        const again = await scan();
        expect(again.found).toStrictEqual(found);
        expect(again.ignored).toStrictEqual(ignored);
      }
    }),
    { numRuns: 100 },
  );
});

test('a scan that reads otherwise remembers apart', async () => {
  put('pdf');
  await scan();
  const strict = () =>
    scanSkillRoots(
      [{ path: root, scope: 'project' }],
      { now: () => 0, cache: { folder, now: later } },
      { parse: { rules: { noAngleBrackets: true } } },
    );
  put('pdf', text('pdf', 'a > b'));
  expect((await scan()).found).toHaveLength(1);
  for (let round = 0; round < 2; round += 1) {
    expect((await strict()).ignored.map(({ reason }) => reason)).toEqual(['invalid-skill']);
    expect((await scan()).found).toHaveLength(1);
  }
  expect(readdirSync(folder)).toHaveLength(2);
});

test.skipIf(process.platform === 'win32')('a cache that others may write, or that is a link, is not used', async () => {
  put('pdf');
  await scan();
  forge((body) => body.replace('What it does.', 'What was kept'));
  chmodSync(cacheFile(), 0o666);
  expect(await said()).toEqual({ pdf: 'What it does.' });
  forge((body) => body.replace('What it does.', 'What was kept'));
  expect(await said()).toEqual({ pdf: 'What was kept' });
  const file = cacheFile();
  renameSync(file, join(base, 'elsewhere'));
  symlinkSync(join(base, 'elsewhere'), file);
  expect(await said()).toEqual({ pdf: 'What it does.' });
  expect(lstatSync(file)).toSatisfy(
    (stat: ReturnType<typeof lstatSync>) => stat?.isFile() === true && (Number(stat.mode) & 0o777) === 0o600,
  );
});

test.skipIf(process.platform === 'win32')('the folders of a cache are made for their owner alone', async () => {
  put('pdf');
  await scan();
  for (const path of [dirname(folder), folder]) expect((lstatSync(path).mode & 0o777).toString(8)).toBe('700');
});

test.skipIf(process.platform === 'win32')(
  'what somebody put where a cache is written is not written through, and the next scan caches',
  async () => {
    put('pdf');
    await scan();
    const file = cacheFile();
    rmSync(file);
    const victim = join(base, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, `${file}.${process.pid}`);
    expect(await said()).toEqual({ pdf: 'What it does.' });
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(readdirSync(folder)).toEqual([]);
    await scan();
    expect(lstatSync(cacheFile()).isFile()).toBe(true);
  },
);

test('where no cache can be written, skills are found all the same, and nothing is left', async () => {
  put('pdf');
  mkdirSync(dirname(folder), { recursive: true });
  writeFileSync(folder, 'a file');
  expect(await said()).toEqual({ pdf: 'What it does.' });
  expect(readdirSync(dirname(folder))).toEqual(['scan']);
});

test('scans at the same time leave one whole cache', async () => {
  for (let index = 0; index < 150; index += 1) put(`s${index}`);
  const reports = await Promise.all([scan(), scan(), scan(), scan()]);
  for (const { found } of reports) expect(found).toHaveLength(150);
  forge((body) => body.replaceAll('What it does.', 'What was kept'));
  expect(Object.values(await said())).toEqual(Array.from({ length: 150 }, () => 'What was kept'));
});

test('which pack brought a skill is remembered, and forgotten with its receipt', async () => {
  put('pdf');
  const digest = `sha256:${'0'.repeat(64)}` as Digest;
  const receipt = join(root, '.skillpack', 'acme', 'documents', 'receipt.json');
  mkdirSync(dirname(receipt), { recursive: true });
  const write = (version: string): void => {
    const source = { kind: 'registry', location: 'https://skills.example.org/' } as const;
    const rest = { source, integrity: digest, treeDigest: digest, links: [], installedBy: '0.0.0' };
    const installedAt = '2026-11-21T00:00:00Z';
    const name = 'acme/documents' as PackName;
    writeFileSync(receipt, formatReceipt({ name, version, skills: ['pdf'], installedAt, ...rest }));
  };
  const version = async (): Promise<string | undefined> => (await scan()).found[0]?.packVersion;
  write('1.0.0');
  expect([await version(), await version()]).toEqual(['1.0.0', '1.0.0']);
  forge((body) => body.replace('["1.0.0","pdf"]', '["1.0.9","pdf"]'));
  expect(await version()).toBe('1.0.9');
  for (const lie of [String.raw`1.\u001B.9`, 'v1.0.9', '', '1.0.9 (safe)', '9'.repeat(300)]) {
    forge((body) => body.replace(/\["[^"]*","pdf"\]/u, () => `["${lie}","pdf"]`));
    expect(await version()).toBe('1.0.0');
  }
  expect(await version()).toBe('1.0.0');
  write('1.10.0');
  expect(await version()).toBe('1.10.0');
  rmSync(receipt);
  expect(await version()).toBeUndefined();
});

test('text with characters that nobody can see is kept nowhere', async () => {
  put('pdf', text('pdf', 'One \u202E two'));
  put('csv');
  expect(await said()).toEqual({ csv: 'What it does.', pdf: 'One  two' });
  expect(readFileSync(cacheFile(), 'utf8')).not.toMatch(/pdf|\u202E/u);
  put('x\u202E😀', text('x', 'd'));
  expect(await said()).toMatchObject({ x: 'd' });
  forge((body) => body.replace(String.raw`description: d\n`, String.raw`description: e\n`));
  expect(await said()).toMatchObject({ x: 'e' });
  expect(readFileSync(cacheFile(), 'utf8')).not.toMatch(/[^\n -~]/u);
});
