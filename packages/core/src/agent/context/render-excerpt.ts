import { visibleText } from '../../errors/visible-text.js';
import type { SkillEntry } from '../../registry/skill-entry.js';
import type { SkillExcerpt } from '../../registry/skill-excerpt.js';
import { fittingCount } from './fitting-count.js';
import { fencedText } from './fenced-text.js';

/** How a part of a file is shown. */
export interface RenderExcerptOptions {
  /** What the field is called by which a heading is asked for. */
  readonly sectionField: 'section_hint' | 'section';
  /** Of the model's window. */
  readonly contextTokens: number;
}

const headingsShown = { fewest: 10, most: 60 };

/** A part of a file of a skill, as a model reads it: where it comes from, its text between fences, and how to go on. */
export function renderExcerpt(
  { name, scope, location }: Pick<SkillEntry, 'name' | 'scope' | 'location'>,
  excerpt: SkillExcerpt,
  { sectionField, contextTokens }: RenderExcerptOptions,
): string {
  const { path, lines, size, digest, next, outline } = excerpt;
  const where = lines === undefined ? '' : `, lines ${lines.start} to ${lines.end} of ${lines.total}`;
  const what = visibleText(`${path} of the skill ${name} (${scope}, ${location})`);
  const head = `${what}${where}; the whole file has ${size} bytes, ${digest}.`;
  if (excerpt.content === 'binary') return `${head}\n${excerpt.text}`;
  const parts = [head, fencedText(excerpt.text)];
  if (next?.kind === 'lines') parts.push(`It is cut here. Go on with from_line ${next.start}.`);
  else if (next !== undefined) {
    const further =
      lines !== undefined && lines.end < lines.total ? ` The next line is from_line ${lines.end + 1}.` : '';
    parts.push(`It is cut here, within a line that is too long to be shown.${further}`);
  }
  if (outline.length > 0) {
    const headings = outline
      .slice(0, fittingCount(contextTokens, headingsShown))
      .map(({ level, title, line }) => `- line ${line}: ${'#'.repeat(level)} ${visibleText(title)}`);
    parts.push(`Its headings, each of which ${sectionField} can name:\n${headings.join('\n')}`);
  }
  return parts.join('\n');
}
