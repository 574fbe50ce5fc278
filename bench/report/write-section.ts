import { readFile, writeFile } from 'node:fs/promises';

/** A part of a page that is generated: what stands between `<!-- name:begin -->` and `<!-- name:end -->`. */
export interface Section {
  readonly name: string;
  readonly text: string;
}

/** Writes a section of a Markdown page anew. Throws when the page has no such section. */
export async function writeSection(page: string, { name, text }: Section): Promise<void> {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const before = await readFile(page, 'utf8');
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no section ${begin} … ${end}.`);
  await writeFile(page, `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(to)}`);
}
