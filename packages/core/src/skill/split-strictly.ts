import type { DecodedSkill } from './decode-skill.js';
import { DiagnosticLog } from './diagnostic-log.js';
import type { SkillLimits } from './skill-limits.js';
import { splitFrontMatter, type SplitText } from './split-front-matter.js';

/**
 * Finds the front matter as the reference validator of the specification cuts it: from the `---` that the file begins
 * with to the next `---`, wherever that stands, be it inside a value. Where there is none, the lenient repairs say what
 * is wrong, as errors.
 */
export function splitStrictly(
  { text, carriageReturns }: DecodedSkill,
  log: DiagnosticLog,
  limits: SkillLimits,
): SplitText | undefined {
  const next = text.indexOf('---', 3);
  const language = /^---[ \t]*[A-Za-z][\w+.-]*[ \t]*(?:\n|$)/u.test(text);
  const tooLarge = next - 3 > limits.frontMatterBytes;
  if (!text.startsWith('---') || next === -1 || language || tooLarge) return splitFrontMatter(text, log, limits);
  if (carriageReturns && /^---[ \t]+\n/u.test(text)) {
    // A YAML parser that the reference validator rests on fails on white space before the first CRLF.
    log.report('delimiter-odd', {
      at: { line: 1 },
      message: 'White space follows the first ---, and lines end in CRLF.',
      fix: 'Remove the white space.',
    });
  }
  const byLine = splitFrontMatter(text, new DiagnosticLog('strict'), limits);
  const front = { from: 3, to: next };
  if (byLine?.front.to === next) return { ...byLine, front };
  log.report('delimiter-inside', {
    at: { offset: next },
    message: 'There is a --- that is no line of its own; the reference validator ends the front matter there.',
    fix: 'Write a dash (—) or fewer hyphens, and close the front matter with --- alone on a line.',
  });
  return byLine === undefined ? { front, body: next + 3, bodyEnd: text.length } : { ...byLine, front };
}
