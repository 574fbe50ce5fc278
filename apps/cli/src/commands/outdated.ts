import { outdatedPacks } from '@skillpack/cli-dist';
import { answer } from '../frame/answer.js';
import { defineCommand, offlineOption, registryOption, rootOptions } from '../frame/command.js';
import { describeRecovery } from '../render/describe-recovery.js';
import { renderOutdatedReport } from '../render/render-outdated-report.js';

export const outdated = defineCommand({
  description:
    'Asks the registries which installed packs have newer versions. Exit code 1 when there are any, and when something ' +
    'is locked that is not installed.',
  arguments: {},
  options: { ...offlineOption, ...rootOptions, ...registryOption },
  examples: [['skills outdated', 'what `skills update` would move, and what lies beyond the ranges']],
  async run({ scope, root, registry, offline }, app) {
    const settings = await app.settings({ registry, offline });
    const target = await app.root({ scope, root }, settings);
    const report = await outdatedPacks(
      { root: target },
      { registryFor: await app.registryFor(settings, target) },
      { signal: app.signal, onRecovered: (outcome) => app.reporter.warn(describeRecovery(outcome)) },
    );
    if (settings.offline) app.reporter.warn('No registry was asked: newer versions are those that the cache knows of.');
    return answer(report, renderOutdatedReport, {
      no: [report.outdated, report.notInstalled, report.revoked, report.failed].some(({ length }) => length > 0),
    });
  },
});
