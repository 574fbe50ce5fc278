import { quoted } from '../errors/quoted.js';
import type { DiagnosticLog } from './diagnostic-log.js';
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
const mostRepairs = 32;

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
  const reader = new EntryReader(log, limits);
  const fields = reader.read(entries, 1);
  if (!reader.repaired) {
    log.report('yaml-broken', {
      at: { offset: whole.offset },
      message: `The front matter is not YAML: ${whole.problem}.`,
      fix: 'Its fields were read one by one. Correct the indentation or the quotes on this line.',
    });
  }
  return { kind: 'fields', fields };
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

/** Reads fields one by one, repairing those that need it. */
class EntryReader {
  readonly #log: DiagnosticLog;
  readonly #limits: SkillLimits;
  #repairs = 0;

  constructor(log: DiagnosticLog, limits: SkillLimits) {
    this.#log = log;
    this.#limits = limits;
  }

  /** Whether a field needed a repair, rather than the whole. */
  get repaired(): boolean {
    return this.#repairs > 0;
  }

  read(entries: readonly Entry[], level: number): ReadonlyMap<string, Field> {
    const fields = new Map<string, Field>();
    for (const entry of entries) {
      if (this.#repairs > mostRepairs) break;
      if (fields.has(entry.key)) reportDuplicate(entry, this.#log);
      const field = this.#readEntry(entry, level);
      if (field !== undefined && entry.key !== '__proto__') fields.set(entry.key, field);
    }
    return fields;
  }

  #readEntry(entry: Entry, level: number): Field | undefined {
    const alone = readYaml({ text: entry.lines.join('\n'), offset: entry.offset }, this.#log, this.#limits);
    if (alone.kind === 'fields' && alone.fields.size === 1) return alone.fields.get(entry.key);
    if (alone.kind === 'refused') return undefined;
    const nested = this.#readNested(entry, level);
    if (nested !== undefined) return nested;
    this.#repairs += 1;
    if (this.#repairs <= mostRepairs) return readAsText(entry, this.#log);
    refuse(`more than ${mostRepairs} fields of it are broken`, entry.offset, this.#log);
    return undefined;
  }

  /** A field whose value is a block of fields, one of which is broken. */
  #readNested(entry: Entry, level: number): Field | undefined {
    const rest = entry.lines.slice(1);
    const indent = /^ +/u.exec(rest.find((line) => line.trim() !== '') ?? '')?.[0].length ?? 0;
    if (entry.inline !== '' || indent === 0 || level >= deepest) return undefined;
    const text = rest.map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length))).join('\n');
    const children = splitEntries({ text, offset: entry.offset });
    if (children === undefined || children.length > this.#limits.keys) return undefined;
    // The lines were moved to the left: findings inside are placed at the line of the field that holds them.
    const placed = children.map((child) => ({ ...child, offset: entry.offset }));
    const fields = this.read(placed, level + 1);
    const value = Object.fromEntries([...fields].map(([key, field]) => [key, field.value]));
    return { key: entry.key, value, scalar: undefined, source: text, offset: entry.offset };
  }
}

function reportDuplicate(entry: Entry, log: DiagnosticLog): void {
  log.report('duplicate-key', {
    at: { offset: entry.offset },
    message: `The field ${quoted(entry.key)} occurs more than once.`,
    fix: 'The last one counts. Remove the others.',
  });
}

function readAsText(entry: Entry, log: DiagnosticLog): Field {
  const written = [entry.inline.replace(/^[>|][-+0-9]{0,2}[ \t]+/u, ''), ...entry.lines.slice(1)]
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
  const text = unquote(written);
  if (/^[^"'[{&*!|>%@`]/u.test(written) && /:(?:[ \t]|$)/u.test(written)) {
    log.report('unquoted-colon', {
      at: { offset: entry.offset },
      message: `The value of ${quoted(entry.key)} contains “: ” and has no quotes.`,
      fix: `It was taken as text. Write ${entry.key}: "…", or use a block (${entry.key}: >-).`,
    });
  } else {
    log.report('unreadable-value', {
      at: { offset: entry.offset },
      message: `The value of ${quoted(entry.key)} is not YAML: ${quoted(written)}.`,
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
