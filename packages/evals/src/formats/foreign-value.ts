import type { JsonObject, JsonValue } from '@skillpack/core';

/**
 * A value of a file of another tool that knows whether it was taken over: what nobody took is told at the end, so that
 * nothing is dropped in silence.
 */
export class ForeignValue {
  readonly value: JsonValue;
  /** The path of the value in the file: `evals.3.prompt`. Empty for the whole of it. */
  readonly at: string;
  readonly #children = new Map<string, ForeignValue>();
  #taken = false;

  constructor(value: JsonValue, at: string) {
    this.value = value;
    this.at = at;
  }

  /** The field of the first of these names that is there and not null. */
  field(...names: readonly string[]): ForeignValue | undefined {
    const name = names.find((each) => this.has(each) && this.object?.[each] !== null);
    return name === undefined ? undefined : this.#child(name);
  }

  /** Whether there is such a field, be it null. */
  has(name: string): boolean {
    return this.object !== undefined && Object.hasOwn(this.object, name);
  }

  /** The value as an object; `undefined` for every other. */
  get object(): JsonObject | undefined {
    return isObject(this.value) ? this.value : undefined;
  }

  /** Whether it is a list. */
  get list(): boolean {
    return Array.isArray(this.value);
  }

  /** The entries of a list; none for every other value. */
  items(): readonly ForeignValue[] {
    return Array.isArray(this.value) ? this.value.map((_, index) => this.#child(String(index))) : [];
  }

  /** The fields of an object; none for every other value. */
  fields(): readonly (readonly [name: string, value: ForeignValue])[] {
    return Object.keys(this.object ?? {}).map((name) => [name, this.#child(name)] as const);
  }

  /** Says that it is accounted for, with everything in it. */
  take(): JsonValue {
    this.#taken = true;
    return this.value;
  }

  /** It as a text, which is then taken; a number or a truth value as one, too. */
  text(): string | undefined {
    if (typeof this.value === 'object') return undefined;
    this.take();
    return String(this.value);
  }

  /** It as a number, which is then taken; a text that is one counts, too. */
  number(): number | undefined {
    const number = typeof this.value === 'string' && this.value.trim() !== '' ? Number(this.value) : this.value;
    if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
    this.take();
    return number;
  }

  /** A list of texts, or one text, which are then taken; `undefined` for what is neither. */
  texts(): readonly string[] | undefined {
    const text = typeof this.value === 'string' ? this.text() : undefined;
    if (text !== undefined) return [text];
    if (!Array.isArray(this.value) || !this.value.every((item) => typeof item === 'string')) return undefined;
    this.take();
    return this.value;
  }

  /** What is in it and nobody took, the outermost values; nothing that is empty. */
  *left(): Generator<ForeignValue> {
    if (this.#taken || isEmpty(this.value)) return;
    const inner = [...this.fields().map(([, field]) => field), ...this.items()];
    if (inner.length === 0 || !this.#touched) yield this;
    else for (const child of inner) yield* child.left();
  }

  get #touched(): boolean {
    return this.#taken || [...this.#children.values()].some((child) => child.#touched);
  }

  #child(name: string): ForeignValue {
    const known = this.#children.get(name);
    if (known !== undefined) return known;
    const value = (this.value as Readonly<Record<string, JsonValue>>)[name] ?? null; // a list has numbers as names
    const child = new ForeignValue(value, this.at === '' ? name : `${this.at}.${name}`);
    this.#children.set(name, child);
    return child;
  }
}

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}
