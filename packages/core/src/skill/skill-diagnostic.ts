import { diagnosticWeights } from './diagnostic-weights.js';
import type { SkillProfile } from './skill.js';

/** How much a finding weighs: an `error` makes the skill unusable under its profile. */
export type SkillSeverity = 'error' | 'warning' | 'info';

/** What a finding weighs under either profile, and what it means. */
export type SkillDiagnosticWeight = Readonly<Record<SkillProfile, SkillSeverity | 'off'>> & {
  readonly meaning: string;
};

function weigh(code: keyof typeof diagnosticWeights, meaning: string): SkillDiagnosticWeight {
  return { ...diagnosticWeights[code], meaning };
}

/** The closed table of findings about a SKILL.md: what each weighs under either profile, and what it means. */
export const skillDiagnostics = {
  'file-name': weigh('file-name', 'The file is called `skill.md`; the specification says `SKILL.md`.'),
  'file-too-large': weigh('file-too-large', 'The file is larger than its limit.'),
  'encoding-utf16': weigh('encoding-utf16', 'The file is UTF-16, not UTF-8.'),
  'encoding-invalid': weigh('encoding-invalid', 'Some bytes are not UTF-8; each was replaced by U+FFFD.'),
  'byte-order-mark': weigh('byte-order-mark', 'The file begins with a byte order mark.'),
  'line-ends': weigh('line-ends', 'Lines end in CRLF or CR.'),
  'leading-blank-lines': weigh('leading-blank-lines', 'White space stands before the front matter.'),
  'leading-comment': weigh('leading-comment', 'An HTML comment stands before the front matter.'),
  'code-fence': weigh('code-fence', 'A code fence stands around the front matter.'),

  'front-matter-missing': weigh('front-matter-missing', 'The file does not begin with front matter.'),
  'front-matter-unopened': weigh('front-matter-unopened', 'The `---` before the first field is missing.'),
  'front-matter-unclosed': weigh('front-matter-unclosed', 'The `---` after the last field is missing.'),
  'front-matter-language': weigh(
    'front-matter-language',
    'The front matter says it is not YAML. It is never evaluated.',
  ),
  'front-matter-too-large': weigh('front-matter-too-large', 'The front matter is larger than its limit.'),
  'front-matter-too-complex': weigh(
    'front-matter-too-complex',
    'The front matter has too many keys, values, levels or aliases.',
  ),
  'delimiter-odd': weigh('delimiter-odd', 'A line meant as `---` is written another way.'),
  'delimiter-inside': weigh('delimiter-inside', '`---` occurs inside a value, where the reference tool stops reading.'),

  'yaml-invalid': weigh('yaml-invalid', 'The front matter is not YAML and could not be repaired.'),
  'yaml-not-map': weigh('yaml-not-map', 'The front matter is not a list of fields.'),
  'yaml-tag': weigh('yaml-tag', 'A value has a YAML tag; it was ignored.'),
  'yaml-broken': weigh('yaml-broken', 'The front matter is not YAML as a whole; its fields were read one by one.'),
  'tab-indentation': weigh('tab-indentation', 'Tabs are used for indentation.'),
  'unquoted-colon': weigh('unquoted-colon', 'An unquoted value contains `: `.'),
  'unreadable-value': weigh('unreadable-value', 'A value is not YAML; it was taken as the text it is.'),
  'duplicate-key': weigh('duplicate-key', 'A field occurs twice; the last one counts.'),
  'merge-key': weigh('merge-key', 'A YAML merge key (`<<`) was not followed.'),
  'key-not-text': weigh('key-not-text', 'A key is not a word; it was left out.'),
  'unsafe-key': weigh('unsafe-key', 'A key is called `__proto__`; it was left out.'),
  'control-character': weigh('control-character', 'The front matter holds a character that YAML forbids.'),
  'invisible-character': weigh('invisible-character', 'A character that nobody can see; it was removed.'),

  'name-missing': weigh('name-missing', 'The skill has no name; that of its folder was taken.'),
  'name-unknown': weigh('name-unknown', 'The skill has no usable name, and its folder is not known.'),
  'name-invalid': weigh('name-invalid', 'The name breaks the rule of the specification.'),
  'name-not-ascii': weigh('name-not-ascii', 'The name has letters outside a-z.'),
  'name-not-folder': weigh('name-not-folder', 'The name is not that of the folder.'),
  'name-unsafe': weigh('name-unsafe', 'The name could not be a folder; that of its folder was taken.'),
  'description-missing': weigh('description-missing', 'The skill has no description, so no model is offered it.'),
  'description-too-long': weigh('description-too-long', 'The description is longer than 1,024 characters; it was cut.'),
  'field-not-text': weigh('field-not-text', 'A list or a map stands where text is wanted.'),
  'compatibility-not-text': weigh(
    'compatibility-not-text',
    'The compatibility is a number, a date, true, false or nothing.',
  ),
  'compatibility-too-long': weigh('compatibility-too-long', 'The compatibility is longer than 500 characters.'),
  'unknown-field': weigh('unknown-field', 'A field that the specification does not know.'),
  'value-as-text': weigh('value-as-text', 'A number, date, true or false was taken as text.'),
  'value-ignored': weigh('value-ignored', 'A field has a value that cannot be used.'),
  'smart-quotes': weigh('smart-quotes', 'Typographic quotes around a value; they were removed.'),
  'metadata-not-map': weigh('metadata-not-map', 'The metadata is not a map; it was ignored.'),
  'metadata-not-strings': weigh('metadata-not-strings', 'A value of the metadata is not a string.'),
  'allowed-tools-form': weigh('allowed-tools-form', 'The allowed tools are not separated by spaces alone.'),
  'allowed-tools-spelling': weigh('allowed-tools-spelling', 'The allowed tools stand under another spelling.'),
  'allowed-tools-unbalanced': weigh('allowed-tools-unbalanced', 'The parentheses of an allowed tool do not pair.'),
  'never-invocable': weigh('never-invocable', 'Neither a model nor a person is offered the skill.'),

  'body-empty': weigh('body-empty', 'There is nothing after the front matter.'),
  'body-long': weigh('body-long', 'The body is longer than 500 lines.'),
  'rule-body-lines': weigh('rule-body-lines', 'The body is longer than the rule `maxBodyLines` allows.'),
  'rule-angle-brackets': weigh(
    'rule-angle-brackets',
    'The rule `noAngleBrackets` forbids `<` and `>` in front matter.',
  ),

  'description-no-trigger': weigh('description-no-trigger', 'The description does not say when to use the skill.'),
  'description-short': weigh('description-short', 'The description is too short to choose the skill by.'),
  'link-missing': weigh('link-missing', 'The body points to a file that is not there.'),
  'link-outside': weigh('link-outside', 'The body points to a file outside the skill.'),
  'placeholder-text': weigh('placeholder-text', 'The text is still that of a skill that was just begun.'),
  'path-unfit': weigh('path-unfit', 'A file has a name that no pack may hold.'),
  'path-conflict': weigh('path-conflict', 'Two files cannot stand side by side on every system.'),
  'link-inside': weigh('link-inside', 'A link lies in the folder; a pack holds none.'),
  'name-unpackable': weigh('name-unpackable', 'Neither the name nor the folder can be a skill’s name in a pack.'),
  'script-no-shebang': weigh('script-no-shebang', 'A script does not say what runs it.'),
  'script-not-executable': weigh('script-not-executable', 'A script says what runs it, but is not executable.'),
  'allowed-tools-unreadable': weigh('allowed-tools-unreadable', 'An allowed tool is a rule that counts for nothing.'),
  'allowed-tools-unknown': weigh('allowed-tools-unknown', 'An allowed tool has a name that no tool has here.'),
  'script-not-allowed': weigh(
    'script-not-allowed',
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
