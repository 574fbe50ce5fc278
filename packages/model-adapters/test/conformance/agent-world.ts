import { createHash } from 'node:crypto';
import {
  type AgentPorts,
  createMemoryJournal,
  createSkillRegistry,
  defineTool,
  memorySkills,
  type ModelAdapter,
  type Sha256,
} from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import * as z from 'zod/mini';

const sha256: Sha256 = (data) =>
  // The form of a digest is what this line builds.
  `sha256:${createHash('sha256').update(data).digest('hex')}` as ReturnType<Sha256>;

const skill = `---
name: pdf
description: Counts the pages of PDF files.
---
Read references/counting.md, then call count_pages. Body-1a.
`;

/** Everything an agent needs but a model: a skill with a resource, and a tool. */
export function agentWorld(model: ModelAdapter): AgentPorts {
  const clock = fakeClock();
  const files = {
    'pdf/SKILL.md': skill,
    'pdf/references/counting.md': '# Counting\n\nPages begin at 1. Resource-2b.\n',
  };
  const countPages = defineTool(
    {
      name: 'count_pages',
      description: 'Counts the pages of a PDF file.',
      input: z.object({ file: z.string() }),
      risk: 'low',
      run: ({ file }) => ({ content: `${file} has 3 pages. Tool-3c.` }),
    },
    { clock },
  );
  return {
    model,
    clock,
    sha256,
    journal: createMemoryJournal(sha256),
    registry: createSkillRegistry(memorySkills(files), { sha256 }),
    tools: [countPages],
  };
}

/** What a model decides there, one turn after the other. */
export const decisions: readonly string[] = [
  { kind: 'select_skills', skills: [{ name: 'pdf' }], reason: 'It counts pages.' },
  { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'references/counting.md' },
  { kind: 'call_tool', tool: 'count_pages', input: { file: 'über.pdf' } },
  { kind: 'final_answer', content: 'It has 3 pages – 三ページ.' },
].map((action) => JSON.stringify({ action }));

/** What a model has to be told before each of these decisions. */
export const toldBefore: readonly (readonly string[])[] = [
  ['Counts the pages of PDF files.', 'count_pages', 'How many pages has über.pdf?'],
  ['Body-1a.'],
  ['Body-1a.', 'Resource-2b.'],
  ['Body-1a.', 'Resource-2b.', 'Tool-3c.'],
];
