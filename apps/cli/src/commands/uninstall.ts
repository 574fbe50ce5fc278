import { uninstallPacks } from '@skillpack/cli-dist';
import { answer } from '../frame/answer.js';
import { defineCommand, dryRunOption, rootOptions } from '../frame/command.js';
import { followInstall } from '../render/follow-install.js';
import { renderUninstallReport } from '../render/render-uninstall-report.js';

export const uninstall = defineCommand({
  description:
    'Removes exactly what was installed, and packs that nothing needs any more. Files that were edited or added are ' +
    'reported and kept.',
  arguments: { names: { count: 'some', placeholder: 'pack|skill', description: 'org/pdf, or the name of a skill' } },
  options: {
    backup: { kind: 'flag', description: 'copy every skill to a backup first' },
    force: { kind: 'flag', description: 'remove edited and added files too, and packs that others need' },
    ...dryRunOption,
    ...rootOptions,
  },
  examples: [
    ['skills uninstall org/pdf', 'a pack with all its skills'],
    ['skills uninstall pdf --backup', 'the pack that brought the skill, keeping a copy'],
  ],
  async run({ names, scope, root, ...options }, app) {
    const settings = await app.settings();
    const report = await uninstallPacks(
      { root: await app.root({ scope, root }, settings), names },
      await app.ports(settings),
      { ...options, signal: app.signal, onEvent: followInstall(app.reporter) },
    );
    return answer(report, renderUninstallReport);
  },
});
