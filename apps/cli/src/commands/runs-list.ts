import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { listRuns } from '../agent/list-runs.js';
import { renderRunList } from '../render/render-run-list.js';

export const runsList = defineCommand({
  description: 'Shows the recorded runs of the project, the newest first: what was asked, and what came of it.',
  arguments: {},
  options: {
    limit: { kind: 'number', placeholder: 'n', least: 1, most: 100_000, description: 'how many at most (default: 20)' },
  },
  examples: [['skills runs list', 'what was asked here lately']],
  async run({ limit }, app) {
    const runs = await app.runs();
    const list = listRuns(await runs.list(), limit ?? 20);
    for (const { folder, message } of list.broken) app.reporter.warn(`${folder}: ${message}`);
    return answer(list, renderRunList);
  },
});
