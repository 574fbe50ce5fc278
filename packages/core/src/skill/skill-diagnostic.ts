import type { SkillProfile } from './skill.js';

/** How much a finding weighs: an `error` makes the skill unusable under its profile. */
export type SkillSeverity = 'error' | 'warning' | 'info';

/** What a finding weighs under either profile, and what it means. */
export type SkillDiagnosticWeight = Readonly<Record<SkillProfile, SkillSeverity | 'off'>> & {
  readonly meaning: string;
};

function weigh(lenient: SkillSeverity | 'off', strict: SkillSeverity | 'off', meaning: string): SkillDiagnosticWeight {
  return { lenient, strict, meaning };
}

/** The closed table of findings about a SKILL.md: what each weighs under either profile, and what it means. */
export const skillDiagnostics = {
  'file-name': weigh('info', 'info', 'The file is called `skill.md`; the specification says `SKILL.md`.'),
  'file-too-large': weigh('error', 'error', 'The file is larger than its limit.'),
  'encoding-utf16': weigh('warning', 'error', 'The file is UTF-16, not UTF-8.'),
  'encoding-invalid': weigh('warning', 'warning', 'Some bytes are not UTF-8; each was replaced by U+FFFD.'),
  'byte-order-mark': weigh('info', 'error', 'The file begins with a byte order mark.'),
  'line-ends': weigh('info', 'info', 'Lines end in CRLF or CR.'),
  'leading-blank-lines': weigh('info', 'error', 'White space stands before the front matter.'),
  'leading-comment': weigh('warning', 'error', 'An HTML comment stands before the front matter.'),
  'code-fence': weigh('warning', 'error', 'A code fence stands around the front matter.'),

  'front-matter-missing': weigh('error', 'error', 'The file does not begin with front matter.'),
  'front-matter-unopened': weigh('warning', 'error', 'The `---` before the first field is missing.'),
  'front-matter-unclosed': weigh('warning', 'error', 'The `---` after the last field is missing.'),
  'front-matter-language': weigh('error', 'error', 'The front matter says it is not YAML. It is never evaluated.'),
  'front-matter-too-large': weigh('error', 'error', 'The front matter is larger than its limit.'),
  'front-matter-too-complex': weigh('error', 'error', 'The front matter has too many keys, values, levels or aliases.'),
  'delimiter-odd': weigh('warning', 'error', 'A line meant as `---` is written another way.'),
  'delimiter-inside': weigh('off', 'warning', '`---` occurs inside a value, where the reference tool stops reading.'),

  'yaml-invalid': weigh('error', 'error', 'The front matter is not YAML and could not be repaired.'),
  'yaml-not-map': weigh('error', 'error', 'The front matter is not a list of fields.'),
  'yaml-tag': weigh('info', 'error', 'A value has a YAML tag; it was ignored.'),
  'yaml-broken': weigh('warning', 'error', 'The front matter is not YAML as a whole; its fields were read one by one.'),
  'tab-indentation': weigh('warning', 'error', 'Tabs are used for indentation.'),
  'unquoted-colon': weigh('warning', 'error', 'An unquoted value contains `: `.'),
  'unreadable-value': weigh('warning', 'error', 'A value is not YAML; it was taken as the text it is.'),
  'duplicate-key': weigh('warning', 'error', 'A field occurs twice; the last one counts.'),
  'merge-key': weigh('info', 'error', 'A YAML merge key (`<<`) was not followed.'),
  'key-not-text': weigh('warning', 'error', 'A key is not a word; it was left out.'),
  'unsafe-key': weigh('warning', 'error', 'A key is called `__proto__`; it was left out.'),
  'control-character': weigh('warning', 'error', 'The front matter holds a character that YAML forbids.'),
  'invisible-character': weigh('warning', 'warning', 'A character that nobody can see; it was removed.'),

  'name-missing': weigh('warning', 'error', 'The skill has no name; that of its folder was taken.'),
  'name-unknown': weigh('error', 'error', 'The skill has no usable name, and its folder is not known.'),
  'name-invalid': weigh('warning', 'error', 'The name breaks the rule of the specification.'),
  'name-not-ascii': weigh('info', 'error', 'The name has letters outside a-z.'),
  'name-not-folder': weigh('warning', 'error', 'The name is not that of the folder.'),
  'name-unsafe': weigh('warning', 'error', 'The name could not be a folder; that of its folder was taken.'),
  'description-missing': weigh('warning', 'error', 'The skill has no description, so no model is offered it.'),
  'description-too-long': weigh('warning', 'error', 'The description is longer than 1,024 characters; it was cut.'),
  'field-not-text': weigh('warning', 'error', 'A list or a map stands where text is wanted.'),
  'compatibility-not-text': weigh('info', 'error', 'The compatibility is a number, a date, true, false or nothing.'),
  'compatibility-too-long': weigh('warning', 'error', 'The compatibility is longer than 500 characters.'),
  'unknown-field': weigh('off', 'error', 'A field that the specification does not know.'),
  'value-as-text': weigh('info', 'info', 'A number, date, true or false was taken as text.'),
  'value-ignored': weigh('warning', 'warning', 'A field has a value that cannot be used.'),
  'smart-quotes': weigh('info', 'off', 'Typographic quotes around a value; they were removed.'),
  'metadata-not-map': weigh('warning', 'warning', 'The metadata is not a map; it was ignored.'),
  'metadata-not-strings': weigh('off', 'warning', 'A value of the metadata is not a string.'),
  'allowed-tools-form': weigh('off', 'warning', 'The allowed tools are not separated by spaces alone.'),
  'allowed-tools-spelling': weigh('info', 'off', 'The allowed tools stand under another spelling.'),
  'allowed-tools-unbalanced': weigh('warning', 'warning', 'The parentheses of an allowed tool do not pair.'),
  'never-invocable': weigh('warning', 'off', 'Neither a model nor a person is offered the skill.'),

  'body-empty': weigh('info', 'info', 'There is nothing after the front matter.'),
  'body-long': weigh('warning', 'warning', 'The body is longer than 500 lines.'),
  'rule-body-lines': weigh('error', 'error', 'The body is longer than the rule `maxBodyLines` allows.'),
  'rule-angle-brackets': weigh('error', 'error', 'The rule `noAngleBrackets` forbids `<` and `>` in front matter.'),

  'description-no-trigger': weigh('warning', 'warning', 'The description does not say when to use the skill.'),
  'description-short': weigh('warning', 'warning', 'The description is too short to choose the skill by.'),
  'link-missing': weigh('warning', 'warning', 'The body points to a file that is not there.'),
  'link-outside': weigh('warning', 'warning', 'The body points to a file outside the skill.'),
  'placeholder-text': weigh('warning', 'warning', 'The text is still that of a skill that was just begun.'),
  'path-unfit': weigh('warning', 'warning', 'A file has a name that no pack may hold.'),
  'path-conflict': weigh('warning', 'warning', 'Two files cannot stand side by side on every system.'),
  'link-inside': weigh('warning', 'warning', 'A link lies in the folder; a pack holds none.'),
  'name-unpackable': weigh('warning', 'warning', 'Neither the name nor the folder can be a skill’s name in a pack.'),
  'script-no-shebang': weigh('info', 'info', 'A script does not say what runs it.'),
  'script-not-executable': weigh('info', 'info', 'A script says what runs it, but is not executable.'),
  'allowed-tools-unreadable': weigh('warning', 'warning', 'An allowed tool is a rule that counts for nothing.'),
  'allowed-tools-unknown': weigh('warning', 'warning', 'An allowed tool has a name that no tool has here.'),
  'script-not-allowed': weigh(
    'info',
    'info',
    'A script is not meant by the allowed tools; where they restrict, it is refused.',
  ),
} as const satisfies Record<string, SkillDiagnosticWeight>;

/** One of the codes of {@link skillDiagnostics}. */
export type SkillDiagnosticCode = keyof typeof skillDiagnostics;

/** One finding about a SKILL.md. */
export interface SkillDiagnostic {
  readonly code: SkillDiagnosticCode;
  readonly severity: SkillSeverity;
  /** What was found, with the value. Holds no control or invisible character. */
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units; `undefined` where the finding is about a whole line or file. */
  readonly column: number | undefined;
  /** What to do, or what was done. */
  readonly fix: string;
}
