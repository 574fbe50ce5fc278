/** The body of every plain one. */
export const body = '# PDF\n\nDo this.\n';
/** The description of every plain one. */
export const description = 'Work with PDF files. Use when asked about one.';

/** A plain SKILL.md with these lines after its name. */
export function fields(...lines: readonly string[]): string {
  return `---\nname: pdf\n${lines.join('\n')}\n---\n${body}`;
}

/** A plain SKILL.md with these lines after its name and its description. */
export function more(...lines: readonly string[]): string {
  return fields(`description: ${description}`, ...lines);
}

/** A plain SKILL.md of this name. */
export function named(name: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;
}

/** A SKILL.md with nothing odd about it. */
export const good = more();
/** What is read from it. */
export const read = { name: 'pdf', description, body };
