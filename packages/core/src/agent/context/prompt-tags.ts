import { escapeXml } from '../../errors/escape-xml.js';

// Every tag that the prompt uses for itself. What others wrote can neither open nor close one.
const reserved =
  /<(?=[\s/]*(?:available_skills|skill_body|skill_rest|skill_note|earlier_conversation|run_state|project_instructions|offered_tools)\b)/giu;

/** A text that somebody else wrote, in which no tag of the prompt begins or ends; nothing else of it is changed. */
export function withoutPromptTags(text: string): string {
  return text.replace(reserved, '&lt;');
}

/** The attributes of a tag, escaped; those without a value are left out. */
export function attributes(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('"', '&quot;')}"`)
    .join('');
}
