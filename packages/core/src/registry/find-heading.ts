import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { headingTitle } from './markdown-outline.js';
import type { Heading } from './skill-excerpt.js';

type Form = (text: string) => string;

// Each is more forgiving than the one before: as written; case and spacing aside; letters and digits alone, as in the
// anchor of a heading.
const forms: readonly Form[] = [
  (text) => text,
  (text) => text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim(),
  (text) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      .trim(),
];

const longestQuery = 1_000;
const mostNamed = 20;

/**
 * The heading that somebody means by `Forms`, `## Forms`, `#forms` or `Filling > Forms`. One that is written exactly so
 * wins over one that differs in case, spacing or punctuation; of several, the first in the document.
 *
 * @throws `SECTION_NOT_FOUND`, with the headings that there are in the hint and in `data.headings`.
 */
export function findHeading(headings: readonly Heading[], wanted: string, path: string): Heading {
  const query = wanted.slice(0, longestQuery).trim();
  const found = findTitle(headings, query) ?? findBelow(headings, query.split('>'));
  if (found !== undefined) return found;
  const titles = headings.map(({ level, title }) => `${'#'.repeat(level)} ${title}`);
  const more = titles.length > mostNamed ? `, and ${titles.length - mostNamed} more` : '';
  throw new SkillsError('SECTION_NOT_FOUND', `${quoted(path)} has no heading ${quoted(query)}.`, {
    hint:
      titles.length === 0
        ? 'It has no headings at all; read it by lines.'
        : `It has these: ${titles.slice(0, mostNamed).join('; ')}${more}.`,
    data: { path, wanted: query, headings: titles.slice(0, 200) },
  });
}

function findTitle(headings: readonly Heading[], query: string): Heading | undefined {
  const { level, title } = withoutMarks(query);
  for (const form of forms) {
    const wanted = new Set([form(headingTitle(query)), form(title)].filter((text) => text !== ''));
    const same = headings.filter((heading) => wanted.has(form(heading.title)));
    const found = same.find((heading) => heading.level === level) ?? same[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first heading of the last title that lies below headings of those before it, from the outermost in. */
function findBelow(headings: readonly Heading[], titles: readonly string[]): Heading | undefined {
  if (titles.length < 2 || titles.length > 6) return undefined;
  for (const form of forms) {
    const wanted = titles.map((title) => form(withoutMarks(title.trim()).title));
    if (wanted.includes('')) continue;
    const above: { readonly level: number; readonly title: string }[] = [];
    for (const heading of headings) {
      while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
      above.push({ level: heading.level, title: form(heading.title) });
      if (endsWith(above, wanted)) return heading;
    }
  }
  return undefined;
}

/** Whether the last of `path` is the last of `wanted`, and the others of `wanted` stand before it in order. */
function endsWith(path: readonly { readonly title: string }[], wanted: readonly string[]): boolean {
  if (path.at(-1)?.title !== wanted.at(-1)) return false;
  let left = wanted.length - 1;
  for (let at = path.length - 2; at >= 0 && left > 0; at -= 1) if (path[at]?.title === wanted[left - 1]) left -= 1;
  return left === 0;
}

/** `## Forms` means a heading of level 2, `#forms` the anchor of one. */
function withoutMarks(query: string): { readonly level: number | undefined; readonly title: string } {
  const [, marks = '', space = '', title = ''] = /^(#{0,6})([ \t]*)(.*)$/su.exec(query) ?? [];
  return { level: marks === '' || space === '' ? undefined : marks.length, title: headingTitle(title) };
}
