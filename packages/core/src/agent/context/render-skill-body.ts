import { visibleLines } from '../../errors/visible-text.js';
import { digestHex } from '../../digest/digest.js';
import type { SkillFile } from '../../registry/skill-backend.js';
import type { SkillEntry } from '../../registry/skill-entry.js';
import type { SkillText } from '../../registry/skill-registry.js';
import { TextLines } from '../../registry/text-lines.js';
import type { TokenPorts } from './catalogue.js';
import { escapeXml } from '../../errors/escape-xml.js';
import { attributes, withoutPromptTags } from './prompt-tags.js';
import { skillOutline } from './skill-outline.js';
import { replaceVariables } from './skill-variables.js';

/** A skill whose body was read. */
export interface SkillBody {
  readonly entry: SkillEntry;
  readonly text: SkillText;
  /** Its files, of which the paths are named. @default none is named */
  readonly files?: readonly SkillFile[] | undefined;
}

/** What reads the rest of a long body: the action, a tool for files of skills, or whatever takes paths. */
export type RestReader = 'action' | 'path' | { readonly tool: string };

/** How a body is shown. */
export interface RenderBodyOptions {
  /** What a person wrote behind the name of the skill. @default undefined, no person called it */
  readonly words?: string | undefined;
  /** Lines of a body that are shown at once. @default 500 */
  readonly maxLines?: number | undefined;
  /** Tokens of a body that are shown at once; of a long one with its outline and the names of files. @default 8000 */
  readonly maxTokens?: number | undefined;
  /** How the rest of a long body is read. @default by the action */
  readonly restBy?: RestReader | undefined;
}

/** A body, as a model reads it. */
export interface RenderedBody {
  readonly text: string;
  /** Lines of the body, and how many of them are in the text. */
  readonly lines: { readonly total: number; readonly shown: number };
  readonly truncated: boolean;
}

const closingTag = '</skill_body>';
const defaultMaxLines = 500;
const defaultMaxTokens = 8000;
const mostFiles = 40;
const shareOfNames = 1 / 8;
const shareOfOutline = 1 / 4;

/**
 * Renders the body of a skill for a model, in a tag that says where it comes from and that nothing in it can close. Its
 * folder stands in the place of `{baseDir}`. Of a long body the first page is shown, after an outline of all of it, and
 * how the rest is loaded. Of its other files only paths are named.
 */
export function renderSkillBody(
  { entry, text, files = [] }: SkillBody,
  ports: TokenPorts,
  options: RenderBodyOptions = {},
): RenderedBody {
  const maxTokens = options.maxTokens ?? defaultMaxTokens;
  const { page, outline } = pageAndOutline(text, ports, { maxTokens, maxLines: options.maxLines ?? defaultMaxLines });
  const { total, shown, truncated } = page;
  const variables = { folder: entry.location, words: options.words };
  const body = withoutPromptTags(visibleLines(replaceVariables(page.text, text, variables))).trim();
  const head = attributes({
    name: entry.name,
    source: entry.scope,
    pack: packOf(entry),
    path: entry.location,
    sha256: digestHex(text.digest),
    bytes: text.size,
    lines: total,
    truncated,
  });
  const parts = [
    `<skill_body${head}>`,
    outline,
    body,
    closingTag,
    ...(truncated ? [restOf(entry, text, { shown, by: options.restBy ?? 'action' })] : []),
    ...namesOf(files, ports, maxTokens * shareOfNames),
  ];
  return { text: parts.filter((part) => part !== '').join('\n'), lines: { total, shown }, truncated };
}

/** Of a rendered body, the part from its opening to its closing tag. */
export function bodyElement(rendered: string): string {
  return rendered.slice(0, rendered.lastIndexOf(closingTag) + closingTag.length);
}

/** What a person's call of a skill says to the model: the body, then their words. */
export function withWords(body: string, words: string): string {
  return words.trim() === '' ? body : `${body}\n\n${words}`;
}

function packOf({ pack, packVersion }: SkillEntry): string | undefined {
  return pack === undefined || packVersion === undefined ? pack : `${pack}@${packVersion}`;
}

