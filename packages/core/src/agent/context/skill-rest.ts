import { digestHex } from '../../digest/digest.js';
import { visibleLines } from '../../errors/visible-text.js';
import type { SkillText } from '../../registry/skill-registry.js';
import { TextLines } from '../../registry/text-lines.js';
import { SkillsError } from '../../errors/skills-error.js';
import { findHeading } from '../../registry/find-heading.js';
import type { Heading } from '../../registry/skill-excerpt.js';
import type { Activation } from '../activation.js';
import { cutText, headAndTail } from './cut-text.js';
import { escapeXml } from '../../errors/escape-xml.js';
import { fittingCount } from './fitting-count.js';
import { attributes, withoutPromptTags } from './prompt-tags.js';
import { skillOutline } from './skill-outline.js';
import { statedRules, type StatedRule } from './stated-rules.js';

/** A part of a skill that was read. */
export interface UsedPart {
  readonly path: string;
  readonly section: string | undefined;
}

const headingsShown = { fewest: 10, most: 60 };
const mostParts = 20;
const sectionLength = { head: 1200, tail: 300 };

/** What there is of a skill to stay. */
export interface RestParts {
  readonly text: SkillText | undefined;
  readonly used: readonly UsedPart[];
  /** Of the window. */
  readonly contextTokens: number;
  /** How its text, or a section of it, is had again, in a sentence. @default by the actions */
  readonly again?: string | undefined;
}

/**
 * What stays of a skill whose body was taken out of the conversation: where it comes from, its outline, the rules it
 * states as musts, the sections that were used, and how all of it is read again.
 */
export function renderSkillRest(activation: Activation, parts: RestParts): string {
  const { name, scope: source, pack, location: path, digest } = activation;
  const { text, used, again = againByActions(name) } = parts;
  const head = attributes({ name, source, pack, path, sha256: digestHex(digest) });
  const lines = [
    `<skill_rest${head}>`,
    ...(text === undefined ? [] : bodyParts(text, parts)),
    ...readBefore(used),
    `It is still active. ${again}`,
    '</skill_rest>',
  ];
  return lines.join('\n');
}

function againByActions(name: string): string {
  return `Select ${escapeXml(name)} again for its instructions, or load a section of its \`SKILL.md\`.`;
}

// A text is shown in many requests, and states the same rules in each.
const known = new WeakMap<SkillText, readonly StatedRule[]>();

function rulesOf(text: SkillText): readonly StatedRule[] {
  let rules = known.get(text);
  if (rules === undefined) {
    rules = statedRules(text.skill.body);
    known.set(text, rules);
  }
  return rules;
}

function bodyParts(text: SkillText, { used, contextTokens }: RestParts): readonly string[] {
  const outline = skillOutline(text);
  const { bodyLine } = text.skill;
  const headings = outline
    .slice(0, fittingCount(contextTokens, headingsShown))
    .map(({ level, title, line }) => `${'  '.repeat(level - 1)}- ${escapeXml(title)} (line ${line})`);
  const rules = rulesOf(text).map((rule) => `- ${withoutPromptTags(rule.text)} (line ${rule.line + bodyLine - 1})`);
  return [
    ...(headings.length === 0 ? [] : ['Outline:', ...headings]),
    ...(rules.length === 0 ? [] : ['Rules it states, which hold:', ...rules]),
    ...usedSections(text, outline, used),
  ];
}

/** The sections of the body that were asked for by name, shortened. */
function usedSections({ skill }: SkillText, outline: readonly Heading[], used: readonly UsedPart[]): readonly string[] {
  const lines = new TextLines(skill.body);
  const wanted = used.filter(({ path }) => path === 'SKILL.md').flatMap(({ section }) => section ?? []);
  const found = wanted.slice(-mostParts).flatMap((section) => headingOf(outline, section) ?? []);
  return [...new Set(found)].map(({ line, endLine }) => {
    const offset = skill.bodyLine - 1;
    const text = skill.body.slice(lines.start(line - offset), lines.start(endLine - offset + 1)).trim();
    return `A section you used:\n${withoutPromptTags(visibleLines(headAndTail(text, sectionLength)))}`;
  });
}

function headingOf(outline: readonly Heading[], section: string): Heading | undefined {
  try {
    return findHeading(outline, section, 'SKILL.md');
  } catch (error) {
    // The answer to the action said so; here it is only left out.
    if (SkillsError.is(error, 'SECTION_NOT_FOUND')) return undefined;
    throw error;
  }
}

function readBefore(used: readonly UsedPart[]): readonly string[] {
  const names = used
    .filter(({ path, section }) => path !== 'SKILL.md' || section === undefined)
    .map(({ path, section }) => escapeXml(cutText(section === undefined ? path : `${path} “${section}”`, 200)));
  const distinct = [...new Set(names)];
  if (distinct.length === 0) return [];
  const more = distinct.length > mostParts ? `; and ${distinct.length - mostParts} more` : '';
  return [`You read before, and can load again: ${distinct.slice(-mostParts).join('; ')}${more}.`];
}
