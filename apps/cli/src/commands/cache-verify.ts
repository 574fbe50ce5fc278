import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { formatBytes } from '../frame/progress-line.js';
import { count } from '../render/count.js';

export const cacheVerify = defineCommand({
  description:
    'Hashes every archive in the cache and removes damaged ones, and what dead processes left anywhere in it. All else ' +
    'there is checked whenever it is read. Exit code 1 when an archive was damaged.',
  arguments: {},
  options: {},
  examples: [['skills cache verify', 'after a disk error']],
  async run(_, app) {
    const cache = await app.cache(await app.settings());
    const report = await cache.verify(Date.now(), { signal: app.signal });
    return answer(
      report,
      ({ archives, bytes, damaged, leftovers, blocked }, style) => {
        const removed = [...damaged, ...leftovers];
        const lines = [...removed, ...blocked].map((path) => `${style.red('✗')} ${path}`);
        if (blocked.length > 0) lines.push('What stands where archives belong was left alone: move it away.');
        if (removed.length > 0) lines.push(`${count(removed.length, 'damaged or unfinished file')} removed.`);
        if (lines.length > 0) return lines.join('\n');
        return `${style.green('✓')} ${count(archives, 'archive')}, ${formatBytes(bytes)}: all as they were fetched.`;
      },
      { no: report.damaged.length + report.blocked.length > 0 },
    );
  },
});
