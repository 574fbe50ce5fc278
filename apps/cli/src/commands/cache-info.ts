import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { formatBytes } from '../frame/progress-line.js';
import { count } from '../render/count.js';

export const cacheInfo = defineCommand({
  description: 'Shows where downloaded archives are kept, how many there are and how large they are.',
  arguments: {},
  options: {},
  examples: [['skills cache info --json', 'the same for a program']],
  async run(_, app) {
    const store = await app.store(await app.settings());
    return answer(
      await store.info(),
      ({ path, archives, bytes }) => `${path}: ${count(archives, 'archive')}, ${formatBytes(bytes)}.`,
    );
  },
});
