import { visibleLines, type Skill, type SkillHead } from '@skillpack/core';

/**
 * The text of a skill as its file has it. What nobody can see is left out where a model reads the skill, so a person who
 * judges the skill has to be shown it.
 *
 * @param source the bytes of the file.
 */
export function writtenBody({ body, bodyLine }: Skill, source: Uint8Array): string {
  const utf16 =
    source[0] === 0xff && source[1] === 0xfe
      ? 'utf-16le'
      : source[0] === 0xfe && source[1] === 0xff
        ? 'utf-16be'
        : undefined;
  const text = new TextDecoder(utf16).decode(source).replaceAll(/\r\n?/gu, '\n');
  const written = text
    .split('\n')
    .slice(bodyLine - 1)
    .join('\n');
  return visibleLines(written) === written ? body : written;
}

/** The description of a skill as its file has it. */
export function writtenDescription({ description, frontMatter }: SkillHead): string | undefined {
  const written = frontMatter['description'];
  // What is repaired besides (a list, a text that is too long) is shown as it was repaired.
  if (typeof written !== 'string' || description === undefined) return description;
  return visibleLines(written) === written ? description : written;
}
