import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { compareVersions, parsePackName } from '@skillpack/core';
import { makePack, skillText, type MadePack } from '@skillpack/core/testing';
import {
  createFolderFiles,
  createFolderRegistry,
  type FolderFiles,
  type FolderRegistry,
} from '@skillpack/registry-http/server';
import { describe, expect, test } from 'vitest';
import { archivePorts, packPorts } from './ports.js';
import { linesOf, runSources } from './run-sources.js';
import { temporaryFolder } from './temporary-folder.js';

const name = parsePackName('org/pdf');

class Stopped extends Error {}

/** Files that stop for good at the nth write, before or after it is done. */
function stopAt(
  files: FolderFiles,
  step: number,
  moment: 'before' | 'after',
): FolderFiles & { readonly writes: number } {
  let writes = 0;
  const guarded = async <Value>(action: () => Promise<Value>): Promise<Value> => {
    writes += 1;
    if (writes > step || (writes === step && moment === 'before')) throw new Stopped();
    const value = await action();
    if (writes === step) throw new Stopped();
    return value;
  };
  return {
    ...files,
    create: (path, content) => guarded(() => files.create(path, content)),
    replace: (path, content) => guarded(() => files.replace(path, content)),
    remove: (path) => guarded(() => files.remove(path)),
    get writes() {
      return writes;
    },
  };
}

function packOf(version: string): MadePack {
  const skills = { pdf: { 'SKILL.md': skillText('pdf', `Version ${version}.`), 'rules/one.md': '# One\n' } };
  return makePack({ name, version, skills, description: `Version ${version}.` }, packPorts);
}

async function versionsOf(registry: FolderRegistry): Promise<readonly string[]> {
  return (await registry.getPack(name)).versions.map(({ version }) => version);
}

describe('a publisher that stops', () => {
  const writesOf = async (tag: string): Promise<number> => {
    const folder = await temporaryFolder();
    await createFolderRegistry(folder, archivePorts).publish(packOf('1.0.0'));
    const files = stopAt(createFolderFiles(folder), Number.POSITIVE_INFINITY, 'after');
    await createFolderRegistry(folder, { ...archivePorts, files }).publish({ ...packOf('1.1.0'), tag });
    return files.writes;
  };

  test.each([
    ['before', 'latest', { latest: '1.1.0' }],
    ['after', 'latest', { latest: '1.1.0' }],
    ['before', 'beta', { latest: '1.0.0', beta: '1.1.0' }],
    ['after', 'beta', { latest: '1.0.0', beta: '1.1.0' }],
  ] as const)('%s any write, tagging as %s, leaves what `build` makes whole', async (moment, tag, tags) => {
    const steps = await writesOf(tag);
    expect(steps).toBeGreaterThan(tag === 'latest' ? 9 : 5);
    for (let step = 1; step <= steps; step += 1) {
      const folder = await temporaryFolder();
      const registry = createFolderRegistry(folder, archivePorts);
      await registry.publish(packOf('1.0.0'));
      const files = stopAt(createFolderFiles(folder), step, moment);
      const stopped = createFolderRegistry(folder, { ...archivePorts, files });
      await expect(stopped.publish({ ...packOf('1.1.0'), tag })).rejects.toThrow(Stopped);

      // Readers never see half a document, not even before the repair.
      expect(['1.0.0', '1.0.0,1.1.0']).toContain((await versionsOf(registry)).join());
      const published = (await registry.files.facts('versions/org/pdf/1.1.0.json')) !== undefined;
      expect((await registry.build()).problems).toEqual([]);
      expect(await versionsOf(registry)).toEqual(published ? ['1.0.0', '1.1.0'] : ['1.0.0']);
      if (published) expect((await registry.getPack(name)).head.tags).toEqual(tags);
      const again = await registry.publish({ ...packOf('1.1.0'), tag });
      expect(again).toMatchObject({ created: !published, tags });
      expect(await registry.search('pdf')).toMatchObject([{ name: 'org/pdf', version: tags.latest }]);
    }
  });

  test('by SIGKILL loses nothing that it reported as published', { timeout: 120_000 }, async () => {
    for (const delay of [0, 7, 23, 61, 140]) {
      const folder = await temporaryFolder();
      const child = runSources('publisher-process.ts', [folder, 'killed', '1000']);
      let waiting = true;
      const lines = await linesOf(child, () => {
        if (waiting) setTimeout(() => child.kill('SIGKILL'), delay);
        waiting = false;
      });
      expect(child.signalCode).toBe('SIGKILL');
      const registry = createFolderRegistry(folder, archivePorts);
      expect((await registry.build()).problems).toEqual([]);
      const { versions } = await registry.getPack(name);
      const present = new Set(versions.map(({ version }) => version));
      for (const line of lines) expect(present.has(line.split(' ')[0] ?? '')).toBe(true);
      for (const { archives } of versions) await registry.getBlob(archives[0]!);
    }
  });
});

