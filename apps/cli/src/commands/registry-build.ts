import { resolve } from 'node:path';
import { addPacks } from '../author/add-packs.js';
import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { renderFolderBuild } from '../render/render-folder-build.js';

export const registryBuild = defineCommand({
  description:
    'Makes the static files of a registry, which any web server can serve: adds the packs that are named, then makes ' +
    'every index anew. Finishes what an interrupted publisher had begun, and hashes every archive. Exit code 1 when a ' +
    'pack cannot be read or an archive is missing or damaged.',
  arguments: {
    dir: { count: 'one', placeholder: 'dir', description: 'the folder of the registry; made when it is not there' },
    packs: { count: 'any', placeholder: 'pack', description: 'archives, or folders of skills, to add first' },
  },
  options: {},
  examples: [
    ['skills registry build ./public ./packs/*.tgz', 'a registry of these archives'],
    ['skills registry build ./public', 'make the indexes anew'],
  ],
  async run({ dir, packs }, app) {
    const folder = resolve(app.cwd, dir);
    const { signal } = app;
    const registry = await app.folderRegistry(folder, { derive: false });
    const { archives } = await app.archives();
    const paths = packs.map((path) => resolve(app.cwd, path));
    const added = await addPacks(
      paths,
      { archives, publisher: registry },
      {
        signal,
        onProgress: (done) =>
          app.reporter.progress({ label: 'Added', done: done.packs, total: done.of, unit: 'packs' }),
      },
    );
    const built = await registry.build();
    return answer({ folder, added, ...built }, renderFolderBuild, { no: built.problems.length > 0 });
  },
});
