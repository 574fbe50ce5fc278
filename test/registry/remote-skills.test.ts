import { sha256 } from '@skillpack/cli-dist';
import {
  createSkillRegistry,
  describeVersion,
  formatManifest,
  isDigest,
  parsePackName,
  SkillsError,
  type Digest,
  type PackManifest,
  type PackRegistry,
  type SkillBackend,
  type SkillEntry,
} from '@skillpack/core';
import {
  createMemoryRegistry,
  makePack,
  skillText,
  type MadePack,
  type PackDescription,
} from '@skillpack/core/testing';
import { createHttpRegistry, remoteSkills, type RemoteSkillsOptions } from '@skillpack/registry-http';
import { createRegistryServer, serveRegistry } from '@skillpack/registry-http/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { archivePorts, httpPorts, packPorts } from './ports.js';
import { temporaryFolder } from './temporary-folder.js';

const pdfName = parsePackName('org/pdf');
const forms = '# Forms\n\nHow a form is filled in.\n';
const pdf: PackDescription = {
  name: 'org/pdf',
  version: '1.2.0',
  skills: {
    pdf: {
      'SKILL.md': skillText('pdf', 'Reads PDF.', '# PDF\n'),
      'references/forms.md': forms,
      'scripts/run.sh': '#!/bin/sh\n',
    },
    ocr: { 'SKILL.md': skillText('ocr', 'Reads scans.') },
  },
  executable: ['pdf/scripts/run.sh'],
};

const oldPdf: PackDescription = { name: 'org/pdf', version: '1.0.0' };

interface Market {
  readonly stored: ReturnType<typeof createMemoryRegistry>;
  readonly packs: PackRegistry;
  readonly url: string;
  /** Paths of the requests so far. */
  readonly asked: string[];
  stop(): Promise<void>;
}

/** A registry behind our server, and what is asked of it over HTTP. */
async function startMarket(...published: readonly PackDescription[]): Promise<Market> {
  const stored = createMemoryRegistry({ ...archivePorts, sha256 });
  for (const pack of published) await stored.publish(makePack(pack, packPorts));
  const handler = createRegistryServer(stored, archivePorts);
  const asked: string[] = [];
  const server = await serveRegistry((request) => {
    asked.push(new URL(request.url).pathname);
    return handler(request);
  });
  const packs = createHttpRegistry(server.url, { ...httpPorts, delay: async () => undefined });
  const stop = async (): Promise<void> => {
    await packs.close();
    await server.close(0);
  };
  onTestFinished(stop);
  return { stored, packs, url: server.url, asked, stop };
}

function offer(
  packs: PackRegistry,
  specs: readonly string[],
  options: Partial<RemoteSkillsOptions> = {},
): SkillBackend {
  return remoteSkills(packs, { ...archivePorts, sha256 }, { from: { kind: 'packs', specs }, ...options });
}

async function only(backend: SkillBackend): Promise<SkillEntry> {
  const { skills } = await backend.list({});
  expect(skills).toHaveLength(1);
  return skills[0]!;
}

async function textOf(backend: SkillBackend, entry: SkillEntry, path: string): Promise<string> {
  return new TextDecoder().decode(await backend.bytes(entry, path, { maxBytes: 10_000 }));
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (SkillsError.is(error) ? error.code : String(error)),
  );
}

const blobsOf = ({ asked }: Market): readonly string[] => asked.filter((path) => path.includes('/blobs/'));