test(
  'of several publisher processes at one pack, one wins each version and the index lists them all',
  { timeout: 120_000 },
  async () => {
    const folder = await temporaryFolder();
    const count = 12;
    const outputs = await Promise.all(
      ['red', 'green', 'blue'].map((text) =>
        linesOf(runSources('publisher-process.ts', [folder, text, String(count)])),
      ),
    );
    const versions = Array.from({ length: count }, (_, patch) => `1.0.${patch}`);
    for (const version of versions) {
      const outcomes = outputs.map((lines) => lines.find((line) => line.startsWith(`${version} `)));
      expect(outcomes.filter((line) => line === `${version} created`)).toHaveLength(1);
      expect(outcomes.filter((line) => line === `${version} VERSION_EXISTS`)).toHaveLength(2);
    }
    const registry = createFolderRegistry(folder, archivePorts);
    expect((await versionsOf(registry)).toSorted(compareVersions)).toEqual(versions);
  },
);

test('a publisher that is overtaken between its look and its creation is told so, and changes nothing', async () => {
  const folder = await temporaryFolder();
  const fast = createFolderRegistry(folder, archivePorts);
  const files = createFolderFiles(folder);
  let overtaken = false;
  const slow = createFolderRegistry(folder, {
    ...archivePorts,
    files: {
      ...files,
      async create(path, content) {
        if (path === 'versions/org/pdf/1.0.0.json' && !overtaken) {
          overtaken = true;
          await fast.publish(packOf('1.0.0'));
        }
        return files.create(path, content);
      },
    },
  });
  const skills = { pdf: { 'SKILL.md': skillText('pdf', 'Other content.') } };
  await expect(slow.publish(makePack({ name, version: '1.0.0', skills }, packPorts))).rejects.toMatchObject({
    code: 'VERSION_EXISTS',
  });
  expect(overtaken).toBe(true);
  const { versions } = await fast.getPack(name);
  expect(versions).toMatchObject([{ version: '1.0.0', archives: [{ digest: packOf('1.0.0').digest }] }]);
});

test('a publisher that writes the index last, of an older log, corrects itself', async () => {
  const folder = await temporaryFolder();
  const fast = createFolderRegistry(folder, archivePorts);
  await fast.publish(packOf('1.0.0'));
  const files = createFolderFiles(folder);
  let overtaken = false;
  const slow = createFolderRegistry(folder, {
    ...archivePorts,
    files: {
      ...files,
      async replace(path, content) {
        if (path === 'packs/org/pdf.ndjson' && !overtaken) {
          overtaken = true;
          await fast.publish(packOf('1.2.0'));
          expect(await versionsOf(fast)).toEqual(['1.0.0', '1.1.0', '1.2.0']);
        }
        await files.replace(path, content);
      },
    },
  });
  await slow.publish(packOf('1.1.0'));
  expect(overtaken).toBe(true);
  expect(await versionsOf(fast)).toEqual(['1.0.0', '1.1.0', '1.2.0']);
  expect((await fast.getPack(name)).head.tags).toEqual({ latest: '1.2.0' });
});

