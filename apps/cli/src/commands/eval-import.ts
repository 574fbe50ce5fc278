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
    skill: {
      kind: 'value',
      placeholder: 'name',
      description:
        'the skill that the cases are about, where the file does not say so (default: in whose evals/ it lies)',
    },
    name: {
      kind: 'value',
      placeholder: 'name',
      description: 'what the suite is called (default: as the file says, or as the skill and the file are called)',
    },
    out: {
      kind: 'value',
      placeholder: 'file',
      description: 'the file to write; files of its cases that are no short text go beside it (default: it is printed)',
    },
    strict: { kind: 'flag', description: 'exit code 1 where something could not be taken over' },
  },
  examples: [
    ['skills eval import evals/evals.json --out evals/cases.yaml', 'and what was left out'],
    ['skills eval import promptfooconfig.yaml', 'prints the cases'],
    ['skills eval import queries.json --skill pdf --out pdf/evals/triggers.yaml', 'a list that names no skill'],
  ],
  async run({ file, format, skill, name, out, strict }, app) {
    const { importCases } = await import('../evals/import-cases.js');
    const { renderImportedCases, tellNotes } = await import('../render/render-converted-cases.js');
    const imported = await importCases({ file, format, skill, name, out }, app.cwd);
    tellNotes(imported.notes, app.reporter);
    return answer(imported, renderImportedCases, {
      no: strict && imported.notes.some(({ kind }) => kind === 'dropped'),
      wanted: true,
      keepLines: ['text'],
    });
  },
});