describe('what is listed', () => {
  test('skills are listed from the manifest, without a byte of an archive', async () => {
    const market = await startMarket(oldPdf, pdf);
    const backend = offer(market.packs, ['org/pdf@^1']);
    const { skills, problems } = await backend.list({});
    expect(problems).toEqual([]);
    expect(skills.map(({ name, location }) => [name, location])).toEqual([
      ['pdf', `${market.url}org/pdf@1.2.0#pdf`],
      ['ocr', `${market.url}org/pdf@1.2.0#ocr`],
    ]);
    const [entry] = skills;
    expect(entry).toMatchObject({ scope: 'other', pack: 'org/pdf', packVersion: '1.2.0' });
    expect(entry!.head).toMatchObject({ name: 'pdf', description: 'What pdf does.', allowedTools: undefined });
    expect(isDigest(entry!.digest!)).toBe(true);
    expect(await backend.files(entry!, {})).toEqual([
      { path: 'SKILL.md', size: skillText('pdf', 'Reads PDF.', '# PDF\n').length, executable: false },
      { path: 'references/forms.md', size: forms.length, executable: false },
      { path: 'scripts/run.sh', size: 10, executable: true },
    ]);
    const { versions } = await market.stored.getPack(pdfName);
    expect(blobsOf(market)).toEqual([`/blobs/sha256/${versions[1]!.manifest.slice('sha256:'.length)}`]);
  });

  test('of several versions the spec decides: none, a range, a tag, or exactly one', async () => {
    const beta: PackDescription = { name: 'org/pdf', version: '2.0.0-rc.1' };
    const market = await startMarket(oldPdf, { name: 'org/pdf', version: '1.1.0' }, beta);
    await market.stored.tag({ name: pdfName, version: '2.0.0-rc.1' }, 'beta');
    const cases = [
      ['org/pdf', '1.1.0'],
      ['org/pdf@~1.0', '1.0.0'],
      ['org/pdf@beta', '2.0.0-rc.1'],
      ['org/pdf@1.0.0', '1.0.0'],
    ] as const;
    for (const [spec, version] of cases) {
      expect((await only(offer(market.packs, [spec]))).packVersion, spec).toBe(version);
    }
  });

  test('a search offers the packs it finds', async () => {
    const market = await startMarket({ ...pdf, keywords: ['paper'] }, { name: 'org/other', version: '1.0.0' });
    const from = { kind: 'search', words: 'paper' } as const;
    const { skills } = await remoteSkills(market.packs, { ...archivePorts, sha256 }, { from, scope: 'user' }).list({});
    expect(skills.map(({ name, scope }) => `${scope} ${name}`)).toEqual(['user pdf', 'user ocr']);
  });

  test('one bad pack keeps no other from being listed', async () => {
    const market = await startMarket(oldPdf, { name: 'org/bad', version: '1.0.0' });
    const [bad] = (await market.stored.getPack(parsePackName('org/bad'))).versions;
    market.stored.tamper(bad!.manifest, new TextEncoder().encode('{}'));
    const { skills, problems } = await offer(market.packs, ['org/bad', 'org/none', 'org/pdf', 'org/pdf@9']).list({});
    expect(skills.map(({ name }) => name)).toEqual(['pdf']);
    expect((problems ?? []).map(({ code, location }) => [code, location])).toEqual([
      ['unreadable', `${market.url}org/bad`],
      ['missing', `${market.url}org/none`],
      ['missing', `${market.url}org/pdf`],
    ]);
  });

  test('an index that changes is seen when it is listed again, and the manifest that stayed is not fetched again', async () => {
    const market = await startMarket(oldPdf);
    const backend = offer(market.packs, ['org/pdf']);
    expect((await only(backend)).packVersion).toBe('1.0.0');
    expect((await only(backend)).packVersion).toBe('1.0.0');
    expect(blobsOf(market)).toHaveLength(1);
    const entry = await only(backend);
    await market.stored.publish(makePack({ name: 'org/pdf', version: '1.1.0' }, packPorts));
    expect((await only(backend)).packVersion).toBe('1.1.0');
    // Whoever has the listing of before can go on with it.
    expect(await textOf(backend, entry, 'SKILL.md')).toContain('name: pdf');
    expect(await codeOf(textOf(backend, { ...entry, location: `${market.url}org/pdf@9.0.0#pdf` }, 'SKILL.md'))).toBe(
      'SKILL_NOT_FOUND',
    );
  });

  test('nothing that nobody can see stands in a description', async () => {
    const made = makePack(oldPdf, packPorts);
    const skills = made.manifest.skills.map((skill) => ({ ...skill, description: 'a\u202Eb\u001B[2J' }));
    const packs = lying({ ...made, manifest: { ...made.manifest, skills } });
    expect((await only(offer(packs, ['org/pdf']))).head.description).toBe('a<U+202E>b<U+001B>[2J');
  });

  test.each(['./folder', 'https://host.test/pack.tgz'])('%s is no pack of a registry', async (spec) => {
    const { packs } = await startMarket();
    expect(() => offer(packs, [spec])).toThrow(expect.objectContaining({ code: 'INVALID_SPEC' }));
  });
});

