import { createHash } from 'node:crypto';
import {
  createSkillRegistry,
  defineTool,
  memorySkills,
  type Sha256,
  type SkillRegistry,
  type Tool,
} from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import * as z from 'zod/mini';

const sha256: Sha256 = (data) =>
  // The form of a digest is what this line builds.
  `sha256:${createHash('sha256').update(data).digest('hex')}` as ReturnType<Sha256>;

const clock = fakeClock();
export const ports = { sha256, clock };

export const pdfText = `---
name: pdf-extractor
description: Extracts the text of PDF files.
allowed-tools: read_page extract_pdf missing_tool
---
Read one page at a time.
`;
const dataText = `---
name: data-processor
description: Sums up tables.
allowed-tools: process_data read_page
---
Add the numbers.
`;

export const skillFiles: Readonly<Record<string, string>> = {
  'pdf-extractor/SKILL.md': pdfText,
  'data-processor/SKILL.md': dataText,
};

export function makeRegistry(files: Readonly<Record<string, string>> = skillFiles): SkillRegistry {
  return createSkillRegistry(memorySkills(files), { sha256 });
}

/** A tool that says what it was given, in two channels. */
export function makeTool(name: string, { risk = 'low', did = [] }: { risk?: Tool['risk']; did?: string[] } = {}): Tool {
  return defineTool(
    {
      name,
      description: `Does ${name}.`,
      input: z.object({ text: z.optional(z.string()) }),
      risk,
      run: ({ text = '' }) => {
        did.push(`${name} ${text}`.trim());
        return { content: `${name} did ${text}`.trim(), contentForUser: `For you: ${name}` };
      },
    },
    { clock },
  );
}
