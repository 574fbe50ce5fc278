import { quoted, SkillsError } from '@skillpack/core';

/** An option that is a list of texts, or left out. @throws `USAGE` for anything else: a list that is `null` would be no list. */
export function expectTexts(value: unknown, name: string): void {
  if (value === undefined) return;
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return;
  const found = typeof value === 'string' ? `the text ${quoted(value)}` : value === null ? 'null' : 'something else';
  throw new SkillsError('USAGE', `${name} is ${found}; it has to be a list of texts.`);
}
