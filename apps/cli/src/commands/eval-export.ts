import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';

export const evalExport = defineCommand({
  description:
    'Turns a file of cases into that of another tool: agentskills, skill-creator, trigger-list, promptfoo or adk. What ' +
    'that format cannot say is told.',
  arguments: { file: { count: 'one', placeholder: 'file', description: 'a file of cases, ours or of another tool' } },
  options: {
    to: {
      kind: 'choice',
      words: ['agentskills', 'skill-creator', 'trigger-list', 'promptfoo', 'adk'],
      description: 'the format (default: agentskills)',
    },
    out: { kind: 'value', placeholder: 'dir', description: 'the folder to write into (default: it is printed)' },
    strict: { kind: 'flag', description: 'exit code 1 where something cannot be said' },
  },
  examples: [['skills eval export evals/cases.yaml --to promptfoo --out promptfoo', 'with the files that cases name']],
  async run({ file, to = 'agentskills', out, strict }, app) {
    const { exportCases } = await import('../evals/export-cases.js');
    const { renderExportedCases, tellNotes } = await import('../render/render-converted-cases.js');
    const exported = await exportCases({ file, to, out }, app.cwd);
    tellNotes(exported.notes, app.reporter);
    return answer(exported, renderExportedCases, {
      no: strict && exported.notes.some(({ kind }) => kind === 'dropped'),
      wanted: true,
      keepLines: ['text'],
    });
  },
});
