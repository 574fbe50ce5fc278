import { casesOption, evalOutOption, gateOptions, reporterOption } from '../evals/eval-options.js';
import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';

export const evalMerge = defineCommand({
  description:
    'Makes one run of the parts that skills eval --shard wrote on several machines, and judges the whole. A part that ' +
    'is missing, there twice, of another run or not finished is refused: what is not there cannot have passed.',
  arguments: { dirs: { count: 'some', placeholder: 'dir', description: 'the folders of all parts' } },
  options: { ...gateOptions, ...casesOption, ...evalOutOption, ...reporterOption },
  examples: [
    ['skills eval merge shard-1 shard-2 --out evals-out', 'exit code 4 if a part is missing'],
    ['skills eval merge shard-* --baseline evals/baseline --reporter console,html,markdown', 'with reports and a gate'],
  ],
  async run(flags, app) {
    const { mergeEvals } = await import('../evals/merge-evals.js');
    const { renderEvalData } = await import('../render/render-eval-data.js');
    const data = await mergeEvals(flags, await app.skillPlaces());
    return answer(data, (shown, style) => renderEvalData(shown, style, { console: true }), {
      no: data.verdict.kind !== 'passed',
      wanted: true,
    });
  },
});
