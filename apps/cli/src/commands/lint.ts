import { lintSkills } from '../author/lint-skills.js';
import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { renderLintReport } from '../render/render-lint-report.js';

export const lint = defineCommand({
  description:
    'Checks skills: what would be repaired when they are read, and advice about how they are written. ' +
    'Exit code 1 when one has an error.',
  arguments: {
    paths: { count: 'some', placeholder: 'path', description: 'a skill’s folder, its SKILL.md, or a folder of skills' },
  },
  options: {
    strict: { kind: 'flag', description: 'hold them to the letter of the specification (agentskills.io)' },
    noAngleBrackets: { kind: 'flag', description: 'refuse < and > in front matter' },
  },
  examples: [
    ['skills lint ./my-skill', 'one skill'],
    ['skills lint --strict ./skills', 'every skill below a folder'],
  ],
  async run({ paths, strict, noAngleBrackets }, app) {
    const profile = strict ? 'strict' : 'lenient';
    const report = await lintSkills(paths, { from: app.cwd, profile, noAngleBrackets });
    return answer(report, renderLintReport, { no: !report.ok });
  },
});
