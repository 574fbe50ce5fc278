import { answer } from '../frame/answer.js';
import { defineCommand, dryRunOption, offlineOption, registryOption, rootOptions } from '../frame/command.js';
import { limitYoungMemory } from '../frame/limit-young-memory.js';
import { renderInstallReport } from '../render/render-install-report.js';

export const install = defineCommand({
  description:
    'Resolves, fetches, checks and installs packs, and locks what was installed. Without a spec it installs what ' +
    'skillpack.json wants. Another version of an installed pack replaces it.',
  arguments: {
    specs: {
      count: 'any',
      placeholder: 'spec',
      description:
        'a pack (org/pdf, org/pdf@^1, org/pdf@beta), a folder or an archive (./pdf, ./pdf.tgz), or the URL of one',
    },
  },
  options: {
    frozen: { kind: 'flag', description: 'install exactly what the lock file says, or fail' },
    ...offlineOption,
    ...dryRunOption,
    noSave: { kind: 'flag', description: 'leave skillpack.json as it is' },
    replace: { kind: 'flag', description: 'replace edited skills; what was edited is moved to a backup' },
    ...rootOptions,
    ...registryOption,
  },
  examples: [
    ['skills install org/pdf', 'the newest version of a pack, into this project'],
    ['skills install org/pdf@^1 ./my-skill', 'a range, and a folder of your own'],
    ['skills install --frozen', 'what the lock file says: for CI'],
    ['skills install org/pdf --scope user', 'for all your projects'],
  ],
  async run({ specs, noSave, scope, root, registry, offline, ...options }, app) {
    if (specs.length === 0 && registry === undefined) {
      const unchanged = await app.recallInstall({ scope, root }, options);
      if (unchanged !== undefined) return answer(unchanged, renderInstallReport);
    }
    // Nothing of what installs is loaded before it is known that there is something to look at.
    const { followInstall, installPacks, parsePackSpec } = await import('../adapters/install.js');
    const settings = await app.settings({ registry, offline });
    const target = await app.root({ scope, root }, settings);
    // What a project wants may be hundreds of packs.
    if (specs.length === 0) limitYoungMemory();
    const report = await installPacks(
      {
        root: target,
        specs: specs.map((spec) => parsePackSpec(spec)),
        from: app.cwd,
      },
      await app.ports(settings, target),
      {
        ...options,
        offline: settings.offline,
        save: !noSave,
        signal: app.signal,
        onEvent: followInstall(app.reporter),
      },
    );
    return answer(report, renderInstallReport);
  },
});
