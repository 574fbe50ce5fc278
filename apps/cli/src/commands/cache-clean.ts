import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { formatBytes } from '../frame/progress-line.js';
import { count } from '../render/count.js';

export const cacheClean = defineCommand({
  description:
    'Removes every archive from the cache. Nothing installed is touched; what is needed again is fetched again.',
  arguments: {},
  options: {},
  examples: [['skills cache clean', 'make room']],
  async run(_, app) {
    const store = await app.store(await app.settings());
    return answer(
      await store.clean(),
      ({ archives, bytes }) => `Removed ${count(archives, 'archive')}, ${formatBytes(bytes)}.`,
    );
  },
});
