import { describe, expect, test } from 'vitest';
import { createArchiveReader } from '../../src/index.js';
import { asFile } from './as-file.js';
import { skillText } from './hostile-archive.js';
import { oddArchives } from './odd-archives.js';
import { readArchive } from './read-archive.js';

describe.for(['tgz', 'zip'] as const)('PSA-32: an odd but honest %s', (format) => {
  test.for(oddArchives[format].map((archive) => [archive.oddity, archive] as const))(
    'is read: %s',
    async ([, archive]) => {
      const bytes = archive.bytes();
      const opened = await createArchiveReader().open(bytes);
      expect({ format: opened.format, layout: opened.layout, ignored: opened.ignored }).toEqual({
        format,
        layout: 'pack',
        ignored: archive.ignored ?? [],
      });
      const expected = Object.entries({ 'pdf/SKILL.md': skillText, ...archive.files }).map(
        ([path, text]) => [path, { text, executable: archive.executable?.includes(path) ?? false }] as const,
      );
      expect(await readArchive(bytes)).toEqual(Object.fromEntries(expected));
      expect(await readArchive(asFile(bytes))).toEqual(Object.fromEntries(expected));
    },
  );
});
