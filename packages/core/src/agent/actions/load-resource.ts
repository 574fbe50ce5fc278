import { visibleText } from '../../errors/visible-text.js';
import type { AgentAction } from '../../model/action.js';
import type { SkillExcerpt, SkillSelection } from '../../registry/skill-excerpt.js';
import type { ActionContext, Observation } from '../run-scope.js';
import { activeFile, type ActiveFile } from './active-skill.js';
import { fittingCount } from '../context/fitting-count.js';
import { fencedText } from './fenced-text.js';

type LoadResource = AgentAction & { readonly kind: 'load_resource' };

const headingsShown = { fewest: 10, most: 60 };

/** Reads a file of an activated skill, or a part of it; the whole file is in the record. */
export async function loadResource(action: LoadResource, { scope }: ActionContext): Promise<Observation> {
  const file = await activeFile(scope, action.skill, action.relative_path);
  const excerpt = await scope.library.view.read(file.entry, file.path, { selection: selectionOf(action) });
  const { digest, size, truncated, next, lines } = excerpt;
  return {
    ok: true,
    content: render(file, excerpt, scope.state().contextTokens),
    output: {
      skill: file.activation.name,
      location: file.activation.location,
      path: excerpt.path,
      sha256: digest,
      bytes: size,
      content: excerpt.content,
      truncated,
      ...(lines === undefined ? {} : { lines: { ...lines } }),
      ...(next === undefined ? {} : { next: plainSelection(next) }),
    },
    kept: [{ name: excerpt.path, digest, size }],
  };
}

/** Where an answer was cut, a later one goes on by lines, whatever section it began in. */
function selectionOf({ section_hint, from_line }: LoadResource): SkillSelection {
  if (from_line !== undefined) return { kind: 'lines', start: from_line };
  return section_hint === undefined ? { kind: 'all' } : { kind: 'section', heading: section_hint };
}

function plainSelection(selection: SkillSelection): Readonly<Record<string, string | number>> {
  const fields = Object.entries(selection).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields) as Readonly<Record<string, string | number>>;
}

function render({ activation, entry }: ActiveFile, excerpt: SkillExcerpt, contextTokens: number): string {
  const { path, lines, size, digest, next, outline } = excerpt;
  const where = lines === undefined ? '' : `, lines ${lines.start} to ${lines.end} of ${lines.total}`;
  const name = visibleText(`${path} of the skill ${activation.name} (${entry.scope}, ${entry.location})`);
  const head = `${name}${where}; the whole file has ${size} bytes, ${digest}.`;
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
    parts.push(`Its headings, each of which section_hint can name:\n${headings.join('\n')}`);
  }
  return parts.join('\n');
}
