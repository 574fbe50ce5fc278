import type { StoreCleaned } from '@skillpack/cli-dist';
import type { WithOtherParts } from '../cache/open-cache.js';
import { formatBytes } from '../frame/progress-line.js';
import { count } from './count.js';

const nouns = {
  documents: 'document',
  scans: 'scanned root',
  seals: 'settled install',
  code: 'compiled file',
} as const;

/** What is or was in the cache, for people: `2 archives, 1.2 MB; 14 documents, 30 kB`. */
export function describeCache({ archives, bytes, unfinished, others }: StoreCleaned & WithOtherParts): string {
  const kept = others
    .filter(({ files }) => files > 0)
    .map(({ kind, files, bytes: size }) => `${count(files, nouns[kind])}, ${formatBytes(size)}`);
  const downloads = `${count(unfinished.files, 'unfinished download')}, ${formatBytes(unfinished.bytes)}`;
  return [
    `${count(archives, 'archive')}, ${formatBytes(bytes)}`,
    ...(unfinished.files > 0 ? [downloads] : []),
    ...kept,
  ].join('; ');
}