describe('what is withdrawn', () => {
  test('a yanked version is offered only where exactly it is named', async () => {
    const market = await startMarket(oldPdf, { name: 'org/pdf', version: '1.1.0' });
    await market.stored.yank({ name: pdfName, version: '1.1.0' }, 'wrong');
    expect((await only(offer(market.packs, ['org/pdf']))).packVersion).toBe('1.0.0');
    expect((await only(offer(market.packs, ['org/pdf@^1.1.0 || ^1']))).packVersion).toBe('1.0.0');
    const pinned = offer(market.packs, ['org/pdf@1.1.0']);
    expect(await textOf(pinned, await only(pinned), 'SKILL.md')).toContain('name: pdf');
  });

  test('a revoked version is never listed, and never read after it was', async () => {
    const market = await startMarket(oldPdf, pdf);
    const backend = offer(market.packs, ['org/pdf', 'org/pdf@1.2.0']);
    const { skills } = await backend.list({});
    const { treeDigest } = (await market.stored.getPack(pdfName)).versions[1]!;
    market.stored.revoke({ digest: treeDigest, reason: 'it steals' });
    expect(await codeOf(backend.bytes(skills[0]!, 'SKILL.md', { maxBytes: 1_000 }))).toBe('VERSION_REVOKED');
    const again = await backend.list({});
    expect(again.skills.map(({ packVersion }) => packVersion)).toEqual(['1.0.0']);
    expect(again.problems!.map(({ code, message }) => [code, message])).toEqual([
      ['ignored', 'org/pdf@1.2.0 was revoked: it steals. 1.0.0 is offered instead.'],
      ['ignored', 'org/pdf@1.2.0 was revoked: it steals. No skill of it is offered.'],
    ]);
  });

  test('what is in memory of a revoked version is forgotten with the next listing', async () => {
    const market = await startMarket(pdf);
    const backend = offer(market.packs, ['org/pdf']);
    const { skills } = await backend.list({});
    await textOf(backend, skills[0]!, 'SKILL.md');
    const [record] = (await market.stored.getPack(pdfName)).versions;
    market.stored.revoke({ digest: record!.archives[0]!.digest, reason: 'it steals' });
    expect((await backend.list({})).skills).toEqual([]);
    expect(await codeOf(textOf(backend, skills[0]!, 'SKILL.md'))).toBe('SKILL_NOT_FOUND');
  });
});

