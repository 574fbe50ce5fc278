import { quote, type DiagnosticLog } from './diagnostic-log.js';
import { readYaml, type Field, type YamlFields, type YamlText } from './read-yaml.js';
import type { SkillLimits } from './skill-limits.js';

/** A field as it stands in broken YAML: the line of its key, and all lines that belong to it. */
interface Entry {
  readonly key: string;
  /** What follows the colon on the first line. */
  readonly inline: string;
  readonly lines: readonly string[];
  readonly offset: number;
}

const keyLine = /^(?<key>[A-Za-z_][\w.-]{0,63})[ \t]*:(?:[ \t]+(?<inline>.*))?$/u;
const deepest = 3;

/**
 * Reads front matter that is YAML, or nearly: where the whole cannot be parsed, each field is parsed alone, and one that
 * still cannot be is taken as the text it is. Every repair is a finding.
 */
export function readYamlRepaired(yaml: YamlText, log: DiagnosticLog, limits: SkillLimits): YamlFields {
  const whole = readYaml(yaml, log, limits);
  if (whole.kind !== 'invalid') return whole;
  const untabbed = withoutTabs(yaml, log);
  if (untabbed !== yaml) {
    const again = readYaml(untabbed, log, limits);
    if (again.kind !== 'invalid') return again;
  }
  const entries = splitEntries(untabbed);
  if (entries === undefined || entries.length > limits.keys) return refuse(whole.problem, whole.offset, log);
  return { kind: 'fields', fields: readEntries(entries, log, limits, 1) };
}

function refuse(problem: string, offset: number, log: DiagnosticLog): YamlFields {
  log.report('yaml-invalid', {
    at: { offset },
    message: `The front matter is not YAML: ${problem}.`,
    fix: 'Put quotes around the value on this line, or correct its indentation.',
  });
  return { kind: 'refused' };
}

/** The same text with every tab of an indentation as one space: columns stay where they are. */
function withoutTabs(yaml: YamlText, log: DiagnosticLog): YamlText {
  const at = yaml.text.search(/^ *\t/mu);
  if (at === -1) return yaml;
  log.report('tab-indentation', {
    at: { offset: yaml.offset + at },
    message: 'A tab is used for indentation.',
    fix: 'It was read as a space. Indent by two spaces.',
  });
  return { ...yaml, text: yaml.text.replaceAll(/^[ \t]+/gmu, (indent) => indent.replaceAll('\t', ' ')) };
}

/** The fields of the text, by lines; `undefined` when it does not look like fields. */
function splitEntries(yaml: YamlText): Entry[] | undefined {
  const entries: (Entry & { lines: string[] })[] = [];
  let offset = yaml.offset;
  let afterBlank = false;
  for (const line of yaml.text.split('\n')) {
    const match = keyLine.exec(line);
    const last = entries.at(-1);
    const blank = line.trim() === '';
    if (match?.groups?.['key'] !== undefined) {
      entries.push({ key: match.groups['key'], inline: match.groups['inline']?.trim() ?? '', lines: [line], offset });
    } else if (last !== undefined && (blank || /^[ \t]|^- /u.test(line) || !afterBlank)) {
      last.lines.push(line);
    } else if (!blank && !line.startsWith('#')) {
      return undefined;
    }
    afterBlank = blank;
    offset += line.length + 1;
  }
  return entries.length === 0 ? undefined : entries;
}

function readEntries(
  entries: readonly Entry[],
  log: DiagnosticLog,
  limits: SkillLimits,
  level: number,
): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  for (const entry of entries) {
    if (fields.has(entry.key)) {
      log.report('duplicate-key', {
        at: { offset: entry.offset },
        message: `The field ${quote(entry.key)} occurs more than once.`,
        fix: 'The last one counts. Remove the others.',
      });
    }
    const field = readEntry(entry, log, limits, level);
    if (field !== undefined && entry.key !== '__proto__') fields.set(entry.key, field);
  }
  return fields;
}

function readEntry(entry: Entry, log: DiagnosticLog, limits: SkillLimits, level: number): Field | undefined {
  const alone = readYaml({ text: entry.lines.join('\n'), offset: entry.offset }, log, limits);
  if (alone.kind === 'fields' && alone.fields.size === 1) return alone.fields.get(entry.key);
  if (alone.kind === 'refused') return undefined;
  return readNested(entry, log, limits, level) ?? readAsText(entry, log);
}

/** A field whose value is a block of fields, one of which is broken. */
function readNested(entry: Entry, log: DiagnosticLog, limits: SkillLimits, level: number): Field | undefined {
  const rest = entry.lines.slice(1);
  const indent = /^ +/u.exec(rest.find((line) => line.trim() !== '') ?? '')?.[0].length ?? 0;
  if (entry.inline !== '' || indent === 0 || level >= deepest) return undefined;
  // The indentation is taken away; an entry's offset is then that many columns early for each line but the first.
  const text = rest.map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length))).join('\n');
  const children = splitEntries({ text, offset: entry.offset + (entry.lines[0]?.length ?? 0) + 1 });
  if (children === undefined || children.length > limits.keys) return undefined;
  const fields = readEntries(children, log, limits, level + 1);
  const value = Object.fromEntries([...fields].map(([key, field]) => [key, field.value]));
  return { key: entry.key, value, scalar: undefined, source: text, offset: entry.offset };
}

function readAsText(entry: Entry, log: DiagnosticLog): Field {
  const written = [entry.inline.replace(/^[>|][-+0-9]{0,2}[ \t]+/u, ''), ...entry.lines.slice(1)]
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
  const text = unquote(written);
  if (/^[^"']/u.test(written) && /:(?:[ \t]|$)/u.test(written)) {
    log.report('unquoted-colon', {
      at: { offset: entry.offset },
      message: `The value of ${quote(entry.key)} contains “: ” and has no quotes.`,
      fix: `It was taken as text. Write ${entry.key}: "…", or use a block (${entry.key}: >-).`,
    });
  } else {
    log.report('unreadable-value', {
      at: { offset: entry.offset },
      message: `The value of ${quote(entry.key)} is not YAML: ${quote(written)}.`,
      fix: 'It was taken as the text it is. Put single quotes around it, doubling those inside.',
    });
  }
  return { key: entry.key, value: text, scalar: { text, plain: false }, source: written, offset: entry.offset };
}

/** Without the quotes around it; backslash escapes of quotes are resolved, others stay. */
function unquote(written: string): string {
  const mark = written[0];
  if (written.length < 2 || (mark !== '"' && mark !== "'") || !written.endsWith(mark)) return written;
  const inner = written.slice(1, -1);
  return mark === '"' ? inner.replaceAll(/\\(["\\])/gu, '$1') : inner.replaceAll("''", "'");
}
