import { describe, expect, test } from 'vitest';
import { SkillsError, type ArchiveInput } from '@skillpack/core';
import { createArchiveReader } from './archive-reader.js';
import { createArchiveWriter } from './archive-writer.js';
import { sha256 } from './sha256.js';

const writer = createArchiveWriter();

function file(path: string, text = path, executable = false): ArchiveInput {
  return { path, bytes: Buffer.from(text), executable };
}

const tree: readonly ArchiveInput[] = [
  file('pdf/SKILL.md', '---\nname: pdf\ndescription: Reads PDF files.\n---\n\n# PDF\n'),
  file('pdf/scripts/read.py', '#!/usr/bin/env python3\nprint("hello")\n', true),
  file('pdf/references/a.md', 'word '.repeat(5_000)),
  file('pdf/empty', ''),
  file(`pdf/${'long/'.repeat(20)}${'x'.repeat(60)}`),
  file(`pdf/${'y'.repeat(180)}`),
  file('pdf/\u00FCber \u65E5\u672C.txt'),
  file('pdf/\u{1F600}'),
  file('pdf/\uFB01.txt'),
];

describe('PSA-32: an archive', () => {
  // A change of these bytes is a change of every digest that is published: it has to be meant.
  test.for([
    ['tgz', 'sha256:afbc1de7274a99e54762a415380f7315927617da196e43ed5c8e9402ac4b3e83'],
    ['zip', 'sha256:c00c39e9f8ced46c5c06f0b8173e65a7a702791f9ad792bdac46e2933b02d658'],
  ] as const)('has the same bytes for ever: %s', ([format, digest]) => {
    expect(sha256(writer.write(tree, format))).toBe(digest);
    expect(sha256(writer.write(tree.toReversed(), format))).toBe(digest);
  });

  test.for(['tgz', 'zip'] as const)('reads back as it was written: %s', async (format) => {
    const opened = await createArchiveReader().open(writer.write(tree, format));
    expect(opened.files.map(({ path, digest, executable }) => [path, digest, executable])).toEqual(
      tree
        .map(({ path, bytes, executable }) => [path, sha256(bytes), executable])
        .toSorted(([left], [right]) => Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)))),
    );
  });

  test('says nothing of time and machine', () => {
    const tgz = Buffer.from(writer.write(tree, 'tgz'));
    expect(tgz.subarray(0, 10).toString('hex')).toBe('1f8b0800000000000203');
    expect(Buffer.from(writer.write([file('a')], 'zip')).toString('hex', 10, 14)).toBe('00002100');
  });

  test.for([
    ['../evil', 'path-traversal'],
    ['nul', 'path-windows-reserved'],
    ['a\\b', 'path-backslash'],
  ] as const)('does not hold %s', ([path, problem]) => {
    expect(refusal([file(path)])).toEqual({ code: 'INVALID_PATH', problem });
  });

  test.for([
    [['a', 'a'], 'duplicate-path'],
    [['a/b', 'A/c'], 'case-collision'],
    [['a', 'a/b'], 'file-as-folder'],
  ] as const)('does not hold both of %j', ([paths, problem]) => {
    expect(refusal(paths.map((path) => file(path)))).toEqual({ code: 'INVALID_PATH', problem });
  });
});

function refusal(files: readonly ArchiveInput[]): unknown {
  try {
    return writer.write(files, 'tgz').length;
  } catch (error) {
    return SkillsError.is(error) ? { code: error.code, problem: error.data['problem'] } : error;
  }
}
