import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { formatBytes } from '../frame/progress-line.js';
import { count } from '../render/count.js';

export const cacheVerify = defineCommand({
  description: 'Hashes every archive in the cache and removes damaged ones. Exit code 1 when there were any.',
  arguments: {},
  options: {},
  examples: [['skills cache verify', 'after a disk error']],
  async run(_, app) {
    const store = await app.store(await app.settings());
    const report = await store.verify({ signal: app.signal });
    return answer(
      report,
      ({ archives, bytes, damaged }, style) =>
        damaged.length === 0
          ? `${style.green('✓')} ${count(archives, 'archive')}, ${formatBytes(bytes)}: all as they were fetched.`
          : [
              ...damaged.map((name) => `${style.red('✗')} ${name}`),
              `${count(damaged.length, 'damaged file')} removed.`,
            ].join('\n'),
      { no: report.damaged.length > 0 },
    );
  },
});
