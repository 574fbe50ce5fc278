import { answer } from '../frame/answer.js';
import { defineCommand, offlineOption, registryOption } from '../frame/command.js';
import { renderPackSummaries } from '../render/render-pack-summaries.js';

export const search = defineCommand({
  description: 'Finds packs of the registry by words of their names, descriptions and keywords, best first.',
  arguments: { words: { count: 'some', placeholder: 'word', description: 'what to look for' } },
  options: {
    limit: { kind: 'number', placeholder: 'n', least: 1, most: 1000, description: 'how many at most (default: 20)' },
    ...offlineOption,
    ...registryOption,
  },
  examples: [['skills search pdf tables', 'packs that have to do with both']],
  async run({ words, limit, offline, registry }, app) {
    const source = await app.registry(await app.settings({ registry, offline }));
    const packs = await source.search(words.join(' '), { limit, signal: app.signal });
    return answer({ registry: source.location, packs }, renderPackSummaries, { no: packs.length === 0 });
  },
});
