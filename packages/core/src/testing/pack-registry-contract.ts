import type { describe as Describe, expect as Expect, test as Test } from 'vitest';
import { SkillsError } from '../errors/skills-error.js';
import type { ErrorCode } from '../errors/codes.js';
import type { Digest } from '../digest/is-digest.js';
import { parseManifest } from '../pack/manifest.js';
import { parsePackName } from '../pack/pack-name.js';
import type { PackCurator, PackPublisher, PackRegistry } from '../pack/pack-registry.js';
import { makePack, skillText, type MadePack, type MakePackPorts, type PackDescription } from './make-pack.js';

/** A registry under test, empty at first. What is published with one half is read with the other. */
export interface PackRegistrySubject {
  readonly registry: PackRegistry;
  readonly publisher: PackPublisher;
  /** Where the registry has one. */
  readonly curator?: PackCurator | undefined;
  close(): Promise<void>;
}

/** What the contract is run with: the functions of vitest, and the parts that make archives. */
export interface ContractPorts extends MakePackPorts {
  readonly describe: typeof Describe;
  readonly test: typeof Test;
  readonly expect: typeof Expect;
}

/** How the contract is run. */
export interface ContractOptions {
  /** Names the registry in the titles. */
  readonly title: string;
}

type Run = (subject: PackRegistrySubject, make: (pack: PackDescription) => MadePack) => Promise<void>;

const absent = `sha256:${'0'.repeat(64)}` as Digest; // Cast: a literal of the right form.

/**
 * What every `PackRegistry` with a `PackPublisher` promises, as tests: call it at the top of a test file.
 *
 * @example
 * ```ts
 * packRegistryContract(makeSubject, { describe, test, expect, writer, sha256 }, { title: 'memory' });
 * ```
 */
export function packRegistryContract(
  makeSubject: () => Promise<PackRegistrySubject>,
  ports: ContractPorts,
  options: ContractOptions,
): void {
  ports.describe(`pack registry contract: ${options.title}`, () => {
    for (const [title, run] of [...readingCases(ports), ...publishingCases(ports), ...curatingCases(ports)]) {
      ports.test(title, async () => {
        const subject = await makeSubject();
        try {
          await run(subject, (pack) => makePack(pack, ports));
        } finally {
          await subject.close();
        }
      });
    }
  });
}

