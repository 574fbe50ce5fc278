import { gunzipSync, gzipSync } from 'node:zlib';
import { createArchiveReader, sha256 } from '@skillpack/cli-dist';
import {
  defaultArchiveLimits,
  formatDiscoveryIndex,
  SkillsError,
  type ArchiveLimits,
  type SkillEntry,
} from '@skillpack/core';
import { discoveredSkills } from '@skillpack/registry-http/discovery';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyTgz, anyZip } from '../../packages/cli-dist/test/archives/any-archive.js';
import { skillText } from '../../packages/cli-dist/test/archives/hostile-archive.js';
import { hostileTars } from '../../packages/cli-dist/test/archives/hostile-tars.js';
import { hostileZips } from '../../packages/cli-dist/test/archives/hostile-zips.js';
import { oddArchives } from '../../packages/cli-dist/test/archives/odd-archives.js';
import { tarEntry, tgz } from '../../packages/cli-dist/test/archives/tar-builder.js';
import { readZip } from '../../packages/registry-http/src/discovery/read-zip.js';

/** Files by path, or why there are none. */
type Verdict = ReadonlyMap<string, string> | { readonly refused: unknown };

async function judge(read: () => Promise<ReadonlyMap<string, string>>): Promise<Verdict> {
  try {
    return await read();
  } catch (error) {
    if (!SkillsError.is(error, 'ARCHIVE_REFUSED') && !SkillsError.is(error, 'FILE_TOO_LARGE')) throw error;
    return { refused: error.data['reason'] };
  }
}

/** What the reader for Node says of an archive. */
async function inNode(archive: Uint8Array, limits: ArchiveLimits | undefined): Promise<Verdict> {
  return judge(async () => {
    const opened = await createArchiveReader().open(archive, { limits });
    const files = new Map<string, string>();
    for await (const { file, chunks } of opened.contents()) {
      const pieces: Buffer[] = [];
      for await (const chunk of chunks) pieces.push(Buffer.from(chunk));
      files.set(`${file.path}${file.executable ? ' (executable)' : ''}`, Buffer.concat(pieces).toString('base64'));
    }
    return files;
  });
}

/** What a page makes of an archive: the skill that a host offers so. */
async function inPage(archive: Uint8Array, limits: ArchiveLimits | undefined): Promise<Verdict> {
  const skill = {
    name: 'pdf',
    type: 'archive',
    description: 'Reads.',
    url: 'pdf.tar.gz',
    digest: sha256(archive),
  } as const;
  const index = formatDiscoveryIndex([skill]);
  const fetch = async (url: URL | Request | string): Promise<Response> =>
    new Response((url as URL).href.endsWith('.json') ? index : Buffer.from(archive));
  const backend = discoveredSkills('https://skills.example.com/', { fetch, sha256 }, { limits });
  const [entry] = (await backend.list({})).skills as [SkillEntry];
  return judge(async () => {
    const files = new Map<string, string>();
    for (const { path, executable } of await backend.files(entry, {})) {
      const bytes = await backend.bytes(entry, path, { maxBytes: Infinity });
      files.set(`${path}${executable ? ' (executable)' : ''}`, Buffer.from(bytes).toString('base64'));
    }
    return files;
  });
}

/** The archive with a SKILL.md at its root, as the draft has it; one that Node cannot unpack stays as it is. */
function withSkill(archive: Buffer): Buffer {
  const skill = tarEntry({ name: 'SKILL.md', data: skillText });
  try {
    return gzipSync(Buffer.concat([skill, gunzipSync(archive, { maxOutputLength: 64 * 1024 * 1024 })]), { level: 1 });
  } catch {
    return archive;
  }
}

/** A page refuses what Node refuses, and either refuses what it reads, or reads the same. */
async function expectLaw(archive: Uint8Array, limits?: ArchiveLimits): Promise<void> {
  const actual = await inPage(archive, limits);
  if (!('refused' in actual)) expect(actual).toEqual(await inNode(archive, limits));
}

test.each(hostileTars)(
  'a page reads nothing of an archive that Node refuses: $trick',
  async ({ bytes, limits: some }) => {
    const limits = some === undefined ? undefined : { ...defaultArchiveLimits, ...some };
    await expectLaw(withSkill(bytes()), limits);
  },
);

test.each(['', '/', './.', '././'])('a folder called “%s” is none that a page or Node reads', async (name) => {
  const archive = withSkill(tgz({ name, type: '5' }));
  expect(await inNode(archive, undefined)).toHaveProperty('refused');
  expect(await inPage(archive, undefined)).toHaveProperty('refused');
});

/** Honest, and refused all the same: what no program writes that is used today. */
const refused = ['a time before 1970 in binary', 'times of star behind the prefix'];

test.each(oddArchives.tgz)('a page reads an archive that is odd as Node does: $oddity', async ({ bytes, oddity }) => {
  const archive = withSkill(bytes());
  const actual = await inPage(archive, undefined);
  if (refused.includes(oddity)) expect(actual).toEqual({ refused: 'bad-header' });
  else expect(actual).toEqual(await inNode(archive, undefined));
});

test('what a page reads of any archive, Node reads too', async () => {
  await fc.assert(fc.asyncProperty(anyTgz, async (bytes) => expectLaw(withSkill(bytes))));
});

/** Why Node refuses what is no pack, or too large; of the latter a page hears when it fetches it. */
const ofPacks: readonly unknown[] = [
  'archive-too-large',
  'empty-archive',
  'missing-skill-file',
  'invalid-manifest',
  'manifest-mismatch',
];

/** As {@link expectLaw}, of a zip, whose skill lies in a folder. */
async function expectZipLaw(bytes: Buffer, limits: ArchiveLimits = defaultArchiveLimits): Promise<Verdict> {
  const archive = new Uint8Array(bytes);
  const actual = await judge(async () => {
    const files = [...(await readZip(archive, limits))];
    return new Map(
      files.map(([path, file]) => {
        return [`${path}${file.executable ? ' (executable)' : ''}`, Buffer.from(file.bytes).toString('base64')];
      }),
    );
  });
  if ('refused' in actual) return actual;
  const expected = await inNode(archive, limits);
  if ('refused' in expected) expect(ofPacks).toContain(expected.refused);
  // Folders around a pack are taken away in Node, and what is in no skill.
  else
    expect([...actual].map(([path, content]) => `/${path} ${content}`).join('\n')).toSatisfy((all: string) =>
      [...expected].every(([path, content]) => all.includes(`/${path} ${content}`)),
    );
  return actual;
}

test.each(hostileZips)('a page reads nothing of a zip that Node refuses: $trick', async ({ bytes, limits: some }) => {
  await expectZipLaw(bytes(), some === undefined ? undefined : { ...defaultArchiveLimits, ...some });
});

test.each(oddArchives.zip)('a page reads a zip that is odd as Node does, or refuses it: $oddity', async ({ bytes }) => {
  await expectZipLaw(bytes());
});

test('what a page reads of any zip, Node reads too', async () => {
  await fc.assert(fc.asyncProperty(anyZip, async (bytes) => void (await expectZipLaw(bytes))));
});
