import {
  caseOptions,
  evalOutOption,
  gateOptions,
  reporterOption,
  spendingOptions,
  trialOptions,
} from '../evals/eval-options.js';
import { defineCommand } from '../frame/command.js';
import { answer } from '../frame/answer.js';

export const evaluate = defineCommand({
  description:
    'Runs cases: does a skill come when it should, and does an agent work as it is expected to? Without --model it is ' +
    'free: queries are ranked by a search over all the skills, and cases that have a script are run with it. Cases lie ' +
    'in evals/ of a skill, or are named; those of other tools are read, too. Results are kept, so that only what is ' +
    'missing or has changed is run again. Exit code 1 where something failed, got worse, or could not be scored.',
  arguments: {
    paths: {
      count: 'any',
      placeholder: 'path',
      description: 'skills, folders of skills, or files of cases (default: the current folder)',
    },
  },
  options: {
    ...caseOptions,
    ...gateOptions,
    ...spendingOptions,
    ...trialOptions,
    ...evalOutOption,
    ...reporterOption,
  },
  examples: [
    ['skills eval', 'what costs nothing, of all skills below this folder'],
    [
      'skills eval ./pdf --model anthropic:claude-sonnet-4-5 --trials 5 --arms with,without --budget 2',
      'whether the skill helps, for two dollars at most',
    ],
    ['skills eval --model recorded:evals/recordings --baseline evals/baseline', 'in CI, without a provider'],
    ['skills eval --shard 1/4 --out shard-1', 'the first of four parts; skills eval merge shard-* puts them together'],
  ],
  async run(flags, app) {
    const { data, no, render, until } = await app.holdEvals(flags);
    return answer(data, render, { no, wanted: true, until });
  },
});
