import type { InstallEvent } from '@skillpack/cli-dist';
import { formatBytes } from '../frame/progress-line.js';
import type { Reporter } from '../frame/reporter.js';
import { describeInstallWarning } from './describe-install-warning.js';
import { describeRecovery } from './describe-recovery.js';
import { followWaiting } from './follow-waiting.js';

/** A listener that turns what happens during an install into progress, warnings and details. */
export function followInstall(reporter: Reporter): (event: InstallEvent) => void {
  const fetching = new Map<string, { received: number; total: number | undefined }>();
  let changes = 0;
  let fetched = 0;

  const showFetching = () => {
    let bytes = 0;
    let totalBytes: number | undefined = 0;
    for (const { received, total } of fetching.values()) {
      bytes += received;
      totalBytes = totalBytes === undefined || total === undefined ? undefined : totalBytes + total;
    }
    // Packs that wait for their turn have told no size yet: a total would be too small.
    const whole = fetching.size >= changes ? totalBytes : undefined;
    reporter.progress({ label: 'Fetching', done: fetched, total: changes, unit: 'packs', bytes, totalBytes: whole });
  };
  const followWait = followWaiting(reporter);
  return (event) => {
    followWait(event);
    switch (event.kind) {
      case 'waiting':
        return;
      case 'recovered':
        return reporter.warn(describeRecovery(event.outcome));
      case 'resolving':
        return reporter.progress({ label: 'Resolving, read', done: event.documents, unit: 'packs' });
      case 'downloading':
        return reporter.progress({ label: `Downloading ${event.url}`, bytes: event.received });
      case 'resolved':
        changes = event.changes;
        return reporter.detail(`resolved ${event.packs} packs, ${event.changes} to change`);
      case 'fetching':
        fetching.set(event.name, { received: event.received, total: event.total });
        return showFetching();
      case 'fetched':
        fetched += 1;
        fetching.set(event.name, { received: event.bytes, total: event.bytes });
        showFetching();
        return reporter.detail(
          `${event.name}@${event.version}: ${formatBytes(event.bytes)} from ${sources[event.from]}`,
        );
      case 'staged':
        reporter.progress({ label: 'Unpacked', done: event.done, total: event.total, unit: 'packs' });
        return reporter.detail(`unpacked ${event.name}`);
      case 'committed':
        return reporter.detail('committed');
      case 'applied':
        return reporter.detail(`applied ${event.packs} packs`);
      case 'warning':
        return reporter.warn(describeInstallWarning(event.warning));
    }
  };
}

const sources = { network: 'the network', store: 'the cache', disk: 'the disk' } as const;
