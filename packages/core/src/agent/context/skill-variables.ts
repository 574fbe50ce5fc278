import { visibleText } from '../../errors/visible-text.js';
import type { SkillText } from '../../registry/skill-registry.js';

/** What the variables of a body stand for. */
export interface SkillVariables {
  /** The skill's folder, absolute. */
  readonly folder: string;
  /** What a person wrote behind the name of the skill; `undefined` where no person called it. */
  readonly words: string | undefined;
}

// What a skill can make of one text by naming a variable often.
const mostInserted = 64 * 1024;

/**
 * A part of a body with its variables replaced, in one pass, so that nothing is replaced in what was put in: `{baseDir}`
 * and `${CLAUDE_SKILL_DIR}` by the folder; where a person called the skill, `$ARGUMENTS` by their words, and `$1` to `$9`
 * by one of them each. These last only in a skill that takes arguments, by `argument-hint` or `$ARGUMENTS`: in all others
 * they belong to a script. What would add more than 64 Ki characters stays as it is written.
 */
export function replaceVariables(part: string, { skill }: SkillText, { folder, words }: SkillVariables): string {
  const shownFolder = visibleText(folder);
  const takesWords = 'argument-hint' in skill.frontMatter || skill.body.includes('$ARGUMENTS');
  const single = takesWords && words !== undefined ? splitWords(words) : undefined;
  let left = mostInserted;
  const insert = (variable: string, value: string | undefined): string => {
    if (value === undefined || value.length > left) return variable;
    left -= value.length;
    return value;
  };
  return part.replace(
    /(?<!\$)\{baseDir\}|\$\{CLAUDE_SKILL_DIR\}|\$ARGUMENTS\b|\$[1-9](?!\d)/gu,
    (variable: string): string => {
      if (variable.endsWith('}')) return insert(variable, shownFolder);
      if (variable === '$ARGUMENTS') return insert(variable, words);
      return insert(variable, single === undefined ? undefined : (single[Number(variable.slice(1)) - 1] ?? ''));
    },
  );
}

/** The words of a line; those in quotation marks are one. */
function splitWords(line: string): readonly string[] {
  return [...line.slice(0, mostInserted).matchAll(/"([^"]*)"|'([^']*)'|\S+/gu)].map(
    ([word, double, single]) => double ?? single ?? word,
  );
}
