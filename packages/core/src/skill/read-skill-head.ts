import { reportAngleBrackets } from './angle-brackets.js';
import { isSurelyVisible, reportInvisible } from './clean-text.js';
import { decodeSkill } from './decode-skill.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import type { ParseSkillHeadOptions } from './parse-skill-options.js';
import { readFields } from './read-fields.js';
import type { YamlFields, YamlText } from './read-yaml.js';
import type { SkillHead } from './skill.js';
import { defaultSkillLimits, type SkillLimits } from './skill-limits.js';
import { splitFrontMatter, type SplitText } from './split-front-matter.js';
import { splitStrictly } from './split-strictly.js';

/** The front matter of a SKILL.md, and where it stands in its text. `skill` is `undefined` when it cannot be used. */
export interface ReadSkillHead {
  readonly text: string;
  readonly split: SplitText;
  readonly skill: SkillHead | undefined;
}

/** Reads the YAML of a front matter. */
export type ReadYaml = (yaml: YamlText, log: DiagnosticLog, limits: SkillLimits) => YamlFields;

/** How the head of a SKILL.md is read. */
export interface ReadSkillHeadOptions extends ParseSkillHeadOptions {
  /** Whether the body is wanted too. */
  readonly body: boolean;
  readonly readYaml: ReadYaml;
}

const forbidden =
  // eslint-disable-next-line no-control-regex -- finding control characters is what it is for
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFEFF\uFFFE\uFFFF]|\p{Surrogate}/u;

/** Reads a SKILL.md up to its body; `undefined` when it has no front matter. */
export function readSkillHead(
  source: string | Uint8Array,
  options: ReadSkillHeadOptions,
  log: DiagnosticLog,
): ReadSkillHead | undefined {
  const limits = options.limits === undefined ? defaultSkillLimits : { ...defaultSkillLimits, ...options.limits };
  const profile = options.profile ?? 'lenient';
  reportFileName(options.fileName, log);
  const decoded = decodeSkill(source, log, { limits, partial: options.partial ?? false, head: !options.body });
  if (decoded === undefined) return undefined;
  const { text } = decoded;
  const split = profile === 'strict' ? splitStrictly(decoded, log, limits) : splitFrontMatter(text, log, limits);
  if (split === undefined) return undefined;
  const front = text.slice(split.front.from, split.front.to);
  const yaml = { text: front, offset: split.front.from, visible: isSurelyVisible(front) };
  if (!yaml.visible) {
    reportForbidden(yaml, log);
    reportInvisible(text, split.front, log);
  }
  const read = options.readYaml(yaml, log, limits);
  if (read.kind !== 'fields') return { text, split, skill: undefined };
  if (options.rules?.noAngleBrackets === true) reportAngleBrackets(read.fields, log);
  const bodyLine = lineOf(text, split.body);
  return { text, split, skill: readFields(read.fields, { profile, folder: options.folder, bodyLine }, log) };
}

function reportFileName(fileName: string | undefined, log: DiagnosticLog): void {
  if (fileName === undefined || fileName === 'SKILL.md') return;
  log.report('file-name', {
    at: { line: 1 },
    message: `The file is called ${fileName}.`,
    fix: 'It was read. Call it SKILL.md, which every tool finds.',
  });
}

/** Characters that YAML 1.2 (sections 5.1 and 5.2) does not allow inside a document, and that readers of it refuse. */
function reportForbidden({ text, offset }: YamlText, log: DiagnosticLog): void {
  const at = text.search(forbidden);
  if (at === -1) return;
  log.report('control-character', {
    at: { offset: offset + at },
    message: `The front matter holds the character ${text.charAt(at)}.`,
    fix: 'It was removed from all text. Delete it from the file.',
  });
}

/** The line of an offset, from 1. */
function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
