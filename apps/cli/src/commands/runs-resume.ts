import { SkillsError, type RunSummary } from '@skillpack/core';
import { agentOptions } from '../agent/agent-options.js';
import { shellLine } from '../agent/approving-command.js';
import { endOfRun } from '../agent/end-of-run.js';
import { keptOptions, placeOptions } from '../agent/kept-options.js';
import { readRun } from '../agent/read-run.js';
import { replyToQuestion } from '../agent/reply-to-question.js';
import { workToAnswer } from '../agent/work-to-answer.js';
import { defineCommand } from '../frame/command.js';
import { followRun } from '../render/follow-run.js';

export const runsResume = defineCommand({
  description:
    'Goes on with a run that was cut off, after its last complete step, or that waits for an answer of yours. What may ' +
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
    const { id, events, cutOff } = await readRun(reference, runs);
    if (!cutOff) throw notCutOff(id, { finished: events.at(-1)?.type === 'run_finished', words: app.words });
    const request = await replyToQuestion({ id, events }, answer, app);
    await using agent = await app.openAgent(flags, { resume: id, onEvent: followRun(app.reporter, events) });
    const summary = await workToAnswer(agent, { request, person: await app.person(), signal: app.signal });
    const words = askingAgain(summary, app.words);
    return endOfRun({ summary, folder: agent.record.folder, words, signal: app.signal }, app.reporter);
  },
});

/** The words that ask the last request anew, as a run of its own. */
function askingAgain({ requests, model }: RunSummary, words: readonly string[]): readonly string[] {
  const { text = '', skill } = requests.at(-1) ?? {};
  const preload = skill === undefined ? [] : ['--skill', skill];
  const options = [...preload, '--model', model, '--trust-project', ...keptOptions(words)];
  return text.startsWith('-') ? ['run', ...options, '--', text] : ['run', text, ...options];
}

/** Why it cannot go on. */
function notCutOff(
  id: string,
  { finished, words }: { readonly finished: boolean; readonly words: readonly string[] },
): SkillsError {
  const show = shellLine(['skills', 'runs', 'show', id, ...placeOptions(words)]);
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
