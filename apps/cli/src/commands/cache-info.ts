import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { describeCache } from '../render/describe-cache.js';

export const cacheInfo = defineCommand({
  description: 'Shows where the cache is, what is kept in it and how large it is.',
  arguments: {},
  options: {},
  examples: [['skills cache info --json', 'the same for a program']],
  async run(_, app) {
    const cache = await app.cache(await app.settings());
    return answer(await cache.info(), ({ path, unwritable, ...kept }) => {
      const info = `${path}: ${describeCache(kept)}.`;
      if (unwritable === null) return info;
      return `${info}\nIt cannot be written (${unwritable}), so nothing is kept: make it writable, or choose another folder with SKILLS_CACHE.`;
    });
  },
});
