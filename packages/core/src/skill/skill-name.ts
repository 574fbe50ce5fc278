/** The most characters a skill name has. */
const skillNameLength = 64;

// What a folder can be called on every file system ends at 255 bytes; a name has to be a folder's.
const folderLength = 255;

/** Whether `text` is a name by the specification: 1 to 64 of `a-z0-9-`, hyphens only inside and single. */
export function isSkillName(text: string): boolean {
  return text.length <= skillNameLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(text);
}

/** Whether a folder could bear the name at all, on any system. */
export function isFolderName(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && text.length <= folderLength && !/[/\\\p{Cc}]/u.test(text);
}

/** What keeps `text` from being a skill name, in words; `undefined` when only its letters are not ASCII, or nothing does. */
export function judgeSkillName(text: string): string | undefined {
  if (text.length > skillNameLength) return `has ${text.length} characters, at most ${skillNameLength} are allowed`;
  if (text !== text.toLowerCase()) return 'has capital letters';
  if (text.startsWith('-') || text.endsWith('-')) return 'begins or ends with a hyphen';
  if (text.includes('--')) return 'has two hyphens in a row';
  const odd = /[^\p{L}\p{M}\p{N}-]/u.exec(text)?.[0];
  return odd === undefined ? undefined : `has the character “${odd}”`;
}

/** A name near `text` that follows the specification; `undefined` when nothing is left of it. */
export function suggestSkillName(text: string): string | undefined {
  const name = text
    .slice(0, folderLength)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .slice(0, skillNameLength)
    .replaceAll(/^-|-$/gu, '');
  return isSkillName(name) ? name : undefined;
}
