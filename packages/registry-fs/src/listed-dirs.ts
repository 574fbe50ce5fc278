/** The folders that a variable such as `SKILLS_DIRS` lists, with commas between them; `undefined` when it says nothing. */
export function listedDirs(value: string | undefined): readonly string[] | undefined {
  if (value === undefined || value.trim() === '') return undefined;
  return value
    .split(',')
    .map((dir) => dir.trim())
    .filter((dir) => dir !== '');
}