function readingCases({ expect, sha256 }: ContractPorts): [string, Run][] {
  return [
    [
      'a pack that is not there is PACK_NOT_FOUND, a blob BLOB_NOT_FOUND, and nothing is revoked',
      async ({ registry }) => {
        await expectCode(expect, registry.getPack(parsePackName('org/missing')), 'PACK_NOT_FOUND');
        await expectCode(expect, registry.getBlob({ digest: absent, size: 10 }), 'BLOB_NOT_FOUND');
        expect(await registry.getRevocations()).toEqual([]);
        expect(await registry.search('anything')).toEqual([]);
        expect(registry.location).toMatch(/^[a-z]+:/u);
      },
    ],
    [
      'what is published can be read: its record, its archive, its manifest',
      async ({ registry, publisher }, make) => {
        const pack = make({
          name: 'org/pdf',
          version: '1.2.0',
          skills: { pdf: { 'SKILL.md': skillText('pdf', 'Reads PDF.'), 'scripts/read.sh': '#!/bin/sh\n' } },
          executable: ['pdf/scripts/read.sh'],
          dependencies: { 'org/common': '^1.0.0' },
          requires: { bins: ['python3'] },
        });
        const published = await publisher.publish(pack);
        expect(published).toMatchObject({ name: 'org/pdf', created: true, tags: { latest: '1.2.0' } });
        const document = await registry.getPack(parsePackName('org/pdf'));
        expect(document.head).toMatchObject({ name: 'org/pdf', tags: { latest: '1.2.0' }, deprecated: null });
        expect(document.versions).toEqual([published.record]);
        const [record] = document.versions;
        if (record === undefined) throw new Error('no version');
        expect(record).toMatchObject({
          version: '1.2.0',
          archives: [{ format: 'tgz', digest: pack.digest, size: pack.archive.length }],
          treeDigest: pack.manifest.treeDigest,
          skills: ['pdf'],
          dependencies: { 'org/common': '^1.0.0' },
          requires: { bins: ['python3'] },
          yanked: null,
        });
        const progress: number[] = [];
        const request = { digest: pack.digest, size: pack.archive.length };
        const bytes = await registry.getBlob(request, { onProgress: (count) => progress.push(count) });
        expect(sha256(bytes)).toBe(pack.digest);
        expect(progress.reduce((sum, count) => sum + count, 0)).toBe(pack.archive.length);
        const manifest = await registry.getBlob({ digest: record.manifest, size: 1024 * 1024 });
        expect(parseManifest(new TextDecoder().decode(manifest), sha256)).toEqual(pack.manifest);
      },
    ],
    [
      'a blob larger than its record states is FILE_TOO_LARGE',
      async ({ registry, publisher }, make) => {
        const pack = make({ name: 'org/pdf', version: '1.0.0' });
        await publisher.publish(pack);
        const request = { digest: pack.digest, size: pack.archive.length - 1 };
        await expectCode(expect, registry.getBlob(request), 'FILE_TOO_LARGE');
      },
    ],
    [
      'a blob is copied as it is read: the same bytes, the same progress, the same refusals',
      async ({ registry, publisher }, make) => {
        if (registry.copyBlob === undefined) return;
        const pack = make({ name: 'org/pdf', version: '1.0.0' });
        await publisher.publish(pack);
        const request = { digest: pack.digest, size: pack.archive.length };
        const pieces: Uint8Array[] = [];
        // Copied, since a piece may be reused once it was taken.
        const sink = {
          write: (chunk: Uint8Array) => void pieces.push(Uint8Array.from(chunk)),
          restart: () => void pieces.splice(0),
        };
        const progress: number[] = [];
        await registry.copyBlob(request, sink, { onProgress: (count) => progress.push(count) });
        expect(pieces.flatMap((piece) => [...piece])).toEqual([...pack.archive]);
        expect(progress.reduce((sum, count) => sum + count, 0)).toBe(pack.archive.length);
        const smaller = { ...request, size: pack.archive.length - 1 };
        await expectCode(expect, registry.copyBlob(smaller, sink), 'FILE_TOO_LARGE');
        await expectCode(expect, registry.copyBlob({ digest: absent, size: 10 }, sink), 'BLOB_NOT_FOUND');
        const signal = AbortSignal.abort();
        await expectCode(expect, registry.copyBlob(request, sink, { signal }), 'INTERRUPTED');
        const refusing = { write: refuseAll, restart: () => undefined };
        await expectCode(expect, registry.copyBlob(request, refusing), 'IO_ERROR');
      },
    ],
    [
      'a search finds packs by name, keyword, skill and description, as many as asked for',
      async ({ registry, publisher }, make) => {
        await publisher.publish(make({ name: 'org/pdf', version: '1.0.0', keywords: ['document'] }));
        await publisher.publish(
          make({
            name: 'org/table',
            version: '1.0.0',
            description: 'Profiles columns of a document.',
            skills: { 'csv-profile': { 'SKILL.md': skillText('csv-profile', 'Profiles.') } },
          }),
        );
        const names = async (words: string, limit?: number) =>
          (await registry.search(words, { limit })).map(({ name }) => name);
        expect(await names('pdf')).toEqual(['org/pdf']);
        expect(await names('csv')).toEqual(['org/table']);
        expect(await names('document')).toEqual(['org/pdf', 'org/table']);
        expect(await names('document', 1)).toEqual(['org/pdf']);
        expect(await names('nothing-like-it')).toEqual([]);
        expect(await registry.search('columns')).toEqual([
          {
            name: 'org/table',
            version: '1.0.0',
            description: 'Profiles columns of a document.',
            keywords: [],
            skills: ['csv-profile'],
            deprecated: null,
          },
        ]);
      },
    ],
    [
      'a call with an aborted signal is INTERRUPTED and does nothing',
      async ({ registry, publisher }, make) => {
        const signal = AbortSignal.abort();
        const pack = make({ name: 'org/pdf', version: '1.0.0' });
        await expectCode(expect, publisher.publish(pack, { signal }), 'INTERRUPTED');
        await expectCode(expect, registry.getPack(parsePackName('org/pdf'), { signal }), 'INTERRUPTED');
        await expectCode(expect, registry.getBlob({ digest: absent, size: 1 }, { signal }), 'INTERRUPTED');
        await expectCode(expect, registry.search('pdf', { signal }), 'INTERRUPTED');
        await expectCode(expect, registry.getRevocations({ signal }), 'INTERRUPTED');
        await expectCode(expect, registry.getPack(parsePackName('org/pdf')), 'PACK_NOT_FOUND');
      },
    ],
  ];
}

