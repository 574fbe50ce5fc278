import { isAlias, isMap, isScalar, isSeq, parseDocument, type Document, type Node, type Pair } from 'yaml';
import { quoted } from '../errors/quoted.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import { judgeTokens } from './judge-tokens.js';
import { losslessValue } from './plain-scalar.js';
import type { SkillLimits } from './skill-limits.js';

/** One field of the front matter. */
export interface Field {
  readonly key: string;
  /** As {@link SkillHead.frontMatter} promises it. */
  readonly value: unknown;
  /** The text of a scalar, and whether it was written without quotes; `undefined` for lists and maps. */
  readonly scalar: { readonly text: string; readonly plain: boolean } | undefined;
  /** The value as it is written. */
  readonly source: string;
  /** Where it begins in the file. */
  readonly offset: number;
}

/** What came of reading YAML. A `refused` one is in the log already; an `invalid` one may still be repaired. */
export type YamlFields =
  | { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, Field> }
  | { readonly kind: 'invalid'; readonly problem: string; readonly offset: number }
  | { readonly kind: 'refused' };

/** A piece of YAML and where in the file it stands. */
export interface YamlText {
  readonly text: string;
  readonly offset: number;
  /** Whether it is known to hold no control characters but tabs and line feeds, and nothing invisible. @default false */
  readonly visible?: boolean | undefined;
}

