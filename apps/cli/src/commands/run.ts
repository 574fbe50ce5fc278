import type { ApprovalRequest } from '@skillpack/core';
import { agentOptions, limitOptions, skillOption } from '../agent/agent-options.js';
import { endOfRun } from '../agent/end-of-run.js';
import { readTask } from '../agent/read-task.js';
import { waitsForYes } from '../agent/waits-for-yes.js';
import { workToAnswer } from '../agent/work-to-answer.js';
import { defineCommand } from '../frame/command.js';
import { followAgent } from '../render/follow-agent.js';

export const run = defineCommand({
  description:
    'Gives an agent one task, and prints its answer. It is shown the names of all skills and reads those it needs; what ' +
    'is not read-only needs a yes. Every step is told on stderr and recorded in .agents/runs of the project.',
  arguments: {
    task: { count: 'some', placeholder: 'task', description: 'what to do; - reads it from standard input' },
  },
  options: { ...agentOptions, ...skillOption, ...limitOptions },
  examples: [
    ['skills run "What is in report.pdf?" --model scripted', 'without a language model: what the skill that fits says'],
    [
      'skills run - --approve run_script --trust-project < task.txt',
      'in CI: scripts and the project’s skills are allowed',
    ],
  ],
  async run({ task, ...flags }, app) {
    const text = await readTask(task, app);
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = (asked: ApprovalRequest): void => {
      const { record, trusted } = agent;
      const place = { run: record.id, folder: record.folder, trusted };
      reject(waitsForYes(asked, { ...place, approve: flags.approve, words: app.words }));
    };
    await using agent = await app.openAgent(flags, { onEvent: followAgent(app.reporter, app.words), leave });
    const summary = await workToAnswer(agent, { request: text, person: await app.person(), signal: app.signal, left });
    return endOfRun({ summary, folder: agent.record.folder, words: app.words, signal: app.signal }, app.reporter);
  },
});
