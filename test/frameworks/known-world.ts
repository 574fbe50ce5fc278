import { createSkillRegistry, defineTool, memorySkills, type SkillRegistry, type Tool } from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { sha256 } from '@skillpack/registry-fs';
import * as z from 'zod/mini';

export const clock = fakeClock();
export const ports = { sha256, clock };

export function makeRegistry(): SkillRegistry {
  const text = '---\nname: pdf\ndescription: Reads PDF files.\nallowed-tools: extract\n---\nRead one page at a time.\n';
  return createSkillRegistry(memorySkills({ 'pdf/SKILL.md': text }), { sha256 });
}

/** A tool that needs a yes where permissions ask about it, with what it did. */
export function makeExtract(did: string[]): Tool {
  return defineTool(
    {
      name: 'extract',
      description: 'Extracts the text of a file.',
      input: z.object({ file: z.string() }),
      risk: 'low',
      run: ({ file }) => {
        did.push(file);
        return { content: `Text of ${file}.`, contentForUser: 'For you alone.' };
      },
    },
    { clock },
  );
}

/** What the model does, turn by turn: it reads the skill, uses its tool, and answers. */
export const turns = [
  { kind: 'call', name: 'read_skill', input: '{"skill_name":"pdf"}' },
  { kind: 'call', name: 'extract', input: '{"file":"a.pdf"}' },
  { kind: 'text', text: 'Done.' },
] as const;