/** Reads the top-level map of a piece of YAML under `limits`. Nothing in it is executed or turned into an object of a class. */
export function readYaml(yaml: YamlText, log: DiagnosticLog, limits: SkillLimits): YamlFields {
  const reason = judgeTokens(yaml.text, limits);
  if (reason !== undefined) return refuse(yaml.offset, reason, log);
  let document: Document.Parsed;
  try {
    // The line break: at the very end of its text the library takes an escaped quote ('') for the closing one.
    document = parseDocument(`${yaml.text}\n`, {
      // Every scalar stays the text it is; `1.10` and `2024-01-01` are not numbers and dates here.
      schema: 'failsafe',
      resolveKnownTags: false,
      // The library compares every key with every other; readMap does it in linear time.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    });
  } catch {
    // The library recurses by level, and hostile text may find a defect in it: whatever it throws is about this text.
    return refuse(yaml.offset, 'it has too many levels', log);
  }
  const [error] = document.errors;
  if (error !== undefined) {
    return { kind: 'invalid', problem: error.message, offset: yaml.offset + error.pos[0] };
  }
  for (const warning of document.warnings) {
    log.report('yaml-tag', {
      at: { offset: yaml.offset + warning.pos[0] },
      message: warning.message,
      fix: 'The value was read as if it had no tag. Remove the tag.',
    });
  }
  if (document.contents === null) return { kind: 'fields', fields: new Map() };
  return new YamlReader(yaml, log, limits).readDocument(document.contents);
}

function refuse(offset: number, reason: string, log: DiagnosticLog): YamlFields {
  log.report('front-matter-too-complex', {
    at: { offset },
    message: `The front matter is refused: ${reason}.`,
    fix: 'Keep to the fields of the specification, and move data into files beside SKILL.md.',
  });
  return { kind: 'refused' };
}

/** A value, and of how many it is made, aliases spelled out. */
interface Weighed {
  readonly value: unknown;
  readonly weight: number;
}

class LimitExceeded extends Error {}

class UnknownAlias extends Error {
  readonly offset: number;

  constructor(name: string, offset: number) {
    super(`the alias *${name} stands for nothing that came before it`);
    this.offset = offset;
  }
}

class YamlReader {
  readonly #anchors = new Map<string, Weighed>();
  readonly #yaml: YamlText;
  readonly #log: DiagnosticLog;
  readonly #limits: SkillLimits;
  #keys = 0;

  constructor(yaml: YamlText, log: DiagnosticLog, limits: SkillLimits) {
    this.#yaml = yaml;
    this.#log = log;
    this.#limits = limits;
  }

  readDocument(root: Node): YamlFields {
    const offset = this.#yaml.offset + (root.range?.[0] ?? 0);
    if (isScalar(root) && root.value === '' && root.type === 'PLAIN') return { kind: 'fields', fields: new Map() };
    if (!isMap(root)) {
      this.#log.report('yaml-not-map', {
        at: { offset },
        message: `The front matter is ${isSeq(root) ? 'a list' : `the text ${quoted(this.#source(root))}`}, not fields.`,
        fix: 'Write one field a line: name: and description: at least.',
      });
      return { kind: 'refused' };
    }
    try {
      return { kind: 'fields', fields: this.#readFields(root.items) };
    } catch (error) {
      if (error instanceof LimitExceeded) return refuse(offset, error.message, this.#log);
      if (error instanceof UnknownAlias) return { kind: 'invalid', problem: error.message, offset: error.offset };
      throw error;
    }
  }

  #readFields(items: readonly Pair[]): Map<string, Field> {
    const fields = new Map<string, Field>();
    let weight = 0;
    for (const pair of items) {
      const key = this.#readKey(pair, fields);
      const node = pair.value as Node | null;
      const read = this.#read(node, 1);
      weight += read.weight;
      this.#checkWeight(weight);
      if (key === undefined) continue;
      const resolved = isScalar(node)
        ? { text: String(node.value), plain: node.type === 'PLAIN' && !node.tag }
        : undefined;
      fields.set(key, {
        key,
        value: read.value,
        scalar: node === null ? { text: '', plain: true } : (resolved ?? scalarOfAlias(node, read.value)),
        source: node === null ? '' : this.#source(node),
        offset: this.#offset(pair.key as Node | null),
      });
    }
    return fields;
  }

  #read(node: Node | null, depth: number): Weighed {
    if (depth > this.#limits.depth) throw new LimitExceeded(`it has more than ${this.#limits.depth} levels`);
    if (node === null) return { value: null, weight: 1 };
    if (isAlias(node)) return this.#readAlias(node.source, node);
    const read = this.#readContent(node, depth);
    this.#checkWeight(read.weight);
    if ('anchor' in node && typeof node.anchor === 'string') this.#anchors.set(node.anchor, read);
    return read;
  }

  #readContent(node: Node, depth: number): Weighed {
    if (isMap(node)) return this.#readMap(node.items, depth);
    if (isSeq(node)) {
      const items = node.items.map((item) => this.#read(item as Node | null, depth + 1));
      return { value: items.map(({ value }) => value), weight: sum(items) };
    }
    if (!isScalar(node)) return { value: null, weight: 1 };
    const text = String(node.value);
    return { value: node.type === 'PLAIN' && !node.tag ? losslessValue(text) : text, weight: 1 };
  }

  #readMap(items: readonly Pair[], depth: number): Weighed {
    const entries = new Map<string, unknown>();
    const read: Weighed[] = [];
    for (const pair of items) {
      const key = this.#readKey(pair, entries);
      const value = this.#read(pair.value as Node | null, depth + 1);
      read.push(value);
      if (key !== undefined) entries.set(key, value.value);
    }
    return { value: Object.fromEntries(entries), weight: sum(read) };
  }

  /** An alias shares its value, but weighs all of it: whoever writes the value out spells it out. */
  #readAlias(name: string, node: Node): Weighed {
    const target = this.#anchors.get(name);
    if (target === undefined) throw new UnknownAlias(name, this.#offset(node));
    return target;
  }

  #readKey(pair: Pair, known: ReadonlyMap<string, unknown>): string | undefined {
    this.#keys += 1;
    if (this.#keys > this.#limits.keys) throw new LimitExceeded(`it has more than ${this.#limits.keys} keys`);
    const node = pair.key as Node | null;
    const at = { offset: this.#offset(node) };
    if (!isScalar(node) || node.value === '' || this.#source(node).includes('\n')) {
      this.#log.report('key-not-text', {
        at,
        message: `The key ${quoted(node === null ? '' : this.#source(node))} is not a word.`,
        fix: 'It was left out. Give the field a name.',
      });
      return undefined;
    }
    const key = String(node.value);
    if (key === '__proto__') {
      this.#log.report('unsafe-key', { at, message: 'A key is called __proto__.', fix: 'It was left out.' });
      return undefined;
    }
    if (key === '<<' && node.type === 'PLAIN') {
      this.#log.report('merge-key', {
        at,
        message: 'A merge key (<<) is not followed.',
        fix: 'Write the fields out.',
      });
    }
    if (known.has(key)) {
      this.#log.report('duplicate-key', {
        at,
        message: `The field ${quoted(key)} occurs more than once.`,
        fix: 'The last one counts. Remove the others.',
      });
    }
    return key;
  }

  #checkWeight(weight: number): void {
    if (weight > this.#limits.values) throw new LimitExceeded(`it has more than ${this.#limits.values} values`);
  }

  #source(node: Node): string {
    const range = node.range;
    return range ? this.#yaml.text.slice(range[0], range[1]).trim() : '';
  }

  #offset(node: Node | null): number {
    return this.#yaml.offset + (node?.range?.[0] ?? 0);
  }
}

function sum(items: readonly Weighed[]): number {
  return items.reduce((total, { weight }) => total + weight, 1);
}

function scalarOfAlias(node: Node, value: unknown): Field['scalar'] {
  if (!isAlias(node)) return undefined;
  if (typeof value === 'string') return { text: value, plain: false };
  if (typeof value === 'number' || typeof value === 'boolean') return { text: String(value), plain: true };
  return value === null ? { text: '', plain: true } : undefined;
}