describe('what is read', () => {
  test('the archive comes once, with the first file, however many ask at once', async () => {
    const market = await startMarket(pdf);
    const backend = offer(market.packs, ['org/pdf']);
    const { skills } = await backend.list({});
    const before = blobsOf(market).length;
    const paths = ['SKILL.md', 'references/forms.md', 'references/forms.md', 'scripts/run.sh'];
    const texts = await Promise.all(paths.map((path) => textOf(backend, skills[0]!, path)));
    expect(texts[1]).toBe(forms);
    expect(await textOf(backend, skills[1]!, 'SKILL.md')).toContain('Reads scans.');
    expect(blobsOf(market).length - before).toBe(1);
  });

  test('who is given bytes cannot change what others are given', async () => {
    const { packs } = await startMarket(pdf);
    const backend = offer(packs, ['org/pdf']);
    const { skills } = await backend.list({});
    (await backend.bytes(skills[0]!, 'references/forms.md', { maxBytes: 1_000 })).fill(0);
    expect(await textOf(backend, skills[0]!, 'references/forms.md')).toBe(forms);
  });

  test('a file that is not there or too large is told without a request', async () => {
    const market = await startMarket(pdf);
    const backend = offer(market.packs, ['org/pdf']);
    const [entry] = (await backend.list({})).skills;
    const before = market.asked.length;
    for (const path of ['none.md', '../ocr/SKILL.md', '/etc/passwd', 'references', '__proto__', '']) {
      expect(await codeOf(backend.bytes(entry!, path, { maxBytes: 1_000 })), path).toBe('FILE_NOT_FOUND');
    }
    expect(await codeOf(backend.bytes(entry!, 'SKILL.md', { maxBytes: 3 }))).toBe('FILE_TOO_LARGE');
    expect(market.asked).toHaveLength(before);
  });

  test('memory has an end: the pack that was used longest ago goes first, and comes again when it is asked for', async () => {
    const names = ['a', 'b', 'c'];
    const filler = 'x'.repeat(10_000);
    const described = names.map((name) => ({
      name: `org/${name}`,
      version: '1.0.0',
      skills: { [name]: { 'SKILL.md': skillText(name, 'D.'), 'large.txt': filler + name } },
    }));
    const market = await startMarket(...described);
    const specs = names.map((name) => `org/${name}`);
    const backend = offer(market.packs, specs, { memoryBytes: 25_000 });
    const { skills } = await backend.list({});
    const [a, b, c] = skills;
    const fetchesFor = async (entry: SkillEntry | undefined): Promise<number> => {
      const before = blobsOf(market).length;
      expect(await textOf(backend, entry!, 'SKILL.md')).toContain(`name: ${entry!.name}`);
      return blobsOf(market).length - before;
    };
    const order = [a, b, a, c, a, b];
    const fetches: number[] = [];
    for (const entry of order) fetches.push(await fetchesFor(entry));
    expect(fetches).toEqual([1, 1, 0, 1, 0, 1]);

    const small = offer(market.packs, ['org/a'], { memoryBytes: 100 });
    const entry = await only(small);
    expect(await textOf(small, entry, 'SKILL.md')).toContain('name: a');
    expect(await textOf(small, entry, 'SKILL.md')).toContain('name: a');
  });

  test('one who gives up does not take the archive from those who wait; when all do, the transfer ends', async () => {
    const market = await startMarket(pdf);
    const { getBlob } = market.packs;
    let signalled: AbortSignal | undefined;
    const gate = Promise.withResolvers<undefined>();
    const packs: PackRegistry = {
      ...market.packs,
      async getBlob(request, options) {
        signalled = options?.signal;
        if (request.size !== 4 * 1024 * 1024) await gate.promise;
        return getBlob(request, options);
      },
    };
    const backend = offer(packs, ['org/pdf']);
    const [entry] = (await backend.list({})).skills;
    const [first, second] = [new AbortController(), new AbortController()];
    const read = ({ signal }: AbortController) =>
      codeOf(backend.bytes(entry!, 'SKILL.md', { maxBytes: 1_000, signal }));
    const both = [read(first), read(second)];
    await expect.poll(() => signalled?.aborted).toBe(false);
    first.abort();
    expect(await both[0]).toBe('INTERRUPTED');
    expect(signalled?.aborted).toBe(false);
    second.abort();
    expect(await both[1]).toBe('INTERRUPTED');
    expect(signalled?.aborted).toBe(true);
    gate.resolve(undefined);
    expect(await textOf(backend, entry!, 'references/forms.md')).toBe(forms);
  });

  test('an archive that never comes keeps no other waiting, nor itself once it was given up', async () => {
    const market = await startMarket(pdf, { name: 'org/mail', version: '1.0.0' });
    const { getBlob } = market.packs;
    const { versions } = await market.stored.getPack(pdfName);
    const archives = new Set(versions[0]!.archives.map(({ digest }) => digest));
    let asked = 0;
    const packs: PackRegistry = {
      ...market.packs,
      getBlob: async (request, options) => {
        // Whatever the signal says.
        if (archives.has(request.digest) && (asked += 1) <= 20) await new Promise(() => undefined);
        return getBlob(request, options);
      },
    };
    const backend = offer(packs, ['org/pdf', 'org/mail']);
    const { skills } = await backend.list({});
    const entryOf = (name: string) => skills.find((skill) => skill.name === name)!;
    const giveUp = new AbortController();
    const hanging = codeOf(backend.bytes(entryOf('pdf'), 'SKILL.md', { maxBytes: 1_000, signal: giveUp.signal }));
    await expect.poll(() => asked).toBe(1);
    expect(await textOf(backend, entryOf('mail'), 'SKILL.md')).toContain('mail');
    giveUp.abort();
    expect(await hanging).toBe('INTERRUPTED');
    for (let attempt = 2; attempt <= 20; attempt += 1) {
      const stop = new AbortController();
      const read = codeOf(backend.bytes(entryOf('pdf'), 'SKILL.md', { maxBytes: 1_000, signal: stop.signal }));
      await expect.poll(() => asked).toBe(attempt);
      stop.abort();
      expect(await read).toBe('INTERRUPTED');
    }
    expect(await textOf(backend, entryOf('pdf'), 'references/forms.md')).toBe(forms);
  });

  test('archives that are unpacked wait for one another, unless whoever waits gives up', async () => {
    const market = await startMarket(pdf, { name: 'org/mail', version: '1.0.0' });
    const { archives } = archivePorts;
    let [open, hang] = [0, true];
    const reader: typeof archives = {
      ...archives,
      async open(bytes, options) {
        open += 1;
        if (hang) await new Promise(() => undefined);
        return archives.open(bytes, options);
      },
    };
    const from = { kind: 'packs', specs: ['org/pdf', 'org/mail'] } as const;
    const backend = remoteSkills(market.packs, { archives: reader, sha256 }, { from });
    const { skills } = await backend.list({});
    const [first, second] = [new AbortController(), new AbortController()];
    const read = (name: string, { signal }: AbortController) =>
      codeOf(
        backend.bytes(
          skills.find((skill) => skill.name === name)!,
          'SKILL.md',
          { maxBytes: 1_000, signal },
        ),
      );
    const unpacking = read('pdf', first);
    await expect.poll(() => open).toBe(1);
    const waiting = read('mail', second);
    const fetched = blobsOf(market).length;
    await expect.poll(() => blobsOf(market).length).toBe(fetched + 1);
    second.abort();
    expect(await waiting).toBe('INTERRUPTED');
    expect(open).toBe(1);
    first.abort();
    expect(await unpacking).toBe('INTERRUPTED');
    hang = false;
    expect(await read('mail', new AbortController())).toBe('none');
  });
});

