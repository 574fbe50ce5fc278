import { revokedPacks, unfinishedInstall, verifyRoot } from '@skillpack/cli-dist';
import { answer } from '../frame/answer.js';
import { defineCommand, rootOptions } from '../frame/command.js';
import { archiveAmong, readArchive } from '../files/read-archive.js';
import { describeRecovery } from '../render/describe-recovery.js';
import { renderArchiveReport } from '../render/render-archive-report.js';
import { renderVerifyReport } from '../render/render-verify-report.js';
import { warnOfRevoked } from '../render/warn-of-revoked.js';

export const verify = defineCommand({
  description:
    'Checks every installed file against its manifest and the lock file: modified, missing, extra, mode, renamed, ' +
    'replaced by a link. Exit code 1 when anything differs. Given an archive, judges the archive.',
  arguments: {
    names: {
      count: 'any',
      placeholder: 'pack|skill|archive',
      description: 'what to check; everything installed when nothing is named',
    },
  },
  options: { ...rootOptions },
  examples: [
    ['skills verify', 'everything installed in this project'],
    ['skills verify org/pdf', 'one pack'],
    ['skills verify ./pdf-1.2.0.tgz', 'an archive, before anybody installs it'],
  ],
  async run({ names, scope, root }, app) {
    const archive = archiveAmong(names, app.cwd);
    if (archive !== undefined) {
      // What reads archives is not loaded to verify what is installed.
      const { verifyArchive } = await import('../adapters/verify-archive.js');
      return answer(
        await verifyArchive(readArchive(archive), await app.archives(), { signal: app.signal, path: archive }),
        renderArchiveReport,
      );
    }
    const installRoot = await app.root({ scope, root }, await app.skillPlaces());
    const report = await verifyRoot(
      { root: installRoot, names },
      {
        signal: app.signal,
        onRecovered: (outcome) => app.reporter.warn(describeRecovery(outcome)),
        onProgress: ({ packs, of }) =>
          app.reporter.progress({ label: 'Checked', done: packs, total: of, unit: 'packs' }),
      },
    );
    const unfinished = unfinishedInstall(installRoot);
    if (unfinished !== undefined) {
      app.reporter.warn(`${unfinished.subject}: ${unfinished.message} ${unfinished.advice}`);
    }
    warnOfRevoked(revokedPacks(installRoot), app.reporter);
    return answer(report, renderVerifyReport, { no: !report.ok });
  },
});
