import { dirname, resolve } from 'node:path';
import { packSkills } from '@skillpack/cli-dist';
import { archiveFormat, archivePath } from '../author/archive-path.js';
import { describePack } from '../author/describe-pack.js';
import { makeFolder } from '../files/make-folder.js';
import { writeWholeFile } from '../files/write-whole-file.js';
import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { renderDescribedPack } from '../render/render-described-pack.js';
import { warnOfPack } from '../render/warn-of-pack.js';

export const pack = defineCommand({
  description:
    'Builds the archive of a folder of skills: the same folder makes the same bytes on every machine. ' +
    '.skillpackignore leaves files out.',
  arguments: {
    dir: { count: 'one', placeholder: 'dir', description: 'a folder with a skillpack.json, or one skill' },
  },
  options: {
    out: {
      kind: 'value',
      placeholder: 'path',
      description: 'where to: a path ending in .tgz or .zip, or a folder (made when it is not there)',
    },
    format: { kind: 'choice', words: ['tgz', 'zip'], description: 'kind of archive (default: tgz)' },
    org: { kind: 'value', placeholder: 'name', description: 'organisation of a skill without a skillpack.json' },
    version: { kind: 'value', placeholder: 'version', description: 'instead of the version that the folder states' },
  },
  examples: [
    ['skills pack ./pdf', 'acme-pdf-1.2.0.tgz, here'],
    ['skills pack ./my-skill --org me --version 1.0.0 --out ./dist', 'a plain skill folder'],
  ],
  async run({ dir, out, format: wanted, org, version }, app) {
    const place = { out, format: wanted, from: app.cwd };
    const format = archiveFormat(place);
    const packed = await packSkills(resolve(app.cwd, dir), { format, org, version, signal: app.signal });
    const path = archivePath(packed.manifest, format, place);
    makeFolder(dirname(path));
    await writeWholeFile(path, packed.archive);
    const described = { path, ...describePack(packed) };
    warnOfPack(described, app.reporter);
    return answer(described, (data, style) => `${renderDescribedPack(data, style)}\nWritten to ${data.path}`);
  },
});
