import { reportInvisible } from './clean-text.js';
import { decodeSkill } from './decode-skill.js';
import { DiagnosticLog } from './diagnostic-log.js';
import { reportAngleBrackets } from './angle-brackets.js';
import { readBody } from './read-body.js';
import { readFields } from './read-fields.js';
import { readYamlRepaired } from './repair-yaml.js';
import type { YamlText } from './read-yaml.js';
import type { Skill, SkillHead, SkillProfile } from './skill.js';
import type { SkillDiagnostic } from './skill-diagnostic.js';
import { defaultSkillLimits, type SkillLimits } from './skill-limits.js';
import type { SkillRules } from './skill-rules.js';
import { splitFrontMatter, type SplitText } from './split-front-matter.js';
import { splitStrictly } from './split-strictly.js';

/** How a SKILL.md is read. */
export interface ParseSkillOptions {
  /** @default 'lenient' */
  readonly profile?: SkillProfile | undefined;
  /** The name of the folder that holds the file: a skill without a name gets it, and a name is compared with it. */
  readonly folder?: string | undefined;
  /** The name of the file. @default 'SKILL.md' */
  readonly fileName?: string | undefined;
  readonly rules?: SkillRules | undefined;
  /** Those that differ from {@link defaultSkillLimits}. */
  readonly limits?: Partial<SkillLimits> | undefined;
}

/** How the head of a SKILL.md is read. */
export interface ParseSkillHeadOptions extends ParseSkillOptions {
  /**
   * Whether `source` is only the beginning of the file. It has to reach past the front matter: a little more than
   * {@link SkillLimits.frontMatterBytes} always does. @default false
   */
  readonly partial?: boolean | undefined;
}

/** What came of reading a SKILL.md, or its head. `refused` has at least one diagnostic that is an `error`, `skill` has none. */
export type SkillParse<Read extends SkillHead = Skill> =
  | { readonly kind: 'skill'; readonly skill: Read; readonly diagnostics: readonly SkillDiagnostic[] }
  | { readonly kind: 'refused'; readonly diagnostics: readonly SkillDiagnostic[] };

const forbidden =
  // eslint-disable-next-line no-control-regex -- finding control characters is what it is for
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFEFF\uFFFE\uFFFF]|\p{Surrogate}/u;

/**
 * Reads a SKILL.md. Never throws and never executes anything, whatever the text is, and takes time linear in its length.
 *
 * `lenient`, the default, repairs what real files need, each repair with a diagnostic. `strict` refuses whatever the
 * specification does not allow; see docs/skill-format.md for every diagnostic of either.
 *
 * @param source the text, or the bytes of the file.
 * @example
 * ```ts
 * const parse = parseSkill(text, { folder: 'pdf' });
 * if (parse.kind === 'skill') console.log(parse.skill.name, parse.skill.description);
 * else for (const { line, message, fix } of parse.diagnostics) console.error(`${line}: ${message} ${fix}`);
 * ```
 */
export function parseSkill(source: string | Uint8Array, options: ParseSkillOptions = {}): SkillParse {
  const log = new DiagnosticLog(options.profile ?? 'lenient');
  const head = readHead(source, { ...options, partial: false }, log);
  const body = head === undefined ? '' : readBody(head, log, options.rules ?? {});
  if (head?.skill === undefined || log.failed) return { kind: 'refused', diagnostics: log.diagnostics };
  return { kind: 'skill', skill: { ...head.skill, body }, diagnostics: log.diagnostics };
}

/**
 * Reads the front matter of a SKILL.md and nothing after it: for listings of many skills. Promises what
 * {@link parseSkill} promises.
 */
export function parseSkillHead(
  source: string | Uint8Array,
  options: ParseSkillHeadOptions = {},
): SkillParse<SkillHead> {
  const log = new DiagnosticLog(options.profile ?? 'lenient');
  const head = readHead(source, options, log);
  if (head?.skill === undefined || log.failed) return { kind: 'refused', diagnostics: log.diagnostics };
  return { kind: 'skill', skill: head.skill, diagnostics: log.diagnostics };
}

interface ReadHead {
  readonly text: string;
  readonly split: SplitText;
  readonly skill: SkillHead | undefined;
}

function readHead(
  source: string | Uint8Array,
  options: ParseSkillHeadOptions,
  log: DiagnosticLog,
): ReadHead | undefined {
  const limits = { ...defaultSkillLimits, ...options.limits };
  const profile = options.profile ?? 'lenient';
  reportFileName(options.fileName, log);
  const decoded = decodeSkill(source, log, { limits, partial: options.partial ?? false });
  if (decoded === undefined) return undefined;
  const { text } = decoded;
  const split = profile === 'strict' ? splitStrictly(decoded, log, limits) : splitFrontMatter(text, log, limits);
  if (split === undefined) return undefined;
  const yaml = { text: text.slice(split.front.from, split.front.to), offset: split.front.from };
  reportForbidden(yaml, log);
  reportInvisible(text, split.front, log);
  const read = readYamlRepaired(yaml, log, limits);
  if (read.kind !== 'fields') return { text, split, skill: undefined };
  if (options.rules?.noAngleBrackets === true) reportAngleBrackets(read.fields, log);
  const bodyLine = log.position(split.body).line;
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
