import { resolve } from 'node:path';
import { describePack } from '../author/describe-pack.js';
import { loadPack } from '../author/load-pack.js';
import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { renderPublication } from '../render/render-publication.js';
import { warnOfPack } from '../render/warn-of-pack.js';

export const publish = defineCommand({
  description:
    'Puts a pack into a registry. A version is published once: the same content again changes nothing, other content ' +
    'is refused. The token for a registry at a URL comes from SKILLS_TOKEN or credentials.json.',
  arguments: {
    source: { count: 'one', placeholder: 'dir|archive', description: 'a folder, which is packed first, or an archive' },
  },
  options: {
    to: { kind: 'value', placeholder: 'url or folder', description: 'the registry (default: the one packs come from)' },
    tag: {
      kind: 'value',
      placeholder: 'name',
      description: 'tag to move to this version (default: latest, and only forward)',
    },
    org: { kind: 'value', placeholder: 'name', description: 'organisation of a skill without a skillpack.json' },
    version: { kind: 'value', placeholder: 'version', description: 'instead of the version that the folder states' },
    dryRun: { kind: 'flag', description: 'pack and check it, and publish nothing' },
  },
  examples: [
    ['skills publish ./pdf', 'to the registry that is configured'],
    ['skills publish ./acme-pdf-2.0.0-rc.1.tgz --to ./public --tag beta', 'into a folder of static files'],
  ],
  async run({ source, to, tag, org, version, dryRun }, app) {
    const settings = await app.settings({ registry: to });
    const { signal } = app;
    const pack = await loadPack(resolve(app.cwd, source), await app.archives(), { org, version, signal });
    const described = describePack(pack);
    warnOfPack(described, app.reporter);
    const publisher = await app.publisher(pack.manifest.name, settings);
    const published = dryRun ? undefined : await publisher.publish({ ...pack, tag }, { signal });
    const { tags = {}, created = false, repaired = false } = published ?? {};
    // A version that is new has no tag but those that its publication moved.
    const moved = created ? Object.keys(tags).filter((name) => tags[name] === pack.manifest.version) : [];
    return answer(
      {
        ...described,
        registry: publisher.location,
        dryRun,
        created,
        repaired,
        tags,
        moved,
      },
      renderPublication,
    );
  },
});
