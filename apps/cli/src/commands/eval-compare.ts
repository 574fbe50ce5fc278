import { maxLostOption } from '../evals/eval-options.js';
import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';

export const evalCompare = defineCommand({
  description:
    'Says whether results are better or worse than others, case by case: more so than chance explains. Where there are ' +
    'too few cases to say so, it says how many would do. Exit code 1 for worse, and where nothing can be compared.',
  arguments: {
    baseline: {
      count: 'one',
      placeholder: 'baseline',
      description: 'the earlier results: a folder, or a results.jsonl',
    },
    dir: { count: 'one', placeholder: 'dir', description: 'the later ones' },
  },
  options: {
    margin: {
      kind: 'number',
      placeholder: 'percent',
      least: 1,
      most: 99,
      description: 'a difference that does not matter (default: 5)',
    },
    ...maxLostOption,
  },
  examples: [['skills eval compare evals/baseline .agents/evals', 'what changed, and which skill was chosen instead']],
  async run(flags, app) {
    const { compareEvals } = await import('../evals/compare-evals.js');
    const { renderComparedEvals } = await import('../render/render-compared-evals.js');
    const compared = compareEvals(flags, app.cwd);
    return answer(compared, renderComparedEvals, {
      no: compared.verdict === 'worse' || compared.comparison?.compared === 0,
      wanted: true,
    });
  },
});
