import { outdatedPacks } from '@skillpack/cli-dist';
import { answer } from '../frame/answer.js';
import { defineCommand, registryOption, rootOptions } from '../frame/command.js';
import { describeRecovery } from '../render/describe-recovery.js';
import { renderOutdatedReport } from '../render/render-outdated-report.js';

export const outdated = defineCommand({
  description: 'Asks the registries which installed packs have newer versions. Exit code 1 when there are any.',
  arguments: {},
  options: { ...rootOptions, ...registryOption },
  examples: [['skills outdated', 'what `skills update` would move, and what lies beyond the ranges']],
  async run({ scope, root, registry }, app) {
    const settings = await app.settings({ registry });
    const target = await app.root({ scope, root }, settings);
    const report = await outdatedPacks(
      { root: target },
      { registryFor: await app.registryFor(settings, target) },
      { signal: app.signal, onRecovered: (outcome) => app.reporter.warn(describeRecovery(outcome)) },
    );
    return answer(report, renderOutdatedReport, {
      no: report.outdated.length + report.revoked.length + report.failed.length > 0,
    });
  },
});
