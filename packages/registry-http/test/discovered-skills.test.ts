import { gzipSync } from 'node:zlib';
import {
  createSkillRegistry,
  defaultArchiveLimits,
  formatDiscoveryIndex,
  SkillsError,
  type DiscoverySkill,
  type ErrorCode,
  type SkillEntry,
  type SkillRegistry,
} from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import { discoveredSkills, type DiscoveredSkillsOptions } from '../src/discovery/discovered-skills.js';
import { sha256 } from '../src/sha256.js';
import { startServer, type TestServer } from './test-server.js';

const ports = { fetch, sha256 };
const text = (body: string): Buffer => Buffer.from(`---\nname: pdf\ndescription: Reads PDF files.\n---\n${body}\n`);
const index = '/.well-known/agent-skills/index.json';

/** A tar archive of files that have short names. */
function tgz(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const blocks = Object.entries(files).flatMap(([path, content]) => {
    const data = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(path);
    header.write(path.endsWith('.sh') ? '0000755\0' : '0000644\0', 100);
    header.write(data.length.toString(8).padStart(11, '0'), 124);
    header.write('0', 156);
    header.write('ustar\u000000', 257);
    header.write('        ', 148);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

type Answer = Parameters<Parameters<typeof startServer>[0]>[1];
type Files = Record<string, Buffer | string | ((answer: Answer) => void)>;

/** A host of these files, which may be changed. */
async function host(files: Files): Promise<TestServer> {
  return startServer((request, answer) => {
    const file = files[request.url ?? ''];
    if (typeof file === 'function') file(answer);
    else if (file === undefined) answer.writeHead(404).end('none');
    else answer.end(file);
  });
}

function skill(url: string, bytes: Buffer, more: Partial<DiscoverySkill> = {}): DiscoverySkill {
  return {
    name: 'pdf',
    type: url.endsWith('.md') ? 'skill-md' : 'archive',
    description: 'Reads PDF files.',
    url,
    digest: sha256(bytes),
    ...more,
  };
}

/** A host that offers one skill, whose file may be another than the index says, and its registry. */
async function offer(
  [url, bytes]: readonly [url: string, bytes: Buffer],
  options: DiscoveredSkillsOptions & { readonly sent?: Files[string] } = {},
): Promise<{ readonly server: TestServer; readonly registry: SkillRegistry }> {
  const server = await host({
    [index]: formatDiscoveryIndex([skill(url, bytes)]),
    [`/.well-known/agent-skills/${url}`]: options.sent ?? bytes,
  });
  return { server, registry: createSkillRegistry(discoveredSkills(server.url, ports, options), { sha256 }) };
}

async function readBody(registry: SkillRegistry): Promise<string> {
  const found = await registry.get('pdf');
  if (found === undefined) throw new Error('there is no such skill');
  return (await registry.body(found)).skill.body;
}

async function expectRefusal(work: Promise<unknown>, code: ErrorCode, reason?: string): Promise<void> {
  const error: unknown = await work.then(
    (value) => value,
    (thrown: unknown) => thrown,
  );
  expect(SkillsError.is(error) ? { code: error.code, reason: error.data['reason'] } : error).toEqual({ code, reason });
}

describe('what a host offers', () => {
  test('is listed from the index alone, and read once a file of it is asked for', async () => {
    const { server, registry } = await offer(['pdf/SKILL.md', text('Read it.')]);
    const { skills, problems } = await registry.index();
    expect(problems).toEqual([]);
    expect(skills.map(({ name, location, scope, head }) => [name, location, scope, head.description])).toEqual([
      ['pdf', `${server.url}.well-known/agent-skills/pdf/SKILL.md`, 'other', 'Reads PDF files.'],
    ]);
    expect(server.seen.map(({ url }) => url)).toEqual([index]);
    expect(await readBody(registry)).toBe('Read it.\n');
    expect(await readBody(registry)).toBe('Read it.\n');
    expect(server.seen).toHaveLength(2);
    expect(server.seen[1]?.headers).not.toHaveProperty('cookie');
  });

  test('in an archive: all of its files, fetched once, and nothing that macOS adds', async () => {
    const { server, registry } = await offer([
      'pdf.tar.gz',
      tgz({
        './SKILL.md': text('See the forms.'),
        'references/forms.md': '# Forms\n',
        'scripts/run.sh': 'echo\n',
        'references/._forms.md': 'x',
        '.DS_Store': 'x',
      }),
    ]);
    const found = (await registry.get('pdf'))!;
    expect(await registry.files(found)).toEqual([
      { path: 'SKILL.md', size: 63, executable: false },
      { path: 'references/forms.md', size: 8, executable: false },
      { path: 'scripts/run.sh', size: 5, executable: true },
    ]);
    expect(Buffer.from(await registry.bytes(found, 'references/forms.md')).toString()).toBe('# Forms\n');
    await expectRefusal(registry.bytes(found, 'references/other.md'), 'FILE_NOT_FOUND');
    await expectRefusal(registry.bytes(found, 'SKILL.md', { maxBytes: 10 }), 'FILE_TOO_LARGE');
    expect(server.seen).toHaveLength(2);
  });

  test('a base without its final slash is a folder all the same', async () => {
    const server = await host({ [`/skills${index}`]: formatDiscoveryIndex([]) });
    expect(await discoveredSkills(`${server.url}skills`, ports).list({})).toEqual({ skills: [], problems: [] });
  });

  test('what is not kept in memory is fetched again, and what is kept is not', async () => {
    const { server, registry } = await offer(['pdf/SKILL.md', text('Read it.')], { memoryBytes: 10 });
    await readBody(registry);
    await readBody(registry);
    expect(server.seen).toHaveLength(3);
  });

  test('whoever still has an earlier listing reads what that named', async () => {
    const files: Files = {
      [index]: formatDiscoveryIndex([skill('/1/SKILL.md', text('One.'))]),
      '/1/SKILL.md': text('One.'),
      '/2/SKILL.md': text('Two.'),
    };
    const backend = discoveredSkills((await host(files)).url, ports);
    const read = async ([found]: readonly SkillEntry[]): Promise<string> =>
      Buffer.from(await backend.bytes(found!, 'SKILL.md', { maxBytes: 1_000 })).toString();
    const { skills: before } = await backend.list({});
    files[index] = formatDiscoveryIndex([skill('/2/SKILL.md', text('Two.'))]);
    const { skills: after } = await backend.list({});
    expect([await read(before), await read(after)]).toEqual([String(text('One.')), String(text('Two.'))]);
  });
});

describe('an index that nobody vouches for', () => {
  test('leads nowhere else: an artifact at another origin is a problem, unless the origin is named', async () => {
    const bytes = text('From elsewhere.');
    const elsewhere = await host({ '/SKILL.md': bytes });
    const server = await host({ [index]: formatDiscoveryIndex([skill(`${elsewhere.url}SKILL.md`, bytes)]) });
    const { skills, problems = [] } = await discoveredSkills(server.url, ports).list({});
    expect(skills).toEqual([]);
    expect(problems).toEqual([
      {
        code: 'refused',
        location: server.url + index.slice(1),
        message: expect.stringContaining(elsewhere.url.slice(0, -1)) as string,
      },
    ]);
    expect(elsewhere.seen).toEqual([]);
    const backend = discoveredSkills(server.url, ports, { origins: [elsewhere.url] });
    expect(await readBody(createSkillRegistry(backend, { sha256 }))).toBe('From elsewhere.\n');
  });

  test.each([
    'file:///etc/passwd',
    'data:text/markdown,x',
    'javascript:alert(1)',
    'http://user:word@127.0.0.1/x.md',
    'http://[',
  ])('offers nothing at %s', async (url) => {
    const server = await host({
      [index]: JSON.stringify({
        $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
        skills: [skill(url, text(''))],
      }),
    });
    const { skills, problems = [] } = await discoveredSkills(server.url, ports).list({});
    expect([skills, problems.map(({ code }) => code)]).toEqual([[], ['refused']]);
    expect(problems[0]?.message).not.toContain('word');
  });

  test('one bad entry, or a second one of an address, is a problem and costs no other', async () => {
    const one = skill('SKILL.md', text('One.'));
    const skills = [{ name: 'B\u202Ed', type: 'skill-md' }, one, { ...one, name: 'second' }];
    const server = await host({
      [index]: JSON.stringify({ $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json', skills }),
    });
    const listing = await discoveredSkills(server.url, ports).list({});
    expect(listing.skills.map(({ name }) => name)).toEqual(['pdf']);
    expect(listing.problems?.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^“B<U\+202E>d” is not offered: /u),
      '“second” is not offered: another skill has its address.',
    ]);
  });

  test('descriptions show every character', async () => {
    const server = await host({
      [index]: formatDiscoveryIndex([skill('SKILL.md', text(''), { description: 'a\u202Eb' })]),
    });
    const [found] = (await discoveredSkills(server.url, ports).list({})).skills;
    expect(found?.head.description).toBe('a<U+202E>b');
  });

  test.each([
    ['no JSON', '<html>', 'INVALID_INDEX'],
    ['an index of another draft', '{"skills":[]}', 'UNSUPPORTED_FORMAT'],
  ] as const)('%s is told with its code', async (_, sent, code) => {
    await expectRefusal(discoveredSkills((await host({ [index]: sent })).url, ports).list({}), code);
  });
});

describe('a server that nobody vouches for', () => {
  const honest = text('Honest.');

  test('bytes that do not have the digest of the index are not used', async () => {
    const { registry } = await offer(['SKILL.md', honest], { sent: text('Obey me.') });
    await expectRefusal(readBody(registry), 'INTEGRITY_MISMATCH');
  });

  test.each([
    [401, 'UNAUTHORIZED'],
    [403, 'UNAUTHORIZED'],
    [404, 'REGISTRY_ERROR'],
    [500, 'REGISTRY_ERROR'],
    [302, 'NETWORK_ERROR'],
  ] as const)('%i is %s, and no redirect is followed', async (status, code) => {
    const elsewhere = await host({ '/SKILL.md': honest });
    const { registry } = await offer(['SKILL.md', honest], {
      sent: (answer) => void answer.writeHead(status, { location: `${elsewhere.url}SKILL.md` }).end('no'),
    });
    await expectRefusal(readBody(registry), code);
    expect(elsewhere.seen).toEqual([]);
  });

  test('an answer that is too large is refused, announced or not', async () => {
    const limits = { ...defaultArchiveLimits, fileBytes: 1_000, archiveBytes: 1_000 };
    const endless = (answer: Answer): void => {
      const send = (): void => {
        while (!answer.destroyed && answer.write(Buffer.alloc(500)));
      };
      answer.on('drain', send);
      send();
    };
    const announced = (answer: Answer): void => answer.writeHead(200, { 'content-length': '1001' }).flushHeaders();
    for (const sent of [endless, announced]) {
      for (const url of ['SKILL.md', 'pdf.tar.gz']) {
        await expectRefusal(readBody((await offer([url, honest], { limits, sent })).registry), 'FILE_TOO_LARGE');
      }
    }
  });

  test('one that never ends its answer is given up: TIMEOUT', async () => {
    const { registry } = await offer(['SKILL.md', honest], {
      timeout: 300,
      sent: (answer) => void answer.writeHead(200).write('-'),
    });
    await expectRefusal(readBody(registry), 'TIMEOUT');
  });

  test('one that breaks off, or is not there, is NETWORK_ERROR', async () => {
    const { registry } = await offer(['SKILL.md', honest], {
      sent: (answer) => {
        answer.writeHead(200, { 'content-length': '500' }).write('-');
        setImmediate(() => answer.destroy());
      },
    });
    await expectRefusal(readBody(registry), 'NETWORK_ERROR');
    await expectRefusal(discoveredSkills('http://127.0.0.1:9/', ports).list({}), 'NETWORK_ERROR');
  });

  test('whoever gives up is told so at once', async () => {
    const stop = new AbortController();
    const { registry } = await offer(['SKILL.md', honest], { sent: () => stop.abort() });
    const found = (await registry.get('pdf'))!;
    await expectRefusal(registry.body(found, { signal: stop.signal }), 'INTERRUPTED');
    await expectRefusal(discoveredSkills('http://127.0.0.1:9/', ports).list({ signal: stop.signal }), 'INTERRUPTED');
  });
});

describe('an archive that nobody vouches for', () => {
  const zip = Buffer.from('PK\u0003\u0004 and so on');
  const damaged = tgz({ 'SKILL.md': text('One.') });
  damaged[damaged.length - 5]! ^= 0xff;
  const bomb = gzipSync(Buffer.alloc(30 * 1024 * 1024));
  const limits = { ...defaultArchiveLimits, unpackedBytes: 1024 * 1024, fileBytes: 100_000, entries: 10 };
  test.each([
    ['a zip that is none', zip, 'truncated'],
    ['a text', text('One.'), 'unknown-format'],
    ['a wrong checksum', damaged, 'bad-compression'],
    ['a bomb', bomb, 'unpacked-too-large'],
    ['no SKILL.md', tgz({ 'pdf/SKILL.md': text('One.') }), 'missing-skill-file'],
    ['a path that climbs out', tgz({ 'SKILL.md': text('One.'), '../evil': '' }), 'path-traversal'],
    ['a path twice', tgz({ 'SKILL.md': text('One.'), './SKILL.md': text('Two.') }), 'duplicate-path'],
    ['a large file', tgz({ 'SKILL.md': text('One.'), large: Buffer.alloc(100_001) }), 'file-too-large'],
    [
      'many files',
      tgz({
        'SKILL.md': text('One.'),
        ...Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`file${at}`, ''])),
      }),
      'too-many-entries',
    ],
  ])('%s is refused as a whole', async (_, bytes, reason) => {
    const { registry } = await offer(['pdf.tar.gz', bytes], { limits });
    await expectRefusal(readBody(registry), 'ARCHIVE_REFUSED', reason);
  });
});

test.each(['skills.example.com', 'file:///srv/skills/', 'https://user:word@skills.example.com/'])(
  'the base %s is ADDRESS_REFUSED, and the message holds no password',
  (base) => {
    const make = (): unknown => discoveredSkills(base, ports);
    expect(make).toThrow(/https/u);
    expect(make).not.toThrow(/word/u);
  },
);
