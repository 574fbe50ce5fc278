import { skillScopes } from '@skillpack/core/listing';
import { scanSkillRoots } from '@skillpack/registry-fs';
import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { renderSkillList } from '../render/render-skill-list.js';
import { listSkills } from '../skills/list-skills.js';
import { warnOfRoots } from '../skills/warn-of-roots.js';

export const list = defineCommand({
  description:
    'Shows the skills of every scope and which one a name means: the project’s before those of SKILLS_DIRS (“other”), ' +
    'before your own (“user”), before those that come with this command (“builtin”).',
  arguments: {},
  options: {
    source: { kind: 'choice', words: skillScopes, description: 'let the skills of this scope win' },
    scope: { kind: 'choice', words: skillScopes, description: 'show this scope alone' },
    root: { kind: 'value', placeholder: 'dir', description: 'show this folder of skills alone' },
  },
  examples: [
    ['skills list', 'what is here, and what shadows what'],
    ['skills list --source user', 'as it would be if your own skills won'],
  ],
  async run({ source, scope, root }, app) {
    const places = await app.skillPlaces();
    const roots = await app.skillRoots(places, { scope, root });
    const scan = await scanSkillRoots(roots, app.scanPorts(places), { source, signal: app.signal });
    await warnOfRoots(scan.roots, app.reporter);
    for (const { path, message } of scan.ignored) app.reporter.warn(`${path}: ${message}`);
    const skills = listSkills(scan);
    return {
      ...answer(skills, renderSkillList),
      // What identifies them all takes as long as finding them, and only programs are told.
      get data() {
        return { ...skills, indexHash: scan.indexHash };
      },
    };
  },
});
