import { updatePacks } from '@skillpack/cli-dist';
import { parsePackName } from '@skillpack/core';
import { answer } from '../frame/answer.js';
import { defineCommand, dryRunOption, registryOption, rootOptions } from '../frame/command.js';
import { followInstall } from '../render/follow-install.js';
import { renderInstallReport } from '../render/render-install-report.js';

export const update = defineCommand({
  description: 'Moves packs to the newest version within the range that was asked for, and locks it.',
  arguments: { packs: { count: 'any', placeholder: 'pack', description: 'org/pdf; all packs when none is named' } },
  options: {
    ...dryRunOption,
    replace: { kind: 'flag', description: 'replace edited skills; what was edited is moved to a backup' },
    ...rootOptions,
    ...registryOption,
  },
  examples: [
    ['skills update', 'every pack'],
    ['skills update org/pdf --dry-run', 'what would change for one'],
  ],
  async run({ packs, scope, root, registry, ...options }, app) {
    const settings = await app.settings({ registry });
    const target = await app.root({ scope, root }, settings);
    const report = await updatePacks(
      { root: target, names: packs.map((name) => parsePackName(name)) },
      await app.ports(settings, target),
      { ...options, offline: settings.offline, signal: app.signal, onEvent: followInstall(app.reporter) },
    );
    return answer(report, renderInstallReport);
  },
});
