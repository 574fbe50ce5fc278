import type { Skill } from './skill.js';

/** The step that a skill made from the template begins with, until somebody writes a real one. */
const firstStep = '1. Say what to do first, and with what.';

/** The SKILL.md of a skill that is to be written. What has to be replaced is found by {@link findPlaceholders}. */
export function skillTemplate(
  name: string,
  description: string = `Describe what ${name} does, and when an agent should use it.`,
): string {
  // A JSON string is a YAML scalar whatever stands in it.
  return `---
name: ${name}
description: ${JSON.stringify(description)}
---

# ${name}

${firstStep}
2. Say what a good result looks like, and how to check it.

Put programs the agent runs into \`scripts/\`, and texts it reads only when needed into \`references/\`.
`;
}

/** The parts of a skill that still are as {@link skillTemplate} made them. */
export function findPlaceholders({ description, body }: Skill): readonly ('description' | 'body')[] {
  const found: ('description' | 'body')[] = [];
  if (/^Describe what \S+ does, and when an agent should use it\.$/u.test(description ?? '')) found.push('description');
  if (body.includes(`\n${firstStep}\n`)) found.push('body');
  return found;
}
