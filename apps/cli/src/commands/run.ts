import { agentOptions, limitOptions, recordOption, scopeOption, skillOption } from '../agent/agent-options.js';
import { endOfRun } from '../agent/end-of-run.js';
import { readTask } from '../agent/read-task.js';
import { workToAnswer } from '../agent/work-to-answer.js';
import { defineCommand } from '../frame/command.js';
import { followAgent } from '../render/follow-agent.js';
import { followModel } from '../render/follow-model.js';
import { openStream } from '../render/stream-answer.js';

export const run = defineCommand({
  description:
    'Gives an agent one task, and prints its answer. It is shown the names of all skills and reads those it needs; what ' +
    'is not read-only needs a yes. Every step is told on stderr and recorded in .agents/runs of the project.',
  arguments: {
    task: { count: 'some', placeholder: 'task', description: 'what to do; - reads it from standard input' },
  },
  options: { ...agentOptions, ...recordOption, ...scopeOption, ...skillOption, ...limitOptions },
  examples: [
    ['skills run "What is in report.pdf?" --model scripted', 'without a language model: what the skill that fits says'],
    [
      'skills run "Sum up notes.md" --model anthropic:claude-sonnet-4-5 --record sum.jsonl',
      'with the key in ANTHROPIC_API_KEY; --model recorded:sum.jsonl plays it again without',
    ],
    [
      'skills run "Sum up notes.md in summary.md" --allow "Write(*.md)" --sandbox required',
      'it may write these files, after a yes each; no script runs without a sandbox',
    ],
    [
      'skills run - --approve run_script --trust-project < task.txt',
      'in CI: scripts and the project’s skills are allowed',
    ],
  ],
  async run({ task, ...flags }, app) {
    const text = await readTask(task, app);
    const { words, signal, reporter } = app;
    const stream = openStream(app.streams(), reporter);
    const wait = followModel(reporter);
    const follow = followAgent(reporter, words);
    await using agent = await app.openAgent(flags, {
      onEvent: (event) => {
        wait(event);
        stream?.before(event);
        follow(event);
      },
    });
    const summary = await workToAnswer(agent, { request: text, person: await app.person(), signal, stream });
    const shown = stream?.end(summary.requests.at(-1)?.answer?.text);
    return await endOfRun({ summary, agent, words, signal, shown }, reporter);
  },
});