describe('lies', () => {
  const made = makePack(pdf, packPorts);
  const other = makePack(
    { ...pdf, skills: { ...pdf.skills, ocr: { 'SKILL.md': skillText('ocr', 'Evil.') } } },
    packPorts,
  );

  test('an archive whose bytes are not those of its digest is never opened', async () => {
    const backend = offer(lying(made, { archive: other.archive }), ['org/pdf']);
    const [entry] = (await backend.list({})).skills;
    expect(await codeOf(textOf(backend, entry!, 'SKILL.md'))).toBe('INTEGRITY_MISMATCH');
  });

  test('an archive with other files than the manifest is refused, however well its digest fits', async () => {
    const backend = offer(lying(made, { archive: other.archive, digest: other.digest }), ['org/pdf']);
    const [entry] = (await backend.list({})).skills;
    expect(await codeOf(textOf(backend, entry!, 'SKILL.md'))).toBe('INTEGRITY_MISMATCH');
  });

  test('an archive that is none is refused', async () => {
    const archive = new TextEncoder().encode('no archive');
    const backend = offer(lying(made, { archive, digest: sha256(archive) }), ['org/pdf']);
    const [entry] = (await backend.list({})).skills;
    expect(await codeOf(textOf(backend, entry!, 'SKILL.md'))).toBe('ARCHIVE_REFUSED');
  });

  test('a manifest of another pack or version, or with other skills, is not listed', async () => {
    for (const description of [
      { ...pdf, name: 'org/other' },
      { ...pdf, version: '1.2.1' },
      { ...pdf, skills: { pdf: pdf.skills!['pdf']! } },
    ]) {
      const { manifest } = makePack(description, packPorts);
      const { skills, problems } = await offer(lying(made, { manifest }), ['org/pdf']).list({});
      expect(skills).toEqual([]);
      expect(problems).toEqual([expect.objectContaining({ code: 'unreadable' })]);
    }
  });

  test('a version that has other content than before is not listed any more', async () => {
    let packs = lying(made);
    const changing: PackRegistry = {
      ...packs,
      getPack: (name) => packs.getPack(name),
      getBlob: (blob) => packs.getBlob(blob),
    };
    const backend = offer(changing, ['org/pdf']);
    expect((await backend.list({})).skills).toHaveLength(2);
    packs = lying(other);
    const { skills, problems } = await backend.list({});
    expect(skills).toEqual([]);
    expect(problems).toEqual([expect.objectContaining({ code: 'unreadable' })]);
  });
});

