import { markdownOutline } from '../../registry/markdown-outline.js';
import type { Heading } from '../../registry/skill-excerpt.js';
import type { SkillText } from '../../registry/skill-registry.js';
import { TextLines } from '../../registry/text-lines.js';

// A text is shown in many requests, and its outline is the same in each.
const outlines = new WeakMap<SkillText, readonly Heading[]>();

/** The headings of a body, by lines of its SKILL.md. */
export function skillOutline(text: SkillText): readonly Heading[] {
  let outline = outlines.get(text);
  if (outline === undefined) {
    outline = outlineOf(text);
    outlines.set(text, outline);
  }
  return outline;
}

function outlineOf({ skill }: SkillText): readonly Heading[] {
  // The line before the body keeps a rule at its beginning from being read as front matter.
  const lines = new TextLines(`\n${skill.body}`);
  const offset = skill.bodyLine - 2;
  return markdownOutline(lines).map((heading) => ({
    ...heading,
    line: heading.line + offset,
    endLine: heading.endLine + offset,
  }));
}
