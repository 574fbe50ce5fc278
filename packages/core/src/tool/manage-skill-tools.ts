import { matchDescription } from '../registry/match-description.js';
import { escapeXml } from '../errors/escape-xml.js';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import type { SkillMatch } from '../registry/skill-registry.js';
import { findSkill } from './find-skill.js';
import { makeTool, type DefineToolPorts } from './make-tool.js';
import { plainInput } from './plain-input.js';
import { skillOutput } from './skill-output.js';
import type { SkillToolSession } from './skill-tool-session.js';
import type { Tool } from './tool.js';

const mostFound = 10;
const name = { kind: 'text', most: 500 } as const;

/** Tools that find skills and switch them off and on, for one session. */
export function manageSkillTools(session: SkillToolSession, ports: DefineToolPorts): readonly Tool[] {
  return [searchSkillsTool(session, ports), disableSkillTool(session, ports), enableSkillTool(session, ports)];
}

function searchSkillsTool({ view }: SkillToolSession, ports: DefineToolPorts): Tool {
  return makeTool(
    {
      name: 'search_skills',
      description:
        'Finds skills by name, description or path, the best first. Call it when no skill that you know of fits the task.',
      ...plainInput({ query: { kind: 'text', most: 2_000 } }),
      risk: 'low',
      run: async ({ query }, { signal }) => {
        const { skills } = await view.index({ signal });
        // Those that no model may call are left out of what was found, and must not take the place of others.
        const limit = mostFound + skills.filter(({ head }) => !head.modelInvocable).length;
        const found = (await view.search(query, { limit, signal }))
          .filter(({ entry }) => entry.head.modelInvocable)
          .slice(0, mostFound);
        return {
          content: found.length === 0 ? `No skill fits ${quoted(query)}.` : found.map(describeMatch).join('\n'),
          contentForUser: `${found.length === 1 ? '1 skill fits' : `${found.length} skills fit`} ${quoted(query)}.`,
          output: {
            success: true,
            skills: found.map(({ entry, matched }) => ({ ...skillOutput(entry), matched })),
          },
        };
      },
    },
    ports,
  );
}

function describeMatch({ entry }: SkillMatch): string {
  return `- ${escapeXml(entry.name)}: ${matchDescription(entry)} (${escapeXml(entry.location)})`;
}

function disableSkillTool({ view }: SkillToolSession, ports: DefineToolPorts): Tool {
  return makeTool(
    {
      name: 'disable_skill',
      description:
        'Switches a skill off for this session: it is listed, found and read no more. No file is changed. enable_skill switches it on again.',
      ...plainInput({
        skill_name: { ...name, optional: true },
        skill_path: { kind: 'text', most: 4_096, optional: true },
        reason: { kind: 'text', least: 0, most: 2_000, optional: true },
      }),
      risk: 'low',
      run: async ({ reason, ...wanted }, { signal }) => {
        const entry = await findSkill(view, wanted, { signal });
        await view.disable(entry.name, { reason, by: 'model' });
        const done = `The skill ${quoted(entry.name)} is switched off for this session.`;
        return { content: done, contentForUser: done, output: { ...skillOutput(entry), success: true } };
      },
    },
    ports,
  );
}

function enableSkillTool({ view }: SkillToolSession, ports: DefineToolPorts): Tool {
  return makeTool(
    {
      name: 'enable_skill',
      description: 'Switches a skill on again that disable_skill switched off in this session.',
      ...plainInput({ skill_name: name }),
      risk: 'low',
      run: async ({ skill_name: wanted }) => {
        const entry = await view.enable(wanted, { by: 'model' });
        if (entry === undefined) {
          const names = view.disabled().flatMap((skill) => (skill.by === 'model' ? [quoted(skill.name, 100)] : []));
          throw new SkillsError('SKILL_NOT_FOUND', `The skill ${quoted(wanted, 100)} is not switched off.`, {
            hint: names.length === 0 ? 'No skill is that you may switch on.' : `You switched off ${names.join(', ')}.`,
          });
        }
        const done = `The skill ${quoted(entry.name)} is switched on again.`;
        return { content: done, contentForUser: done, output: { ...skillOutput(entry), success: true } };
      },
    },
    ports,
  );
}
