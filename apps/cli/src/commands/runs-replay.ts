import { replayRun } from '@skillpack/core';
import { sha256 } from '@skillpack/cli-dist';
import { runsDirOption } from '../agent/agent-options.js';
import { readRun } from '../agent/read-run.js';
import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { count } from '../render/count.js';

export const runsReplay = defineCommand({
  description:
    'Does a run again, with model, skills, tools and approvals answered from its record, and compares event by event. ' +
    'Nothing is called, run or written, and the skills need not be there any more. Exit code 1 if anything differs.',
  arguments: { run: { count: 'one', placeholder: 'run', description: 'its id, the beginning of it, or last' } },
  options: runsDirOption,
  examples: [['skills runs replay last', 'whether the newest one comes to the same again']],
  async run({ run, runsDir }, app) {
    const runs = await app.runs({ runsDir });
    const stored = await readRun(run, runs, app.words);
    const report = await replayRun(stored, { sha256 });
    if (report.same) {
      const finished = stored.events.at(-1)?.type === 'run_finished';
      return answer({ run: stored.id, ...report, finished }, (data, style) =>
        [
          `${style.green('The same')}: ${count(data.events, 'event')} of ${data.run}${finished ? '' : ', which is not finished'}.`,
          `State ${data.stateHash}`,
        ].join('\n'),
      );
    }
    const { at, reason } = report;
    return answer(
      { run: stored.id, same: false, at, reason, expected: report.expected ?? null, actual: report.actual ?? null },
      (data, style) => `${style.red('It differs')} at event ${data.at} of ${data.run}: ${data.reason}`,
      { no: true },
    );
  },
});
