/** Rules beyond the specification that a project may hold its skills to. All are off unless given. */
export interface SkillRules {
  /** Refuses `<` and `>` in front matter, for hosts that paste it into prompts unescaped. @default false */
  readonly noAngleBrackets?: boolean | undefined;
  /** Refuses a body of more lines. @default undefined */
  readonly maxBodyLines?: number | undefined;
}