function refuseAll(): never {
  throw new SkillsError('IO_ERROR', 'There is no room.');
}

function publishingCases({ expect }: ContractPorts): [string, Run][] {
  const name = parsePackName('org/pdf');
  return [
    [
      'versions stand in order of publication; latest moves with releases, not with prereleases or other tags',
      async ({ registry, publisher }, make) => {
        await publisher.publish(make({ name, version: '1.0.0' }));
        await publisher.publish(make({ name, version: '2.0.0-rc.1' }));
        await publisher.publish({ ...make({ name, version: '1.1.0' }), tag: 'beta' });
        await publisher.publish(make({ name, version: '1.0.1', format: 'zip' }));
        const { head, versions } = await registry.getPack(name);
        expect(versions.map(({ version }) => version)).toEqual(['1.0.0', '2.0.0-rc.1', '1.1.0', '1.0.1']);
        expect(versions.map(({ archives }) => archives[0]?.format)).toEqual(['tgz', 'tgz', 'tgz', 'zip']);
        expect(head.tags).toEqual({ latest: '1.0.1', beta: '1.1.0' });
      },
    ],
    [
      'an older line does not move latest back, unless that is asked for',
      async ({ registry, publisher }, make) => {
        await publisher.publish(make({ name, version: '2.0.0' }));
        const older = await publisher.publish(make({ name, version: '1.2.0', description: 'The older line.' }));
        expect(older).toMatchObject({ created: true, tags: { latest: '2.0.0' } });
        expect((await registry.getPack(name)).head).toMatchObject({
          tags: { latest: '2.0.0' },
          description: 'What org/pdf does.',
        });
        const asked = await publisher.publish({ ...make({ name, version: '1.3.0' }), tag: 'latest' });
        expect(asked.tags).toEqual({ latest: '1.3.0' });
        const newer = await publisher.publish(make({ name, version: '2.0.1' }));
        expect(newer.tags).toEqual({ latest: '2.0.1' });
      },
    ],
    [
      'the same content again changes nothing',
      async ({ registry, publisher }, make) => {
        const first = await publisher.publish(make({ name, version: '1.0.0' }));
        await publisher.publish(make({ name, version: '1.1.0' }));
        const again = await publisher.publish(make({ name, version: '1.0.0' }));
        expect(again).toMatchObject({ created: false, record: first.record, tags: { latest: '1.1.0' } });
        expect((await registry.getPack(name)).versions).toHaveLength(2);
      },
    ],
    [
      'other files or another manifest under a published version are VERSION_EXISTS and change nothing',
      async ({ registry, publisher }, make) => {
        const { record } = await publisher.publish(make({ name, version: '1.0.0' }));
        const otherFiles = make({
          name,
          version: '1.0.0',
          skills: { pdf: { 'SKILL.md': skillText('pdf', 'Something else.') } },
        });
        await expectCode(expect, publisher.publish(otherFiles), 'VERSION_EXISTS');
        const otherManifest = make({ name, version: '1.0.0', dependencies: { 'org/common': '^1.0.0' } });
        await expectCode(expect, publisher.publish(otherManifest), 'VERSION_EXISTS');
        expect((await registry.getPack(name)).versions).toEqual([record]);
      },
    ],
    [
      'what is no archive, has no manifest or comes with a bad tag is refused and leaves nothing',
      async ({ registry, publisher }, make) => {
        const pack = make({ name, version: '1.0.0' });
        const noise = { archive: new TextEncoder().encode('no archive at all'), format: 'tgz' } as const;
        await expectCode(expect, publisher.publish(noise), 'ARCHIVE_REFUSED');
        await expectCode(expect, publisher.publish({ ...pack, archive: pack.archive.slice(0, -9) }), 'ARCHIVE_REFUSED');
        for (const tag of ['1.0.0', 'x', '../up', 'Latest', '']) {
          await expectCode(expect, publisher.publish({ ...pack, tag }), 'USAGE');
        }
        await expectCode(expect, registry.getPack(name), 'PACK_NOT_FOUND');
      },
    ],
    [
      'of several publishers of one version at once, one wins and every other is told',
      async ({ registry, publisher }, make) => {
        const packs = Array.from({ length: 8 }, (_, index) =>
          make({ name, version: '1.0.0', skills: { pdf: { 'SKILL.md': skillText('pdf', `Variant ${index}.`) } } }),
        );
        const outcomes = await Promise.allSettled(packs.map((pack) => publisher.publish(pack)));
        const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
        const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
        expect(won).toHaveLength(1);
        for (const { reason } of lost) expect(SkillsError.is(reason, 'VERSION_EXISTS')).toBe(true);
        expect((await registry.getPack(name)).versions).toEqual([won[0]?.value.record]);
      },
    ],
    [
      'publishers of several versions at once all find theirs in the index',
      async ({ registry, publisher }, make) => {
        const versions = ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0'];
        await Promise.all(versions.map((version) => publisher.publish(make({ name, version }))));
        const document = await registry.getPack(name);
        expect(document.versions.map(({ version }) => version).toSorted()).toEqual(versions);
      },
    ],
  ];
}

