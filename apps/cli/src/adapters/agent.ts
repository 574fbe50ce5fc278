import { openRunFolder, sha256, type RunFolder } from '@skillpack/runs-fs';
import type { Reporter } from '../frame/reporter.js';

// Everything that makes an agent is loaded together.
export { randomUUID } from 'node:crypto';
export { openAgent } from '../agent/open-agent.js';

/** The records in a folder. A run whose events are recorded has its answer, also where the disk has no room for the rest. */
export function openRuns(folder: string, reporter: Pick<Reporter, 'warn'>): RunFolder {
  const onUnwritten = ({ message }: Error): void => reporter.warn(`The run is recorded, without a summary. ${message}`);
  return openRunFolder(folder, { sha256, onUnwritten });
}
