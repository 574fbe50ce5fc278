import { quoted } from '../errors/quoted.js';
import { makeTool, type DefineToolPorts } from './make-tool.js';
import { ofRegistry } from './of-registry.js';
import { plainInput } from './plain-input.js';
import { excerptOutput, skillOutput } from './skill-output.js';
import type { SkillToolSession } from './skill-tool-session.js';
import type { Tool } from './tool.js';

/** The tools that read a file of a skill that is active, by what the presets call them. */
export const readFileToolNames = ['read_skill_file', 'SkillFile'] as const;

/** A tool that reads a file of a skill that is active, or a part of it. */
export function readFileTool(
  session: SkillToolSession,
  ports: DefineToolPorts,
  { name }: { readonly name: (typeof readFileToolNames)[number] },
): Tool {
  return makeTool(
    {
      name,
      description:
        'Reads a file of a skill that you have loaded, or the rest of its SKILL.md: all of it, the section below a heading, or from a line on. Call it when the instructions name the file and the step at hand needs it.',
      ...plainInput({
        skill_name: { kind: 'text', most: 500 },
        path: { kind: 'text', most: 4_096 },
        section: { kind: 'text', most: 1_000, optional: true },
        from_line: { kind: 'count', optional: true },
      }),
      risk: 'low',
      run: async ({ skill_name: skill, path, section, from_line: fromLine }, { signal }) => {
        const { entry, excerpt, text } = await ofRegistry(
          `The file ${quoted(path)} of the skill ${quoted(skill, 100)}`,
          async () => session.readFile({ skill, path, section, fromLine }, { signal }),
        );
        return {
          content: text,
          contentForUser: `The file ${quoted(excerpt.path)} of the skill ${quoted(entry.name)} was read.`,
          output: { ...skillOutput(entry), ...excerptOutput(excerpt), success: true },
        };
      },
    },
    ports,
  );
}
