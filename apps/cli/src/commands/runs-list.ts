import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { runsDirOption } from '../agent/agent-options.js';
import { listRuns } from '../agent/list-runs.js';
import { count } from '../render/count.js';
import { renderRunList } from '../render/render-run-list.js';

export const runsList = defineCommand({
  description:
    'Shows the recorded runs of the project, the newest first: what was asked, and what came of it. Those that are shown ' +
    'are read from their first event to their last. Exit code 1 if a record is broken.',
  arguments: {},
  options: {
    limit: { kind: 'number', placeholder: 'n', least: 1, most: 100_000, description: 'how many at most (default: 20)' },
    ...runsDirOption,
  },
  examples: [['skills runs list', 'what was asked here lately']],
  async run({ limit, runsDir }, app) {
    const runs = await app.runs({ runsDir });
    const list = await listRuns(runs, limit ?? 20);
    const place = { words: app.words, trusted: runs.trusted };
    const contradicted = list.runs.flatMap(({ id, problem }) => (problem === null ? [] : [id]));
    if (contradicted.length > 0) app.reporter.warn(warningOf(contradicted));
    return answer(list, (shown, style) => renderRunList(shown, style, place), {
      no: contradicted.length + list.broken.length > 0,
    });
  },
});

function warningOf([first, ...others]: readonly string[]): string {
  const which = `The run.json of ${first}${others.length === 0 ? '' : ` and of ${count(others.length, 'other run')}`}`;
  return `${which} says otherwise than the events. Nothing is taken from it; it can be removed.`;
}
