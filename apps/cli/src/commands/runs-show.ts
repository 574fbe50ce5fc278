import { summariseRun } from '@skillpack/core';
import { runsDirOption } from '../agent/agent-options.js';
import { describeRun } from '../agent/describe-run.js';
import { readRun } from '../agent/read-run.js';
import { shownTerms } from '../agent/recorded-terms.js';
import { resumeCommand, waitsForAnswer, waitsForTool } from '../agent/resume-command.js';
import { staysOpen } from '../agent/stays-open.js';
import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { renderRun } from '../render/render-run.js';

export const runsShow = defineCommand({
  description:
    'Shows a recorded run: what was asked, each step, what was allowed and approved, what confined its scripts, the answer, and what it took.',
  arguments: { run: { count: 'one', placeholder: 'run', description: 'its id, the beginning of it, or last' } },
  options: runsDirOption,
  examples: [
    ['skills runs show last', 'the newest one'],
    ['skills runs show 2026-11-22T08 --json', 'its run.json for a program, by the beginning of its id'],
  ],
  async run({ run, runsDir }, app) {
    const runs = await app.runs({ runsDir });
    const stored = await readRun(run, runs, app.words);
    const { events, folder, cutOff, summaryProblem, ...record } = stored;
    if (summaryProblem !== undefined)
      app.reporter.warn(`${summaryProblem.message} Nothing is taken from it; it can be removed.`);
    const summary = summariseRun(events);
    const torn = record.torn !== undefined;
    const { id, status } = summary;
    const { limits, model, requests } = summary;
    const stop = requests.at(-1)?.answer?.stop ?? null;
    const unfinished = { id, status, stop, limits, model, waitsFor: waitsForTool(summary) };
    const place = { words: app.words, trusted: runs.trusted };
    const state = waitsForAnswer(unfinished)
      ? 'it waits for an answer'
      : stop === 'approval_required'
        ? 'it waits for a yes'
        : staysOpen(stop)
          ? `not finished: ${stop}`
          : 'cut off';
    const goOn = cutOff ? { state, command: resumeCommand(unfinished, place) } : null;
    const terms = await shownTerms(stored);
    const shown = { summary, goOn, torn, folder, terms, story: describeRun(events, { cutOff }) };
    return { ...answer(shown, renderRun, { keepLines: ['text'] }), data: { ...summary, ...terms, cutOff, torn } };
  },
});