describe('a registry out of reach', () => {
  test('nothing is listed where nobody says what is revoked, or no pack can be had', async () => {
    const market = await startMarket(pdf);
    const backend = offer(market.packs, ['org/pdf']);
    const before = await backend.list({});
    await market.stop();
    expect(await codeOf(backend.list({}))).toBe('NETWORK_ERROR');
    // What was listed stays, and so does what is in memory; nothing else can be read.
    expect(await backend.files(before.skills[0]!, {})).toHaveLength(3);
    expect(await codeOf(textOf(backend, before.skills[0]!, 'SKILL.md'))).toBe('NETWORK_ERROR');
  });

  test('a pack that cannot be had for the moment stays as it was', async () => {
    const market = await startMarket(pdf, { name: 'org/other', version: '1.0.0' });
    const { getPack } = market.packs;
    let broken = false;
    const packs: PackRegistry = {
      ...market.packs,
      getPack: async (name, options) => {
        if (broken && name === 'org/pdf') throw new SkillsError('TIMEOUT', 'Too slow.');
        return getPack(name, options);
      },
    };
    const backend = offer(packs, ['org/pdf', 'org/other']);
    const before = await backend.list({});
    broken = true;
    const after = await backend.list({});
    expect(after.skills).toEqual(before.skills);
    expect(after.problems).toEqual([{ code: 'stale', location: `${market.url}org/pdf`, message: 'Too slow.' }]);
    const fresh = await offer(packs, ['org/pdf', 'org/other']).list({});
    expect(fresh.skills.map(({ name }) => name)).toEqual(['other']);
    expect(fresh.problems).toEqual([expect.objectContaining({ code: 'unreadable' })]);
  });

  test.each([new TypeError('fetch failed\u202E'), Object.create(null) as unknown, undefined])(
    'a registry that throws what is no error of ours (%#) is told, and keeps no other pack from being listed',
    async (thrown) => {
      const market = await startMarket(pdf, { name: 'org/other', version: '1.0.0' });
      const { getPack } = market.packs;
      let broken = false;
      const packs: PackRegistry = {
        ...market.packs,
        getPack: async (name, options) => {
          if (broken && name === 'org/pdf') throw thrown;
          return getPack(name, options);
        },
      };
      const backend = offer(packs, ['org/pdf', 'org/other']);
      const before = await backend.list({});
      broken = true;
      const after = await backend.list({});
      expect(after.skills).toEqual(before.skills);
      expect(after.problems).toEqual([expect.objectContaining({ code: 'stale', location: `${market.url}org/pdf` })]);
      expect(after.problems![0]!.message).toMatch(/^The registry failed for org\/pdf/u);
      expect(after.problems![0]!.message).not.toContain('\u202E');
      const fresh = await offer(packs, ['org/pdf', 'org/other']).list({});
      expect(fresh.skills.map(({ name }) => name)).toEqual(['other']);
      expect(await codeOf(offer(packs, ['org/pdf']).list({}))).toBe('REGISTRY_ERROR');
    },
  );

  test('a version without an archive is listed, and told of when it is read', async () => {
    const market = await startMarket(pdf);
    const { getPack } = market.packs;
    const packs: PackRegistry = {
      ...market.packs,
      getPack: async (name, options) => {
        const document = await getPack(name, options);
        return { ...document, versions: document.versions.map((record) => ({ ...record, archives: [] })) };
      },
    };
    const backend = offer(packs, ['org/pdf']);
    const { skills } = await backend.list({});
    expect(await codeOf(textOf(backend, skills[0]!, 'SKILL.md'))).toBe('REGISTRY_ERROR');
  });

  test('where the network must not be used, it is OFFLINE', async () => {
    const market = await startMarket(pdf);
    const packs = createHttpRegistry(market.url, httpPorts, { offline: true, cacheDir: await temporaryFolder() });
    onTestFinished(() => packs.close());
    expect(await codeOf(offer(packs, ['org/pdf']).list({}))).toBe('OFFLINE');
    expect(market.asked).toEqual([]);
  });

  test('a registry of skills goes on showing what it showed', async () => {
    const market = await startMarket(pdf);
    const registry = createSkillRegistry(offer(market.packs, ['org/pdf']), { sha256 });
    const before = await registry.index();
    await market.stop();
    const after = await registry.reload();
    expect(after.skills).toEqual(before.skills);
    expect(after.problems).toEqual([expect.objectContaining({ code: 'stale' })]);
  });

  test('a cancelled listing is INTERRUPTED', async () => {
    const { packs } = await startMarket(pdf);
    expect(await codeOf(offer(packs, ['org/pdf']).list({ signal: AbortSignal.abort() }))).toBe('INTERRUPTED');
  });
});

interface Served {
  readonly archive?: Uint8Array;
  readonly digest?: Digest;
  readonly manifest?: PackManifest;
}

/** A registry that says of one version what its pack says, and serves something else; nothing is checked on the way. */
function lying(claimed: MadePack, served: Served = {}): PackRegistry {
  const { archive = claimed.archive, digest = claimed.digest, manifest = claimed.manifest } = served;
  const text = new TextEncoder().encode(formatManifest(manifest));
  const archives = [{ format: 'tgz', digest, size: archive.length }] as const;
  const { record } = describeVersion(claimed.manifest, { archives, published: new Date(0) }, sha256);
  const { name, version, description } = claimed.manifest;
  return {
    location: 'memory:',
    getPack: async () => ({
      head: { name, description, tags: { latest: version }, deprecated: null },
      versions: [{ ...record, manifest: sha256(text) }],
    }),
    getBlob: async (request) => (request.digest === digest ? archive : text),
    search: async () => [],
    getRevocations: async () => [],
  };
}
