import { visibleLines, visibleText, type ApprovalRequest } from '@skillpack/core';
import { count } from '../render/count.js';
import { shortened } from '../render/shortened.js';

/** What would be done, as a person can judge it. All of it is safe for a terminal. */
export interface DescribedUse {
  /** What it is about, in a line: a script with its arguments, a path, a URL, a command. */
  readonly title: string;
  /** What would be written, changed or sent, as far as it is read at a glance. What is left out is counted. */
  readonly lines: readonly string[];
  /** All of it, where the lines leave something out. @default nothing is left out */
  readonly all?: readonly string[] | undefined;
  /** Whether nobody can judge it without all of it. @default false */
  readonly needsAll?: boolean | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Lines and characters of a text that are shown of it before somebody asks for all. */
const mostLines = 12;
const longestLine = 300;
/** Characters of a command that are read at a glance. */
const longestCommand = 600;
const longestTitle = 160;

/** Says what somebody is asked about: of the tools that come with the command by their input, of all else in its line. */
export function describeUse({ action, tool, summary, input }: ApprovalRequest): DescribedUse {
  const own = action === 'call_tool' && isFields(input) ? describers.get(tool)?.(input) : undefined;
  if (own !== undefined) return own;
  const title = visibleText(summary);
  if (!/\[… \d+ characters left out …\]/u.test(summary)) return { title, lines: [] };
  return { title, lines: [], all: linesOf(JSON.stringify(input, null, 2)), needsAll: true };
}

/** What each says of an input; `undefined` for one that is not as it should be, which is then shown as it is. */
const describers: ReadonlyMap<string, (input: Fields) => DescribedUse | undefined> = new Map(
  Object.entries({
    write_file: ({ path, content, ...more }: Fields): DescribedUse | undefined => {
      if (typeof path !== 'string' || typeof content !== 'string') return undefined;
      return described(`${path}, ${sizeOf(content)}`, [fieldsIn(more), marked('|', content)]);
    },
    edit_file: ({
      path,
      old_text: before,
      new_text: after,
      replace_all: all,
      ...more
    }: Fields): DescribedUse | undefined => {
      if (typeof path !== 'string' || typeof before !== 'string' || typeof after !== 'string') return undefined;
      const where = all === true ? ', wherever it stands' : '';
      const rest = all === undefined || typeof all === 'boolean' ? more : { replace_all: all, ...more };
      return described(`${path}${where}`, [fieldsIn(rest), marked('-', before), marked('+', after)]);
    },
    delete_file: ({ path, ...more }: Fields): DescribedUse | undefined => {
      return typeof path === 'string' ? described(path, [fieldsIn(more)]) : undefined;
    },
    run_command: ({ command, ...more }: Fields): DescribedUse | undefined => {
      if (typeof command !== 'string') return undefined;
      const lines = [...linesOf(command), ...fieldsIn(more)];
      const [title = ''] = lines;
      if (lines.length === 1 && title.length <= longestCommand) return { title, lines: [] };
      if (lines.length <= mostLines && lines.join('').length <= longestCommand) return { title, lines: lines.slice(1) };
      return { title: shortened(title, longestTitle), lines: [], all: lines, needsAll: true };
    },
    http_request: ({ url, method = 'GET', headers = {}, body, ...more }) => {
      if (typeof url !== 'string' || typeof method !== 'string' || !isFields(headers)) return undefined;
      if (body !== undefined && typeof body !== 'string') return undefined;
      const sent = body === undefined ? [] : [`body of ${sizeOf(body)}:`];
      return described(`${method} ${url}`, [
        fieldsIn(headers).map((line) => `header ${line}`),
        fieldsIn(more),
        sent,
        marked('|', body ?? ''),
      ]);
    },
  }),
);

/** @param title not made visible. */
function described(title: string, parts: readonly (readonly string[])[]): DescribedUse {
  const whole = visibleText(title);
  const short = shortened(whole, longestCommand);
  const lines = parts.flatMap(beginningOf);
  const all = [...(short === whole ? [] : [whole]), ...parts.flat()];
  return { title: short, lines, all: lines.join('\n') === all.join('\n') ? undefined : all };
}

function beginningOf(lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, mostLines).map((line) => {
    const more = line.length - longestLine;
    return more > 0 ? `${line.slice(0, longestLine)} [… ${count(more, 'more character')} …]` : line;
  });
  const left = lines.slice(mostLines);
  const characters = left.reduce((sum, line) => sum + line.length, 0);
  return left.length === 0
    ? shown
    : [...shown, `[… ${count(left.length, 'more line')} of ${count(characters, 'character')} …]`];
}

/** Each line of a text behind a mark, so that none looks like the question. */
function marked(mark: string, text: string): readonly string[] {
  return text === '' ? [] : linesOf(text).map((line) => `${mark} ${line}`);
}

function linesOf(text: string): readonly string[] {
  const lines = visibleLines(text).split('\n');
  return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function sizeOf(text: string): string {
  if (text === '') return 'empty';
  const breaks = text.includes('\r') ? ', with carriage returns' : '';
  return `${count(linesOf(text).length, 'line')} of ${count(text.length, 'character')}${breaks}`;
}

/** Whatever else the input says. */
function fieldsIn(fields: Fields): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [
          `${visibleText(name)}: ${visibleText(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))}`,
        ],
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
