import { parseJson } from '@skillpack/core';

/**
 * The folders of skills that a package.json names in `skills`, one or a list; `undefined` when it names none.
 *
 * @throws `SyntaxError` for what is no JSON.
 */
export function readPackageSkills(bytes: Uint8Array): readonly string[] | undefined {
  const value = parseJson(new TextDecoder().decode(bytes));
  if (typeof value !== 'object' || value === null || !('skills' in value)) return undefined;
  const { skills } = value;
  if (typeof skills === 'string') return [skills];
  return Array.isArray(skills) && skills.every((folder) => typeof folder === 'string') ? skills : undefined;
}
