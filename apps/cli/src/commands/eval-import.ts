import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';

export const evalImport = defineCommand({
  description:
    'Turns a file of cases of another tool into ours: evals.json of agentskills.io and of skill-creator, sets of ' +
    'triggers, tests of promptfoo, evalsets of the ADK. What could not be taken over, or not as it was, is told.',
  arguments: { file: { count: 'one', placeholder: 'file', description: 'the file of the other tool' } },
  options: {
    format: {
      kind: 'value',
      placeholder: 'name',
      description: 'its format, such as agentskills, waza, promptfoo, adk (default: what it looks like)',
    },
    out: { kind: 'value', placeholder: 'file', description: 'the file to write (default: it is printed)' },
    strict: { kind: 'flag', description: 'exit code 1 where something could not be taken over' },
  },
  examples: [
    ['skills eval import evals/evals.json --out evals/cases.yaml', 'and what was left out'],
    ['skills eval import promptfooconfig.yaml', 'prints the cases'],
  ],
  async run({ file, format, out, strict }, app) {
    const { importCases } = await import('../evals/import-cases.js');
    const { renderImportedCases, tellNotes } = await import('../render/render-converted-cases.js');
    const imported = await importCases({ file, format, out }, app.cwd);
    tellNotes(imported.notes, app.reporter);
    return answer(imported, renderImportedCases, {
      no: strict && imported.notes.some(({ kind }) => kind === 'dropped'),
      wanted: true,
      keepLines: ['text'],
    });
  },
});
