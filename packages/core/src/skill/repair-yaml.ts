import { quoted } from '../errors/quoted.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import { readYaml, type Field, type YamlFields, type YamlText } from './read-yaml.js';
import type { SkillLimits } from './skill-limits.js';

/** A line, perhaps moved to the left, and where what is left of it stands in the file. */
interface Line {
  readonly text: string;
  readonly offset: number;
}

/** A field as it stands in broken YAML. */
interface Entry {
  readonly key: string;
  /** What follows the colon on the first line. */
  readonly inline: string;
  /** The line of the key. */
  readonly first: Line;
  /** All other lines that belong to it. */
  readonly rest: readonly Line[];
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
  const entries = splitEntries(linesOf(untabbed));
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

function linesOf({ text, offset }: YamlText): readonly Line[] {
  let next = offset;
  return text.split('\n').map((line) => {
    const at = next;
    next += line.length + 1;
    return { text: line, offset: at };
  });
}

/** The fields that the lines make up; `undefined` when they do not look like fields. */
function splitEntries(lines: readonly Line[]): Entry[] | undefined {
  const entries: (Entry & { rest: Line[] })[] = [];
  let afterBlank = false;
  for (const line of lines) {
    const groups = keyLine.exec(line.text)?.groups;
    const last = entries.at(-1);
    const blank = line.text.trim() === '';
    if (groups?.['key'] !== undefined) {
      entries.push({ key: groups['key'], inline: groups['inline']?.trim() ?? '', first: line, rest: [] });
    } else if (last !== undefined && (blank || /^[ \t]|^- /u.test(line.text) || !afterBlank)) {
      last.rest.push(line);
    } else if (!blank && !line.text.startsWith('#')) {
      return undefined;
    }
    afterBlank = blank;
  }
  return entries.length === 0 ? undefined : entries;
}

function textOf(lines: readonly Line[]): string {
  return lines.map(({ text }) => text).join('\n');
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
    const yaml = { text: textOf([entry.first, ...entry.rest]), offset: entry.first.offset };
    const alone = readYaml(yaml, this.#log, this.#limits);
    if (alone.kind === 'fields' && alone.fields.size === 1) return alone.fields.get(entry.key);
    if (alone.kind === 'refused') return undefined;
    const nested = this.#readNested(entry, level);
    if (nested !== undefined) return nested;
    this.#repairs += 1;
    if (this.#repairs <= mostRepairs) return readAsText(entry, this.#log);
    refuse(`more than ${mostRepairs} fields of it are broken`, entry.first.offset, this.#log);
    return undefined;
  }

  /** A field whose value is a block of fields, one of which is broken. */
  #readNested(entry: Entry, level: number): Field | undefined {
    const inner = entry.rest.find(({ text }) => text.trim() !== '');
    const indent = /^ +/u.exec(inner?.text ?? '')?.[0].length ?? 0;
    if (entry.inline !== '' || indent === 0 || level >= deepest) return undefined;
    const moved = entry.rest.map(({ text, offset }) => {
      const cut = Math.min(indent, text.length - text.trimStart().length);
      return { text: text.slice(cut), offset: offset + cut };
    });
    const children = splitEntries(moved);
    if (children === undefined || children.length > this.#limits.keys) return undefined;
    const fields = this.read(children, level + 1);
    const value = Object.fromEntries([...fields].map(([key, field]) => [key, field.value]));
    return { key: entry.key, value, scalar: undefined, source: textOf(moved), offset: entry.first.offset };
  }
}

function reportDuplicate(entry: Entry, log: DiagnosticLog): void {
  log.report('duplicate-key', {
    at: { offset: entry.first.offset },
    message: `The field ${quoted(entry.key)} occurs more than once.`,
    fix: 'The last one counts. Remove the others.',
  });
}

function readAsText({ key, inline, first, rest }: Entry, log: DiagnosticLog): Field {
  const written = [inline.replace(/^[>|][-+0-9]{0,2}[ \t]+/u, ''), ...rest.map(({ text }) => text)]
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
  const text = unquote(written);
  if (/^[^"'[{&*!|>%@`]/u.test(written) && /:(?:[ \t]|$)/u.test(written)) {
    log.report('unquoted-colon', {
      at: { offset: colonIn(first, key) },
      message: `The value of ${quoted(key)} contains “: ” and has no quotes.`,
      fix: `It was taken as text. Write ${key}: "…", or use a block (${key}: >-).`,
    });
  } else {
    log.report('unreadable-value', {
      at: { offset: first.offset },
      message: `The value of ${quoted(key)} is not YAML: ${quoted(written)}.`,
      fix: 'It was taken as the text it is. Put single quotes around it, doubling those inside.',
    });
  }
  return { key, value: text, scalar: { text, plain: false }, source: written, offset: first.offset };
}

/** Where the colon stands that is none of the key's; the beginning of the line when it is on a later one. */
function colonIn({ text, offset }: Line, key: string): number {
  const after = text.indexOf(':', key.length) + 1;
  const at = text.slice(after).search(/:(?:[ \t]|$)/u);
  return at === -1 ? offset : offset + after + at;
}

/** Without the quotes around it; backslash escapes of quotes are resolved, others stay. */
function unquote(written: string): string {
  const mark = written[0];
  if (written.length < 2 || (mark !== '"' && mark !== "'") || !written.endsWith(mark)) return written;
  const inner = written.slice(1, -1);
  return mark === '"' ? inner.replaceAll(/\\(["\\])/gu, '$1') : inner.replaceAll("''", "'");
}
