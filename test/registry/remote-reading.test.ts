import { sha256 } from '@skillpack/cli-dist';
import { defaultArchiveLimits, type PackRegistry, type SkillBackend, type SkillEntry } from '@skillpack/core';
import { skillText } from '@skillpack/core/testing';
import { remoteSkills } from '@skillpack/registry-http';
import { describe, expect, test } from 'vitest';
import { archivePorts } from './ports.js';
import { pdfName, forms, pdf, oldPdf, startMarket, offer, only, textOf, codeOf, blobsOf } from './remote-market.js';

test('what was in memory of a version that was revoked for a while is fetched again', async () => {
  const market = await startMarket(pdf);
  const [record] = (await market.stored.getPack(pdfName)).versions;
  let revoked = false;
  const packs: PackRegistry = {
    ...market.packs,
    getRevocations: async () => (revoked ? [{ digest: record!.treeDigest, reason: 'a mistake' }] : []),
  };
  const backend = offer(packs, ['org/pdf']);
  const [entry] = (await backend.list({})).skills;
  const fetches: number[] = [];
  for (const now of [false, true, false]) {
    revoked = now;
    await backend.list({});
    const before = blobsOf(market).length;
    await textOf(backend, entry!, 'SKILL.md').catch(() => undefined);
    fetches.push(blobsOf(market).length - before);
  }
  // Nothing is fetched while it is revoked.
  expect(fetches).toEqual([1, 0, 1]);
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

  test('a pack that memory cannot hold drives none out of it', async () => {
    const large = { 'SKILL.md': skillText('large', 'D.'), 'large.txt': 'x'.repeat(10_000) };
    const market = await startMarket(oldPdf, { name: 'org/large', version: '1.0.0', skills: { large } });
    const backend = offer(market.packs, ['org/pdf', 'org/large'], { memoryBytes: 5_000 });
    const [small, other] = (await backend.list({})).skills;
    await textOf(backend, small!, 'SKILL.md');
    await textOf(backend, other!, 'SKILL.md');
    const before = blobsOf(market).length;
    await textOf(backend, small!, 'SKILL.md');
    expect(blobsOf(market)).toHaveLength(before);
  });

  test('an archive that is larger than the limit is not fetched; one of just that size is', async () => {
    const market = await startMarket(oldPdf);
    const { size } = (await market.stored.getPack(pdfName)).versions[0]!.archives[0]!;
    const limited = (archiveBytes: number): SkillBackend =>
      offer(market.packs, ['org/pdf'], { limits: { ...defaultArchiveLimits, archiveBytes } });
    const small = limited(size - 1);
    const entry = await only(small);
    const before = blobsOf(market).length;
    expect(await codeOf(textOf(small, entry, 'SKILL.md'))).toBe('FILE_TOO_LARGE');
    expect(blobsOf(market)).toHaveLength(before);
    const enough = limited(size);
    expect(await textOf(enough, await only(enough), 'SKILL.md')).toContain('name: pdf');
  });

  test('eight archives are fetched at a time', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `s${at}`);
    const market = await startMarket(
      ...names.map((name) => ({
        name: `org/${name}`,
        version: '1.0.0',
        skills: { [name]: { 'SKILL.md': skillText(name, 'D.') } },
      })),
    );
    const { getBlob } = market.packs;
    let listed = false;
    const asked: string[] = [];
    const packs: PackRegistry = {
      ...market.packs,
      getBlob: async (request, options) => {
        if (!listed) return getBlob(request, options);
        asked.push(request.digest);
        return new Promise<never>(() => undefined);
      },
    };
    const backend = offer(
      packs,
      names.map((name) => `org/${name}`),
    );
    const { skills } = await backend.list({});
    listed = true;
    const controller = new AbortController();
    const { signal } = controller;
    const reads = skills.map(async (entry) => backend.bytes(entry, 'SKILL.md', { maxBytes: 1_000, signal }));
    await expect.poll(() => asked.length).toBe(8);
    controller.abort();
    const codes = await Promise.all(reads.map(codeOf));
    expect(new Set(codes)).toEqual(new Set(['INTERRUPTED']));
    expect(asked).toHaveLength(8);
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
