import { join } from 'node:path';
import { newSkill } from '../author/new-skill.js';
import { writeNewFolder } from '../author/write-new-folder.js';
import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';

export const init = defineCommand({
  description:
    'Begins a skill in a folder of its name: a SKILL.md that passes `skills lint`, and for org/name the skillpack.json ' +
    'of a pack that can be published.',
  arguments: {
    name: { count: 'one', placeholder: 'name', description: 'release-notes, or org/release-notes for a pack' },
  },
  options: {
    description: { kind: 'value', placeholder: 'text', description: 'what the skill does, and when to use it' },
  },
  examples: [
    ['skills init release-notes', 'a skill'],
    ['skills init org/release-notes', 'a pack with one skill'],
  ],
  async run({ name, description }, app) {
    const skill = newSkill(name, { description });
    const folder = join(app.cwd, skill.name);
    await writeNewFolder(folder, skill.files);
    return answer(
      { name: skill.name, pack: skill.pack ?? null, folder, files: Object.keys(skill.files) },
      (data, style) =>
        [
          `Created ${style.bold(data.folder)} with ${data.files.join(' and ')}.`,
          `Next: write ${join(data.folder, 'SKILL.md')}, then run \`skills lint ${data.name}\`.`,
        ].join('\n'),
    );
  },
});
