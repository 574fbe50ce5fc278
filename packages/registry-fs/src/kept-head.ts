import { recallSkillHead, type ParseSkillOptions, type SkillHead, type SkillParse } from '@skillpack/core/listing';

/** What is kept of the front matter of a file: the text of it, or, where nothing is to be said of it, what it came to. */
export type KeptHead = string | readonly [bodyLine: number, frontMatter: SkillHead['frontMatter']];

/** How front matter is read of which all is known. */
export type KeptHeadOptions = Pick<ParseSkillOptions, 'profile' | 'rules' | 'limits'>;

/** Whether it is read as everybody reads it. */
export function isReadAsUsual({ profile = 'lenient', rules, limits }: KeptHeadOptions): boolean {
  return profile === 'lenient' && rules === undefined && limits === undefined;
}

/** What to keep of front matter that was read as usual. Its text is needed when there is anything uncommon in it. */
export function keptHead(parse: SkillParse<SkillHead>, folder: string): KeptHead | undefined {
  if (parse.kind !== 'skill' || parse.diagnostics.length > 0) return undefined;
  const { frontMatter, bodyLine } = parse.skill;
  const again = recallSkillHead(frontMatter, { folder, bodyLine });
  // Both have the same keys in one order; what holds no value is in neither.
  return JSON.stringify(again) === JSON.stringify(parse.skill) ? [bodyLine, frontMatter] : undefined;
}

/** The skill of which this was kept; `undefined` for all that {@link keptHead} does not keep, whoever wrote it. */
export function recallHead(kept: unknown, folder: string): SkillParse<SkillHead> | undefined {
  if (!Array.isArray(kept)) return undefined;
  const words: readonly unknown[] = kept;
  const [bodyLine, frontMatter] = words;
  if (typeof bodyLine !== 'number') return undefined;
  const skill = recallSkillHead(frontMatter, { folder, bodyLine });
  return skill === undefined ? undefined : { kind: 'skill', skill, diagnostics: nothing };
}

const nothing: readonly never[] = Object.freeze([]);
