import { agentOptions, laterLimitOptions, recordOption, scopeOption } from '../agent/agent-options.js';
import { answeredBefore, endOfRun } from '../agent/end-of-run.js';
import { limitsOf } from '../agent/limits-of.js';
import { readRun } from '../agent/read-run.js';
import { refuseForeignRun } from '../agent/refuse-foreign-run.js';
import { refuseFullRequest } from '../agent/refuse-full-request.js';
import { replyToQuestion } from '../agent/reply-to-question.js';
import { notCutOff } from '../agent/take-up.js';
import { workToAnswer } from '../agent/work-to-answer.js';
import { defineCommand } from '../frame/command.js';
import { followRun } from '../render/follow-run.js';
import { followModel } from '../render/follow-model.js';
import { openStream } from '../render/stream-answer.js';

export const runsResume = defineCommand({
  description:
    'Goes on with a run that was cut off, after its last complete step, that waits for an answer or a yes of yours, or that ended at a limit, without a model or at Ctrl-C. Limits are those of the whole request: what it took before counts. Where it needs a yes and nobody can be asked, it stays open. What may ' +
    'have taken effect is not done again by itself. The project has to be trusted: its records say what was approved.',
  arguments: {
    run: { count: 'one', placeholder: 'run', description: 'its id, the beginning of it, or last' },
    answer: { count: 'any', placeholder: 'answer', description: 'what you say to the question that it ended with' },
  },
  options: {
    ...agentOptions,
    model: { ...agentOptions.model, description: 'another model than it was begun with' },
    ...recordOption,
    ...scopeOption,
    ...laterLimitOptions,
  },
  examples: [
    ['skills runs resume last', 'the newest one'],
    ['skills runs resume last "The third page"', 'one that asked something'],
    ['skills runs resume last --max-turns 24', 'one that ended at its limit of model calls'],
  ],
  async run({ run: reference, answer, ...flags }, app) {
    const runs = await app.runs(flags);
    const { id, events, cutOff } = await readRun(reference, runs, app.words);
    if (!cutOff) throw notCutOff(id, { finished: events.at(-1)?.type === 'run_finished', words: app.words });
    refuseForeignRun({ id, events }, runs, app.words);
    refuseFullRequest({ id, events, limits: limitsOf(flags, {}), words: app.words });
    const request = await replyToQuestion({ id, events }, answer, app);
    const { words, signal, reporter } = app;
    const stream = openStream(app.streams(), reporter);
    const wait = followModel(reporter);
    const follow = followRun(reporter, events);
    await using agent = await app.openAgent(flags, {
      resume: id,
      onEvent: (event) => {
        wait(event);
        stream?.before(event);
        follow(event);
      },
    });
    const summary = await workToAnswer(agent, { request, person: await app.person(), signal, stream });
    const shown = stream?.end(summary.requests.at(-1)?.answer?.text);
    if (request === undefined && answeredBefore(events)) {
      app.reporter.step('Nothing of it was open: its last request had been answered before, as follows.');
    }
    return await endOfRun({ summary, agent, words, signal, shown }, reporter);
  },
});
