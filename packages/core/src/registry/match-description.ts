import { escapeXml } from '../errors/escape-xml.js';
import type { SkillEntry } from './skill-entry.js';

const longest = 300;

/** What a skill that was found is for: the beginning of its description, on one line, in which nothing is markup. */
export function matchDescription({ head }: SkillEntry): string {
  const { description = '' } = head;
  if (description.length <= longest) return escapeXml(description);
  return `${escapeXml(description.slice(0, longest).replace(/[\uD800-\uDBFF]$/u, ''))}…`;
}
