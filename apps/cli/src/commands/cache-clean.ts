import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { describeCache } from '../render/describe-cache.js';

export const cacheClean = defineCommand({
  description:
    'Removes everything from the cache: archives, documents of registries, what was read and compiled. Nothing ' +
    'installed is touched; what is needed again is fetched or made again.',
  arguments: {},
  options: {},
  examples: [['skills cache clean', 'make room']],
  async run(_, app) {
    const cache = await app.cache(await app.settings());
    return answer(await cache.clean(), (cleaned) => `Removed ${describeCache(cleaned)}.`);
  },
});
