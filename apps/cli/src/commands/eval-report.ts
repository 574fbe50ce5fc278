import { casesOption, gateOptions, reporterOption } from '../evals/eval-options.js';
import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';

export const evalReport = defineCommand({
  description:
    'Makes reports of results that are there: nothing is run. Exit code 1 where they failed, or are worse than a baseline.',
  arguments: {
    dir: {
      count: 'one',
      placeholder: 'dir',
      description: 'a folder that skills eval or eval merge wrote, or a results.jsonl',
    },
  },
  options: {
    ...gateOptions,
    ...casesOption,
    ...reporterOption,
  },
  examples: [
    ['skills eval report .agents/evals --reporter html=report.html', 'one page that opens without a network'],
    [
      'skills eval report evals-out --reporter skill-creator=workspace --cases ./pdf',
      'for the viewer of skill-creator',
    ],
  ],
  async run(flags, app) {
    const { reportEvals } = await import('../evals/report-evals.js');
    const { renderEvalData } = await import('../render/render-eval-data.js');
    const data = await reportEvals(flags, app.cwd);
    return answer(data, (shown, style) => renderEvalData(shown, style, { console: true }), {
      no: data.verdict.kind !== 'passed',
      wanted: true,
    });
  },
});
