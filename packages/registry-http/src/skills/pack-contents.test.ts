import { digestHex, SkillsError, type OpenedArchive, type PackRegistry } from '@skillpack/core';
import { expect, test } from 'vitest';
import { sha256 } from '../sha256.js';
import { PackContents } from './pack-contents.js';
import type { RemotePack } from './remote-pack.js';

const text = new TextEncoder().encode('# Body\n');
const archiveBytes = new TextEncoder().encode('the archive');
const digest = sha256(archiveBytes);
const treeDigest = sha256('the tree');
const path = 'pdf/SKILL.md';

// Casts: the parts of these that are looked at.
const pack = {
  name: 'acme/pdf',
  record: { version: '1.0.0', treeDigest, archives: [{ format: 'tgz', digest, size: archiveBytes.length }] },
  manifest: { files: [{ path, digest: sha256(text), size: text.length }] },
} as unknown as RemotePack;

interface World {
  /** What the registry sends for the archive. */
  readonly sent?: Uint8Array;
  /** What is in it, where it is opened. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  readonly tree?: string;
}

/** Reads through parts that say what they like: a registry that somebody wrote, and a reader of archives. */
function contentsOf({ sent = archiveBytes, files = { [path]: text }, tree = treeDigest }: World) {
  const opened: Uint8Array[] = [];
  const packs = {
    getRevocations: async () => [],
    getBlob: async () => sent,
  } as unknown as PackRegistry;
  const archive = {
    treeDigest: tree,
    async *contents() {
      for (const [name, bytes] of Object.entries(files)) {
        yield { file: { path: name, size: bytes.length, digest: sha256(bytes) }, chunks: [bytes] };
      }
    },
    release: () => undefined,
  } as unknown as OpenedArchive;
  const archives = {
    open: async (bytes: Uint8Array) => {
      opened.push(bytes);
      return archive;
    },
  };
  const contents = new PackContents({ packs, archives, sha256 }, { memoryBytes: 1_000_000, limits: undefined });
  return { opened, read: async () => contents.read(pack, path, undefined) };
}

const mismatch = expect.toSatisfy((error: unknown) => SkillsError.is(error, 'INTEGRITY_MISMATCH'));

test('a file of a pack is what its manifest says', async () => {
  expect(await contentsOf({}).read()).toEqual(text);
});

test('an archive with another digest than the index names is not even opened, whoever sent it', async () => {
  const sent = new TextEncoder().encode('another one');
  const { opened, read } = contentsOf({ sent });
  const failing = read();
  await expect(failing).rejects.toThrow(mismatch);
  await expect(failing).rejects.toThrow(new RegExp(digestHex(sha256(sent)), 'u'));
  expect(opened).toEqual([]);
});

test('an archive that holds another tree, another file or not all of them gives nothing, whatever its reader says', async () => {
  for (const world of [
    { tree: sha256('another tree') },
    { files: { [path]: new TextEncoder().encode('# Bad\n') } },
    { files: {} },
  ]) {
    await expect(contentsOf(world).read()).rejects.toThrow(mismatch);
  }
});
