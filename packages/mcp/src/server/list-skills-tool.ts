import {
  defineTool,
  visibleText,
  type DefineToolPorts,
  type SkillEntry,
  type SkillIndex,
  type Tool,
} from '@skillpack/core';
import * as z from 'zod/mini';

const pageSize = 100;
const longestDescription = 300;

/** A tool that lists the skills a model may have, by name: for clients that show no catalogue of them. */
export function listSkillsTool({ skills }: SkillIndex, ports: DefineToolPorts): Tool {
  return defineTool(
    {
      name: 'list_skills',
      description:
        'Lists the skills that there are, with what each is for. Call it before you begin a task, and read_skill for one that fits.',
      input: z.object({ after: z.optional(z.string().check(z.minLength(1), z.maxLength(500))) }),
      risk: 'low',
      run: ({ after }) => {
        const offered = skills.filter(({ head }) => head.modelInvocable);
        const rest = after === undefined ? offered : offered.filter(({ name }) => name > after);
        const page = rest.slice(0, pageSize);
        const last = page.at(-1);
        const more = last !== undefined && rest.length > page.length;
        const lines = page.map((entry) => `- ${visibleText(entry.name)}: ${describe(entry)}`);
        if (more) lines.push(`${rest.length - page.length} more: call list_skills with after: ${last.name}`);
        return {
          content: lines.length === 0 ? 'There are no more skills.' : lines.join('\n'),
          output: {
            success: true,
            skills: page.map((entry) => ({ name: entry.name, description: describe(entry) })),
            ...(more ? { next: last.name } : {}),
          },
        };
      },
    },
    ports,
  );
}

function describe({ head }: SkillEntry): string {
  const text = visibleText(head.description ?? '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return text.length <= longestDescription ? text : `${text.slice(0, longestDescription - 1).toWellFormed()}…`;
}
