import { cleanText, reportInvisible } from './clean-text.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import type { SkillRules } from './skill-rules.js';
import type { SplitText } from './split-front-matter.js';

const adviceLines = 500;

/** The body of a SKILL.md, cleaned. */
export function readBody(
  { text, split }: { readonly text: string; readonly split: SplitText },
  log: DiagnosticLog,
  rules: SkillRules,
): string {
  reportInvisible(text, { from: split.body, to: split.bodyEnd }, log);
  const body = cleanText(text.slice(split.body, split.bodyEnd));
  const at = { offset: split.body };
  const lines = countLines(body);
  if (lines === 0) {
    log.report('body-empty', {
      at,
      message: 'There is nothing after the front matter.',
      fix: 'Write what an agent should do.',
    });
  }
  if (rules.maxBodyLines !== undefined && lines > rules.maxBodyLines) {
    log.report('rule-body-lines', {
      at,
      message: `The body has ${lines} lines; the rule maxBodyLines allows ${rules.maxBodyLines}.`,
      fix: 'Move details into files beside SKILL.md, or change the rule.',
    });
  } else if (lines > adviceLines) {
    log.report('body-long', {
      at,
      message: `The body has ${lines} lines; the specification advises at most ${adviceLines}.`,
      fix: 'Move details into files beside SKILL.md, which are read only when needed.',
    });
  }
  return body;
}

/** Lines from the first to the last that is not blank. */
function countLines(text: string): number {
  const content = text.trim();
  if (content === '') return 0;
  let lines = 1;
  for (let at = content.indexOf('\n'); at !== -1; at = content.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
