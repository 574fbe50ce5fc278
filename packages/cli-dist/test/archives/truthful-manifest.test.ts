import { describe, expect, test } from 'vitest';
import {
  SkillsError,
  formatManifest,
  manifestFileName,
  parsePackName,
  treeDigestOf,
  type ArchiveFormat,
  type ArchiveInput,
  type PackManifest,
} from '@skillpack/core';
import { createArchiveReader, createArchiveWriter, sha256 } from '../../src/index.js';
import { skillText } from './hostile-archive.js';
import { zip } from './zip-builder.js';

const reader = createArchiveReader();
const writer = createArchiveWriter();

const honest: readonly ArchiveInput[] = [
  { path: 'pdf/SKILL.md', bytes: Buffer.from(skillText), executable: false },
  { path: 'pdf/run.sh', bytes: Buffer.from('#!/bin/sh\n'), executable: true },
];

function manifestOf(files: readonly ArchiveInput[]): PackManifest {
  const listed = files.map(({ path, bytes, executable }) => ({
    path,
    size: bytes.length,
    digest: sha256(bytes),
    executable,
  }));
  return {
    name: parsePackName('acme/pdf'),
    version: '1.0.0',
    description: '',
    keywords: [],
    skills: [{ name: 'pdf', path: 'pdf', description: '' }],
    dependencies: {},
    requires: {},
    files: listed,
    treeDigest: treeDigestOf(listed, sha256),
  };
}

function manifestFile(files: readonly ArchiveInput[] = honest): ArchiveInput {
  return { path: manifestFileName, bytes: Buffer.from(formatManifest(manifestOf(files))), executable: false };
}

async function reasonFor(bytes: Uint8Array): Promise<unknown> {
  return reader.open(bytes).then(
    () => 'accepted',
    (error: unknown) => (SkillsError.is(error) ? (error.data['reason'] ?? error.code) : error),
  );
}

const lies: readonly (readonly [lie: string, files: readonly ArchiveInput[]])[] = [
  ['a file more', [...honest, { path: 'pdf/more', bytes: Buffer.from('evil'), executable: false }]],
  ['a file outside every skill', [...honest, { path: 'README.md', bytes: Buffer.from('x'), executable: false }]],
  ['a SKILL.md at the root', [...honest, { path: 'SKILL.md', bytes: Buffer.from(skillText), executable: false }]],
  ['a file less', honest.slice(0, 1)],
  ['other bytes', honest.map((file) => ({ ...file, bytes: Buffer.from('#!/bin/ev\n') }))],
  ['another length', honest.map((file) => ({ ...file, bytes: Buffer.concat([file.bytes, Buffer.from('x')]) }))],
  ['another name', honest.map((file) => ({ ...file, path: file.path.replace('run', 'ran') }))],
  ['an executable bit more', honest.map((file) => ({ ...file, executable: true }))],
  ['an executable bit less', honest.map((file) => ({ ...file, executable: false }))],
];

describe.for(['tgz', 'zip'] as const)('PSA-34: the manifest of a %s', (format: ArchiveFormat) => {
  test('is read when it is true', async () => {
    const opened = await reader.open(writer.write([...honest, manifestFile()], format));
    expect(opened.manifest).toEqual(manifestOf(honest));
    expect(opened.files).toEqual(manifestOf(honest).files);
    expect(opened.treeDigest).toBe(manifestOf(honest).treeDigest);
  });

  test.for(lies)('refuses %s', async ([, files]) => {
    expect(await reasonFor(writer.write([...files, manifestFile()], format))).toBe('manifest-mismatch');
  });

  test('is found in an enclosing folder', async () => {
    const enclosed = [...honest, manifestFile()].map((file) => ({ ...file, path: `package/${file.path}` }));
    const opened = await reader.open(writer.write(enclosed, format));
    expect(opened.manifest?.name).toBe('acme/pdf');
    expect(opened.files.map(({ path }) => path)).toEqual(['pdf/SKILL.md', 'pdf/run.sh']);
  });

  test('of a later format asks for a newer skillpack', async () => {
    const later = { ...manifestFile(), bytes: Buffer.from('{"formatVersion":2,"name":"acme/pdf"}') };
    expect(await reasonFor(writer.write([...honest, later], format))).toBe('UNSUPPORTED_FORMAT');
  });

  test('that contradicts itself is refused', async () => {
    const text = formatManifest({ ...manifestOf(honest), treeDigest: sha256('other') });
    const bytes = writer.write([...honest, { ...manifestFile(), bytes: Buffer.from(text) }], format);
    expect(await reasonFor(bytes)).toBe('invalid-manifest');
  });

  test('refuses a skill that calls itself otherwise, in an archive of any size', async () => {
    const named = (name: string, more = 0): readonly ArchiveInput[] => [
      { path: 'pdf/SKILL.md', bytes: Buffer.from(skillText.replace('name: pdf', `name: ${name}`)), executable: false },
      { path: 'pdf/large', bytes: Buffer.alloc(more), executable: false },
    ];
    const judge = (files: readonly ArchiveInput[]) => reasonFor(writer.write([...files, manifestFile(files)], format));
    expect(await judge(named('alpha'))).toBe('manifest-mismatch');
    expect(await judge(named('alpha', 17 * 1024 * 1024))).toBe('manifest-mismatch');
    expect(await judge(named('pdf', 17 * 1024 * 1024))).toBe('accepted');
    expect(await judge(named('PDF Tools'))).toBe('accepted');
    const enclosed = [...named('alpha'), manifestFile(named('alpha'))];
    expect(
      await reasonFor(
        writer.write(
          enclosed.map((file) => ({ ...file, path: `p/${file.path}` })),
          format,
        ),
      ),
    ).toBe('manifest-mismatch');
  });

  test('does not count when it is the skill’s own', async () => {
    const own = { path: 'manifest.json', bytes: Buffer.from('{"name":"my-extension"}'), executable: false };
    const root = { path: 'SKILL.md', bytes: Buffer.from(skillText), executable: false };
    const opened = await reader.open(writer.write([own, root], format));
    expect(opened.manifest).toBeUndefined();
    expect(opened.files.map(({ path }) => path)).toEqual(['SKILL.md', 'manifest.json']);
  });
});

test('PSA-34: where a zip from Windows has no modes, the manifest says what is executable', async () => {
  const files = [...honest, manifestFile()];
  const opened = await reader.open(
    zip(files.map(({ path, bytes }) => ({ name: path, data: Buffer.from(bytes), host: 0, mode: 0 }))),
  );
  expect(opened.files.map(({ executable }) => executable)).toEqual([false, true]);
});

test('PSA-34: what macOS adds to a pack does not make its manifest untrue', async () => {
  const files = [
    ...honest,
    manifestFile(),
    { path: '__MACOSX/._pdf', bytes: Buffer.from('x') },
    { path: 'pdf/.DS_Store', bytes: Buffer.from('x') },
  ];
  const opened = await reader.open(
    zip(files.map(({ path, bytes }) => ({ name: path, data: Buffer.from(bytes), host: 0, mode: 0 }))),
  );
  expect(opened.ignored).toEqual(['__MACOSX/._pdf', 'pdf/.DS_Store']);
  expect(opened.manifest?.version).toBe('1.0.0');
});
