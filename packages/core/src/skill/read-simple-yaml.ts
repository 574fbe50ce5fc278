import { losslessValue } from './plain-scalar.js';
import type { Field, YamlText } from './read-yaml.js';
import type { SkillLimits } from './skill-limits.js';

/**
 * Reads front matter in the form that nearly all of it has: one field a line, with a plain or quoted value, a block of
 * text, a list of words, or a map of such values one level deep. Gives exactly the fields that {@link readYaml} gives,
 * which has nothing to report about such a text; `undefined` for every other text. Takes time linear in its length.
 */
export function readSimpleYaml(
  { text, offset, visible = false }: YamlText,
  limits: SkillLimits,
): ReadonlyMap<string, Field> | undefined {
  if (visible ? text.includes('\t') : foreign.test(text)) return undefined;
  const fields = new SimpleReader(text, offset, limits).read();
  return fields === undefined || fields.size === 0 ? undefined : fields;
}

// Tabs, and what a YAML library takes for a line break, a byte order mark or a mark of its own.
// eslint-disable-next-line no-control-regex -- finding control characters is what it is for
const foreign = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u2029\uFEFF]/u;
const keyStart = /([A-Za-z_][A-Za-z0-9_-]{0,63}):(?: +|(?=\n|$))/uy;
// What no plain scalar begins with, or only before certain characters.
const indicators = '?:,[]{}#&*!|>\'"%@`-';
const doubleQuoted = /"([^"\\\n]*(?:\\["\\n][^"\\\n]*)*)" *(?=\n|$)/uy;
const singleQuoted = /'([^'\n]*(?:''[^'\n]*)*)' *(?=\n|$)/uy;
const word = String.raw`(?:[\w.][\w./()*+-]*(?: [\w.][\w./()*+-]*)*|"[^"\\\n]*"|'[^'\n]*')`;
const words = new RegExp(String.raw`\[( *${word}(?: *, *${word})* *)\] *(?=\n|$)`, 'uy');
const oneWord = new RegExp(word, 'gu');
const blockStart = /([|>])(-?) *\n( +)(?=[^ \n])/uy;
const itemStart = /\n( *)- +/uy;
const nestedStart = /\n( +)(?=[A-Za-z_])/uy;

// At most so many tokens does the lexer find in one line that is read here, and so many values stand in it, per unit.
const tokensPerUnit = 10;
const tokensPerValue = 3;
const deepest = 4;

const space = 0x20;

type Value = Pick<Field, 'value' | 'scalar' | 'source'>;

/** A cursor over the text. Every method that reads leaves it behind what it read, or returns `undefined`. */
class SimpleReader {
  readonly #text: string;
  readonly #offset: number;
  readonly #limits: SkillLimits;
  #at = 0;
  #keys = 0;
  #units = 0;
  #escapes = 0;

  constructor(text: string, offset: number, limits: SkillLimits) {
    this.#text = text;
    this.#offset = offset;
    this.#limits = limits;
  }

  read(): ReadonlyMap<string, Field> | undefined {
    const fields = new Map<string, Field>();
    while (this.#at < this.#text.length) {
      if (this.#text.startsWith('\n', this.#at)) {
        this.#at += 1;
        this.#units += 1;
        continue;
      }
      const from = this.#at;
      const key = this.#key(fields);
      const value = key === undefined ? undefined : this.#value();
      if (key === undefined || value === undefined) return undefined;
      fields.set(key, { key, ...value, offset: this.#offset + from });
      this.#endLine();
    }
    return this.#withinLimits() ? fields : undefined;
  }

  // The limits count tokens and values, which are not known here: what might be over them is left to who counts.
  #withinLimits(): boolean {
    const { keys, values, depth } = this.#limits;
    return (
      depth >= deepest &&
      this.#keys <= keys &&
      this.#units * tokensPerUnit <= values * tokensPerValue &&
      this.#escapes <= values
    );
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#at = pattern.lastIndex;
    return match;
  }

  #endLine(): void {
    if (this.#text.startsWith('\n', this.#at)) this.#at += 1;
    this.#units += 1;
  }

  #key(known: ReadonlyMap<string, unknown>): string | undefined {
    this.#keys += 1;
    const key = this.#match(keyStart)?.[1];
    return key === undefined || key === '__proto__' || known.has(key) ? undefined : key;
  }

  #value(): Value | undefined {
    switch (this.#text.charAt(this.#at)) {
      case '|':
      case '>':
        return this.#block();
      case '[':
        return this.#words();
      case '\n':
        return this.#below();
      default:
        return this.#scalar();
    }
  }

  #scalar(): Value | undefined {
    const from = this.#at;
    switch (this.#text.charAt(from)) {
      case '':
      case '\n':
        return { value: null, scalar: { text: '', plain: true }, source: '' };
      case '"':
        return this.#quoted(this.#match(doubleQuoted), from, (inner) => this.#unescape(inner));
      case "'":
        return this.#quoted(this.#match(singleQuoted), from, (inner) => inner.replaceAll("''", "'"));
      default:
        return this.#plain();
    }
  }

  #plain(): Value | undefined {
    const text = withoutTrailingSpaces(this.#line());
    if (indicators.includes(text.charAt(0))) return undefined;
    if (text.endsWith(':') || text.includes(': ') || text.includes(' #')) return undefined;
    return { value: losslessValue(text), scalar: { text, plain: true }, source: text.trim() };
  }

  #quoted(match: RegExpExecArray | undefined, from: number, unquote: (inner: string) => string): Value | undefined {
    if (match === undefined) return undefined;
    const text = unquote(match[1] ?? '');
    return {
      value: text,
      scalar: { text, plain: false },
      source: withoutTrailingSpaces(this.#text.slice(from, this.#at)),
    };
  }

  #unescape(inner: string): string {
    if (!inner.includes('\\')) return inner;
    return inner.replaceAll(/\\(.)/gu, (escape, escaped: string) => {
      this.#escapes += escape.length;
      return escaped === 'n' ? '\n' : escaped;
    });
  }

  #words(): Value | undefined {
    const from = this.#at;
    const inner = this.#match(words)?.[1];
    if (inner === undefined) return undefined;
    const value = [...inner.matchAll(oneWord)].map(([one]) =>
      /^["']/u.test(one) ? one.slice(1, -1) : losslessValue(one),
    );
    this.#units += value.length;
    return { value, scalar: undefined, source: withoutTrailingSpaces(this.#text.slice(from, this.#at)) };
  }

  /** A literal (`|`) or folded (`>`) block of text without lines of spaces; a folded one has no line that is indented further. */
  #block(): Value | undefined {
    const from = this.#at;
    const [, style, chomp, indent = ''] = this.#match(blockStart) ?? [];
    if (style === undefined) return undefined;
    const lines: string[] = [];
    for (let line: string | undefined = this.#line(); line !== undefined; line = this.#nextBlockLine(indent)) {
      const odd = style === '>' ? line.startsWith(' ') || line.endsWith(' ') : line !== '' && /^ *$/u.test(line);
      if (odd) return undefined;
      lines.push(line);
      this.#units += 1;
    }
    while (lines.at(-1) === '') lines.pop();
    const content = style === '|' ? lines.join('\n') : fold(lines);
    const text = chomp === '-' ? content : `${content}\n`;
    return { value: text, scalar: { text, plain: false }, source: this.#text.slice(from, this.#at).trim() };
  }

  /** The rest of the line, without its line break. */
  #line(): string {
    const from = this.#at;
    const end = this.#text.indexOf('\n', from);
    this.#at = end === -1 ? this.#text.length : end;
    return this.#text.slice(from, this.#at);
  }

  #nextBlockLine(indent: string): string | undefined {
    const next = this.#at + 1;
    if (next >= this.#text.length) return undefined;
    if (this.#text.startsWith('\n', next)) {
      this.#at = next;
      return '';
    }
    if (!this.#text.startsWith(indent, next)) return undefined;
    this.#at = next + indent.length;
    return this.#line();
  }

  /** What stands on the lines below a key, indented: a list with one item a line, or a map with one key a line. */
  #below(): Value | undefined {
    const from = this.#at;
    const nested = this.#match(nestedStart)?.[1];
    if (nested !== undefined) return this.#map(nested, from);
    const item = this.#match(itemStart)?.[1];
    return item === undefined ? this.#scalar() : this.#list(item, from);
  }

  #list(indent: string, from: number): Value | undefined {
    const value: unknown[] = [];
    for (;;) {
      const item = this.#scalar();
      if (item === undefined || item.source === '') return undefined;
      value.push(item.value);
      this.#units += 1;
      if (!this.#text.startsWith(`\n${indent}- `, this.#at)) break;
      this.#match(itemStart);
    }
    return { value, scalar: undefined, source: this.#text.slice(from, this.#at).trim() };
  }

  #map(indent: string, from: number): Value | undefined {
    const entries = new Map<string, unknown>();
    for (;;) {
      const key = this.#key(entries);
      const value = this.#text.startsWith('[', this.#at) ? this.#words() : this.#scalar();
      if (key === undefined || value === undefined) return undefined;
      entries.set(key, value.value);
      this.#units += 1;
      if (!this.#text.startsWith(`\n${indent}`, this.#at)) break;
      this.#at += 1 + indent.length;
    }
    return { value: Object.fromEntries(entries), scalar: undefined, source: this.#text.slice(from, this.#at).trim() };
  }
}

// Not by an expression: one that looks for spaces at an end takes quadratic time where many stand elsewhere.
function withoutTrailingSpaces(text: string): string {
  if (!text.endsWith(' ')) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === space) end -= 1;
  return text.slice(0, end);
}

/** Lines of a folded block: a line break becomes a space, and n empty lines n line breaks (YAML 1.2, section 8.1.3). */
function fold(lines: readonly string[]): string {
  let text = lines[0] ?? '';
  let breaks = 0;
  for (const line of lines.slice(1)) {
    if (line === '') breaks += 1;
    else {
      text += (breaks === 0 ? ' ' : '\n'.repeat(breaks)) + line;
      breaks = 0;
    }
  }
  return text;
}
