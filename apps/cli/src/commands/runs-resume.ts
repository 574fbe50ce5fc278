import { SkillsError } from '@skillpack/core';
import { agentOptions } from '../agent/agent-options.js';
import { endOfRun } from '../agent/end-of-run.js';
import { readRun } from '../agent/read-run.js';
import { replyToQuestion } from '../agent/reply-to-question.js';
import { showCommand } from '../agent/resume-command.js';
import { waitsForYes } from '../agent/waits-for-yes.js';
import { workToAnswer } from '../agent/work-to-answer.js';
import { defineCommand } from '../frame/command.js';
import { followRun } from '../render/follow-run.js';

export const runsResume = defineCommand({
  description:
    'Goes on with a run that was cut off, after its last complete step, or that waits for an answer of yours. Where it needs a yes and nobody can be asked, it stays as it is. What may ' +
    'have taken effect is not done again by itself. The project has to be trusted: its records say what was approved.',
  arguments: {
    run: { count: 'one', placeholder: 'run', description: 'its id, the beginning of it, or last' },
    answer: { count: 'any', placeholder: 'answer', description: 'what you say to the question that it ended with' },
  },
  options: { ...agentOptions, model: { ...agentOptions.model, description: 'another model than it was begun with' } },
  examples: [
    ['skills runs resume last', 'the newest one'],
    ['skills runs resume last "The third page"', 'one that asked something'],
  ],
  async run({ run: reference, answer, ...flags }, app) {
    const runs = await app.runs(flags);
    const { id, events, folder, cutOff } = await readRun(reference, runs, app.words);
    if (!cutOff) throw notCutOff(id, { finished: events.at(-1)?.type === 'run_finished', words: app.words });
    const request = await replyToQuestion({ id, events }, answer, app);
    const { promise: left, reject } = Promise.withResolvers<never>();
    await using agent = await app.openAgent(flags, {
      resume: id,
      onEvent: followRun(app.reporter, events),
      leave: (asked) => reject(waitsForYes(asked, { run: id, folder, words: app.words })),
    });
    const work = { request, person: await app.person(), signal: app.signal, left };
    const summary = await workToAnswer(agent, work);
    return endOfRun({ summary, folder, words: app.words, signal: app.signal }, app.reporter);
  },
});

/** Why it cannot go on. */
function notCutOff(
  id: string,
  { finished, words }: { readonly finished: boolean; readonly words: readonly string[] },
): SkillsError {
  const show = showCommand(id, words);
  const data = { run: id };
  if (finished) {
    return new SkillsError('USAGE', `The run ${id} has ended; nothing of it is open.`, {
      hint: `Its answer: ${show}`,
      data,
    });
  }
  return new SkillsError('BUSY', `Another process works on the run ${id}.`, {
    hint: `How far it is: ${show}. Wait until it has ended, or end it.`,
    data,
  });
}