describe('build', () => {
  test('makes the same documents again from the versions, the log and the blobs alone', async () => {
    const folder = await temporaryFolder();
    const registry = createFolderRegistry(folder, archivePorts);
    await registry.publish(packOf('1.0.0'));
    await registry.publish(packOf('1.1.0'));
    await registry.yank({ name, version: '1.1.0' }, 'Loses pages.');
    await registry.deprecate(name, 'Use org/paper.');
    await registry.tag({ name, version: '1.0.0' }, 'stable');
    const before = await readFile(join(folder, 'packs/org/pdf.ndjson'), 'utf8');
    for (const derived of ['packs', 'search', '.well-known', 'registry.json', 'revocations'])
      await registry.files.remove(derived);
    expect(await registry.build()).toMatchObject({ packs: 1, versions: 2, skills: 1, problems: [] });
    expect(await readFile(join(folder, 'packs/org/pdf.ndjson'), 'utf8')).toBe(before);
    expect(await registry.search('pdf')).toMatchObject([{ version: '1.0.0', deprecated: 'Use org/paper.' }]);
    expect(await registry.getRevocations()).toEqual([]);
  });

  test('removes what no version has named for a day, and nothing where a version cannot be read', async () => {
    const folder = await temporaryFolder();
    const registry = createFolderRegistry(folder, archivePorts);
    await registry.publish(packOf('1.0.0'));
    await registry.publish(packOf('2.0.0'));
    const blobs = async () => (await registry.files.list('blobs/sha256')).map(({ name: blob }) => blob).toSorted();
    const needed = await blobs();
    const age = async (blob: string, hours: number): Promise<void> => {
      const then = new Date(Date.now() - hours * 60 * 60 * 1000);
      await utimes(join(folder, 'blobs/sha256', blob), then, then);
    };
    const [old, young] = ['a'.repeat(64), 'b'.repeat(64)];
    for (const blob of [old, young, 'README']) await registry.files.create(`blobs/sha256/${blob}`, 'x');
    for (const blob of [...needed, old, 'README']) await age(blob, 25);
    await age(young, 23);
    const version = await readFile(join(folder, 'versions/org/pdf/1.0.0.json'), 'utf8');
    await registry.files.replace('versions/org/pdf/1.0.0.json', '{');
    expect(await registry.build()).toMatchObject({ collected: 0 });
    expect(await blobs()).toContain(old);
    await registry.files.replace('versions/org/pdf/1.0.0.json', version);
    expect(await registry.build()).toMatchObject({ collected: 1, problems: [] });
    expect(await blobs()).toEqual([...needed, young, 'README'].toSorted());
  });

  test('takes nothing from a publisher whose blobs lay there before, however the two meet', async () => {
    for (const moment of ['before the version is named', 'after', 'by one that had judged before'] as const) {
      const folder = await temporaryFolder();
      const plain = createFolderFiles(folder);
      const later = packOf('1.0.0');
      const blob = `blobs/sha256/${later.digest.slice(7)}`;
      await plain.create(blob, later.archive);
      const then = new Date(Date.now() - 48 * 60 * 60 * 1000);
      await utimes(join(folder, blob), then, then);
      const collecting: FolderFiles = {
        ...plain,
        create: async (path, content) => {
          const naming = path.startsWith('versions/org/pdf/1.0.0');
          const collect = () => createFolderRegistry(folder, archivePorts).build();
          if (naming && moment === 'before the version is named') await collect();
          const made = await plain.create(path, content);
          if (naming && moment === 'after') await collect();
          if (naming && moment === 'by one that had judged before') await plain.remove(blob);
          return made;
        },
      };
      await createFolderRegistry(folder, { ...archivePorts, files: collecting }).publish(later);
      expect(await createFolderRegistry(folder, archivePorts).build()).toMatchObject({ versions: 1, problems: [] });
      expect((await plain.facts(blob))?.modified.getTime()).toBeGreaterThan(Date.now() - 60 * 60 * 1000);
    }
  });

  test('reports a blob that is damaged or missing, and publishing the same archive again puts it back', async () => {
    const folder = await temporaryFolder();
    const registry = createFolderRegistry(folder, archivePorts);
    const [first, second] = [packOf('1.0.0'), packOf('2.0.0')];
    const { record } = await registry.publish(first);
    await registry.publish(second);
    expect(await registry.publish(first)).toMatchObject({ created: false, repaired: false });
    const damaged = Uint8Array.from(first.archive);
    damaged[20]! ^= 1;
    await registry.files.replace(`blobs/sha256/${first.digest.slice(7)}`, damaged);
    await registry.files.replace(`blobs/sha256/${record.manifest.slice(7)}`, '');
    await registry.files.remove(`blobs/sha256/${second.digest.slice(7)}`);
    const { problems } = await registry.build();
    expect(problems.filter(({ subject }) => subject.includes('@'))).toEqual(
      expect.arrayContaining([
        {
          subject: 'org/pdf@1.0.0',
          message: expect.stringContaining(`Its archive ${first.digest} is damaged. Publish`),
        },
        { subject: 'org/pdf@1.0.0', message: expect.stringContaining(`Its manifest ${record.manifest} is damaged.`) },
        { subject: 'org/pdf@2.0.0', message: expect.stringContaining(`Its archive ${second.digest} is missing.`) },
      ]),
    );
    expect((await registry.build({ hashBlobs: false })).problems).not.toContainEqual(
      expect.objectContaining({ subject: 'org/pdf@1.0.0' }),
    );
    expect(await registry.publish(first)).toMatchObject({ created: false, repaired: true });
    expect(await registry.publish(second)).toMatchObject({ created: false, repaired: true });
    expect((await registry.build()).problems).toEqual([]);
  });

  test('a blob that is damaged is INTEGRITY_MISMATCH, as a whole and as a copy', async () => {
    const registry = createFolderRegistry(await temporaryFolder(), archivePorts);
    const pack = packOf('1.0.0');
    await registry.publish(pack);
    const request = { digest: pack.digest, size: pack.archive.length };
    const pieces: Uint8Array[] = [];
    const sink = { write: (piece: Uint8Array) => void pieces.push(Uint8Array.from(piece)), restart: () => undefined };
    await registry.copyBlob?.(request, sink);
    expect(Buffer.concat(pieces).equals(pack.archive)).toBe(true);
    const damaged = Uint8Array.from(pack.archive);
    damaged[20]! ^= 1;
    await registry.files.replace(`blobs/sha256/${pack.digest.slice(7)}`, damaged);
    const mismatch = { code: 'INTEGRITY_MISMATCH', data: { expected: pack.digest, actual: expect.any(String) } };
    await expect(registry.getBlob(request)).rejects.toMatchObject(mismatch);
    await expect(registry.copyBlob?.(request, sink)).rejects.toMatchObject(mismatch);
  });

  test('says what to do when the manifest that speaks for a pack is damaged', async () => {
    const folder = await temporaryFolder();
    const registry = createFolderRegistry(folder, archivePorts);
    const { record } = await registry.publish(packOf('1.0.0'));
    await registry.files.replace(`blobs/sha256/${record.manifest.slice(7)}`, '{}');
    expect((await registry.build()).problems).toMatchObject([
      { subject: 'org/pdf', message: expect.stringMatching(/has the digest .*Publish the version again/u) },
    ]);
  });

  test('collects nothing while a blob is missing, and writes everything else', async () => {
    const folder = await temporaryFolder();
    const registry = createFolderRegistry(folder, archivePorts);
    const [first, second] = [packOf('1.0.0'), packOf('2.0.0')];
    await registry.publish(first);
    await registry.publish(second);
    const unnamed = `blobs/sha256/${'a'.repeat(64)}`;
    await registry.files.create(unnamed, 'x');
    const then = new Date(Date.now() - 25 * 60 * 60 * 1000);
    await utimes(join(folder, unnamed), then, then);
    await registry.files.remove(`blobs/sha256/${first.digest.slice(7)}`);
    for (const path of ['packs/org/pdf.ndjson', 'search/latest.json']) await registry.files.remove(path);
    expect(await registry.build()).toMatchObject({
      packs: 1,
      versions: 2,
      collected: 0,
      problems: [{ subject: 'org/pdf@1.0.0', message: expect.stringContaining('is missing') }],
    });
    expect(await versionsOf(registry)).toEqual(['1.0.0', '2.0.0']);
    expect(await registry.files.facts('search/latest.json')).toBeDefined();
    expect(await registry.files.facts(unnamed)).toBeDefined();
    await registry.publish(first);
    expect(await registry.build()).toMatchObject({ collected: 1, problems: [] });
    expect(await registry.files.facts(unnamed)).toBeUndefined();
  });

  test('makes what somebody removed again, though it is the one who made it', async () => {
    const registry = createFolderRegistry(await temporaryFolder(), archivePorts);
    await registry.publish(packOf('1.0.0'));
    const offered = '.well-known/agent-skills';
    const artifacts = async (folder: string): Promise<string[]> => {
      const found: string[] = [];
      for (const { name: entry, kind } of await registry.files.list(folder)) {
        found.push(...(kind === 'folder' ? await artifacts(`${folder}/${entry}`) : [`${folder}/${entry}`]));
      }
      return found.toSorted();
    };
    const before = await artifacts(offered);
    expect(before.length).toBeGreaterThan(1);
    for (const path of before) await registry.files.remove(path);
    expect(await registry.build()).toMatchObject({ skills: 1, problems: [] });
    expect(await artifacts(offered)).toEqual(before);
  });

  test('reports a pack that it cannot read, and makes all others', async () => {
    const folder = await temporaryFolder();
    const registry = createFolderRegistry(folder, archivePorts);
    await registry.publish(packOf('1.0.0'));
    await registry.publish(makePack({ name: 'org/other', version: '1.0.0' }, packPorts));
    await registry.files.replace('versions/org/pdf/1.0.0.json', '{ "version": "9.9.9"');
    await registry.files.remove('packs/org/other.ndjson');
    const { problems, packs } = await registry.build();
    expect(problems).toMatchObject([{ subject: 'org/pdf', message: expect.stringContaining('1.0.0.json') }]);
    expect(packs).toBe(2);
    expect(await registry.getPack(parsePackName('org/other'))).toMatchObject({ versions: [{ version: '1.0.0' }] });
  });

  test('keeps what a superseded document names for an hour, then removes it', async () => {
    const folder = await temporaryFolder();
    let now = new Date();
    const registry = createFolderRegistry(folder, { ...archivePorts, now: () => now });
    await registry.publish(packOf('1.0.0'));
    const artifact = '.well-known/agent-skills/org/pdf/1.0.0/pdf.tar.gz';
    const generations = async () =>
      (await registry.files.list('search')).filter(({ kind }) => kind === 'folder').length;
    await registry.publish(packOf('1.1.0'));
    for (const minutes of [0, 59]) {
      now = new Date(now.getTime() + minutes * 60 * 1000);
      await registry.build();
      expect(await registry.files.facts(artifact)).toBeDefined();
      expect(await generations()).toBe(2);
    }
    now = new Date(now.getTime() + 2 * 60 * 1000);
    await registry.build();
    expect(await registry.files.facts(artifact)).toBeUndefined();
    expect(await generations()).toBe(1);
  });

  test('keeps what a person wrote into registry.json and revocations', async () => {
    const folder = await temporaryFolder();
    const registry = createFolderRegistry(folder, archivePorts, { id: 'ours', name: 'Our packs' });
    await registry.build();
    const info = await readFile(join(folder, 'registry.json'), 'utf8');
    expect(JSON.parse(info)).toMatchObject({
      id: 'ours',
      name: 'Our packs',
      search: 'search/latest.json',
      publish: null,
    });
    const digest = packOf('1.0.0').digest;
    await registry.files.replace('registry.json', info.replace('Our packs', 'Renamed'));
    await registry.files.replace(
      'revocations/latest.json',
      JSON.stringify({ formatVersion: 1, revoked: [{ digest, reason: 'Malware.' }] }),
    );
    await registry.build();
    expect(JSON.parse(await readFile(join(folder, 'registry.json'), 'utf8'))).toMatchObject({ name: 'Renamed' });
    expect(await registry.getRevocations()).toEqual([{ digest, reason: 'Malware.' }]);
  });

  test('offers one of two skills that have one name, and says so', async () => {
    const registry = createFolderRegistry(await temporaryFolder(), archivePorts, { derive: false });
    const skills = { same: { 'SKILL.md': skillText('same', 'Same.') } };
    await registry.publish(makePack({ name: 'one/first', version: '1.0.0', skills }, packPorts));
    await registry.publish(makePack({ name: 'two/second', version: '1.0.0', skills }, packPorts));
    const { skills: offered, problems, notes } = await registry.build();
    expect([offered, problems]).toEqual([1, []]);
    expect(notes).toMatchObject([{ subject: 'two/second same' }]);
  });
});
