import { parsePackSpec, SkillsError, skillScopes } from '@skillpack/core';
import { scanSkillRoots } from '@skillpack/registry-fs';
import { answer } from '../frame/answer.js';
import { defineCommand, offlineOption, registryOption } from '../frame/command.js';
import { renderInspection } from '../render/render-inspection.js';
import { inspectPack } from '../skills/inspect-pack.js';
import { findSkill, inspectSkill, noSuchSkill } from '../skills/inspect-skill.js';
import { warnOfRoots } from '../skills/warn-of-roots.js';

export const inspect = defineCommand({
  description:
    'Shows one skill that is here (pdf, or org/pdf for that of one organisation), or else what a registry says of a ' +
    'pack (org/pdf, org/pdf@^1). The text of a skill is shown only with --body.',
  arguments: { subject: { count: 'one', placeholder: 'skill|spec', description: 'the name of a skill, or a pack' } },
  options: {
    body: { kind: 'flag', description: 'show the text of the skill too' },
    remote: { kind: 'flag', description: 'ask the registry, whatever is installed' },
    source: { kind: 'choice', words: skillScopes, description: 'let the skills of this scope win' },
    root: { kind: 'value', placeholder: 'dir', description: 'look in this folder of skills alone' },
    ...offlineOption,
    ...registryOption,
  },
  examples: [
    ['skills inspect pdf', 'an installed skill'],
    ['skills inspect pdf --body --source builtin', 'its text, of the one that comes with this command'],
    ['skills inspect org/pdf@beta', 'a version that a registry offers'],
  ],
  async run({ subject, body, remote, source, root, offline, registry }, app) {
    const settings = await app.settings({ registry, offline });
    const { signal } = app;
    const scan = await scanSkillRoots(await app.skillRoots(settings, { root }), performance, { source, signal });
    await warnOfRoots(scan.roots, app.reporter);
    const found = remote ? undefined : findSkill(scan, subject, source);
    if (found !== undefined) {
      return answer(await inspectSkill(found, scan, { body, signal }), renderInspection, { keepLines: ['body'] });
    }
    if (!subject.includes('/')) throw noSuchSkill(subject, scan);
    const spec = parsePackSpec(subject);
    if (spec.kind !== 'registry') {
      throw new SkillsError('USAGE', `“${subject}” is neither the name of a skill nor a pack of a registry.`, {
        hint: 'For an archive use `skills verify`, for a folder `skills lint`.',
      });
    }
    if (body) throw new SkillsError('USAGE', `${subject} is not installed, so it has no text to show.`);
    const { registryFor } = await app.ports(settings);
    return answer(await inspectPack(spec, registryFor(spec.name), { signal }), renderInspection);
  },
});