interface Page {
  readonly text: string;
  readonly total: number;
  readonly shown: number;
  readonly truncated: boolean;
}

interface PageLimits {
  readonly maxTokens: number;
  readonly maxLines: number;
}

/** All of a body where that fits; else its beginning, and an outline of all of it. */
function pageAndOutline(text: SkillText, ports: TokenPorts, limits: PageLimits): { page: Page; outline: string } {
  const page = firstPage(text, ports, limits);
  if (!page.truncated) return { page, outline: '' };
  const outline = outlineOf(text, ports, limits.maxTokens * shareOfOutline);
  const maxTokens = Math.max(0, Math.floor(limits.maxTokens * (1 - shareOfNames) - ports.countTokens(outline)));
  return { page: firstPage(text, ports, { ...limits, maxTokens }), outline };
}

/** As many lines as fit; of a first line that does not fit, its beginning. */
function firstPage({ skill }: SkillText, { countTokens }: TokenPorts, { maxTokens, maxLines }: PageLimits): Page {
  const lines = new TextLines(skill.body);
  const { total } = lines;
  const most = Math.min(total, maxLines);
  let left = maxTokens;
  let shown = 0;
  for (; shown < most; shown += 1) {
    const line = skill.body.slice(lines.start(shown + 1), lines.start(shown + 2));
    const tokens = countTokens(line);
    if (tokens > left) break;
    left -= tokens;
  }
  if (shown > 0 || total === 0) {
    return { text: skill.body.slice(0, lines.start(shown + 1)), total, shown, truncated: shown < total };
  }
  const cut = lines
    .at(1)
    .slice(0, maxTokens)
    .replace(/[\uD800-\uDBFF]$/u, '');
  return { text: `${cut}… (the rest of this line is left out)`, total, shown: 1, truncated: true };
}

const mostHeadings = 100;

/** As many of the lines, from the first on, as fit. */
function fitting(lines: readonly string[], { countTokens }: TokenPorts, maxTokens: number): readonly string[] {
  let left = maxTokens;
  const end = lines.findIndex((line) => {
    left -= countTokens(line);
    return left < 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

function outlineOf(text: SkillText, ports: TokenPorts, maxTokens: number): string {
  const outline = skillOutline(text);
  if (outline.length === 0) return '';
  const lines = outline
    .slice(0, mostHeadings)
    .map(({ level, title, line }) => `${'  '.repeat(level - 1)}- ${escapeXml(title)} (line ${line})`);
  const shown = fitting(lines, ports, maxTokens);
  const more = outline.length > shown.length ? [`- … ${outline.length - shown.length} more headings`] : [];
  return ['Outline of the whole, by lines of SKILL.md:', ...shown, ...more, '---'].join('\n');
}

interface Rest {
  readonly shown: number;
  readonly by: RestReader;
}

function restOf({ name, location }: SkillEntry, { skill }: SkillText, { shown, by }: Rest): string {
  const from = skill.bodyLine + shown;
  const begins = `This is the beginning: ${shown} lines.`;
  if (by === 'path') return `${begins} The rest is in \`${escapeXml(location)}/SKILL.md\`, from line ${from} on.`;
  const field = by === 'action' ? 'section_hint' : 'section';
  const how = `with \`from_line\` ${from}, or with the heading you need as \`${field}\``;
  if (by === 'action') return `${begins} For more, load \`SKILL.md\` of ${escapeXml(name)} ${how}.`;
  return `${begins} For more, call \`${by.tool}\` for \`SKILL.md\` of ${escapeXml(name)} ${how}.`;
}

function namesOf(files: readonly SkillFile[], ports: TokenPorts, maxTokens: number): readonly string[] {
  const others = files.filter(({ path }) => path !== 'SKILL.md');
  if (others.length === 0) return [];
  const paths = others.slice(0, mostFiles).map(({ path }) => escapeXml(path));
  const named = fitting(paths, ports, maxTokens);
  if (named.length === 0) return [`Files beside it, none of them loaded: ${others.length}.`];
  const more = others.length > named.length ? `, and ${others.length - named.length} more` : '';
  return [`Files beside it, none of them loaded: ${named.join(', ')}${more}.`];
}