function curatingCases({ expect }: ContractPorts): [string, Run][] {
  const name = parsePackName('org/pdf');
  return [
    [
      'yanking, deprecating and tagging change the index, where the registry lets one',
      async ({ registry, publisher, curator }, make) => {
        await publisher.publish(make({ name, version: '1.0.0' }));
        await publisher.publish(make({ name, version: '1.1.0' }));
        if (curator === undefined) return;
        await curator.yank({ name, version: '1.1.0' }, 'Loses pages.');
        await curator.deprecate(name, 'Use org/paper.');
        await curator.tag({ name, version: '1.0.0' }, 'stable');
        await publisher.publish(make({ name, version: '1.2.0' }));
        const { head, versions } = await registry.getPack(name);
        expect(versions.map(({ yanked }) => yanked)).toEqual([null, 'Loses pages.', null]);
        expect(head.deprecated).toBe('Use org/paper.');
        expect(head.tags).toEqual({ latest: '1.2.0', stable: '1.0.0' });
        await curator.yank({ name, version: '1.1.0' }, null);
        await curator.deprecate(name, null);
        const restored = await registry.getPack(name);
        expect(restored.versions.map(({ yanked }) => yanked)).toEqual([null, null, null]);
        expect(restored.head.deprecated).toBeNull();
      },
    ],
    [
      'what cannot be curated is told: no such pack, no such version, no tag',
      async ({ publisher, curator }, make) => {
        await publisher.publish(make({ name, version: '1.0.0' }));
        if (curator === undefined) return;
        await expectCode(expect, curator.deprecate(parsePackName('org/missing'), 'No.'), 'PACK_NOT_FOUND');
        await expectCode(expect, curator.yank({ name, version: '9.0.0' }, 'No.'), 'VERSION_NOT_FOUND');
        await expectCode(expect, curator.tag({ name, version: '9.0.0' }, 'stable'), 'VERSION_NOT_FOUND');
        await expectCode(expect, curator.tag({ name, version: '1.0.0' }, '1.0.0'), 'USAGE');
      },
    ],
  ];
}

async function expectCode(expect: typeof Expect, promise: Promise<unknown>, code: ErrorCode): Promise<void> {
  const outcome: unknown = await promise.then(
    () => 'no error',
    (error: unknown) => (SkillsError.is(error) ? error.code : error),
  );
  expect(outcome).toBe(code);
}
