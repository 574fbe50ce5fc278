/** What a SKILL.md may cost. Each limit is checked before the work it bounds. */
export interface SkillLimits {
  /** Of the whole file. @default 1 MiB */
  readonly fileBytes: number;
  /** Between the two `---`. @default 64 KiB */
  readonly frontMatterBytes: number;
  /** Keys of the front matter, at all levels. @default 500 */
  readonly keys: number;
  /** Maps and lists inside one another. @default 32 */
  readonly depth: number;
  /** Values of the front matter, each alias counted as what it stands for. @default 2,000 */
  readonly values: number;
}

/** The limits that hold when none are given. */
export const defaultSkillLimits: SkillLimits = {
  fileBytes: 1024 * 1024,
  frontMatterBytes: 64 * 1024,
  keys: 500,
  depth: 32,
  values: 2000,
};
