import type { JsonValue } from '@skillpack/core';
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { compilePattern } from './compile-pattern.js';

/** Of one value: about a second, whatever the schema is. */
const mostSteps = 20_000_000;

/** Characters of a text that are looked at in one step, and instructions of a pattern times characters. */
const charactersOfStep = 64;
const matchesOfStep = 10;

/** Nobody says whether a value follows a schema, as that would take too long, or never end. */
export class SchemaTooCostly extends Error {
  constructor(why = `it takes more than ${mostSteps} steps`, cause?: unknown) {
    super(why, { cause });
    this.name = 'SchemaTooCostly';
  }
}

/**
 * A compiler whose validators give up where they take too long, as those of a short schema can that refers to itself twice.
 * A call of one part of a schema counts by how long that part is, and by how much it is handed.
 */
export class CountingAjv extends Ajv2020 {
  /** Schemas themselves are held to a schema, too, and that has its end. */
  #left = Infinity;
  #sizes: ReadonlyMap<object, number> = new Map();

  constructor(options: Options) {
    super({
      ...options,
      // What is referred to is a function of its own, and so is counted.
      inlineRefs: false,
      code: {
        process: counted,
        // ajv calls it while it compiles, which is after it was made.
        regExp: Object.assign((pattern: string) => this.#linearRegExp(pattern), { code: 'linearRegExp' }),
      },
    });
    // That of ajv compares each item with each other one.
    this.removeKeyword('uniqueItems');
    this.addKeyword({
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      validate: (wanted: boolean, items: readonly JsonValue[]) => !wanted || areDistinct(items),
      error: { message: 'must NOT have duplicate items' },
    });
  }

  /** Whether a value follows a schema that it compiled. @throws `SchemaTooCostly`; `RangeError` for what goes too deep. */
  holds(validate: ValidateFunction, value: JsonValue): boolean {
    this.#sizes = sizesIn(value);
    this.#left = mostSteps;
    try {
      return validate(value);
    } finally {
      this.#left = Infinity;
    }
  }

  /** @throws `SchemaTooCostly`. */
  step(value: unknown, length: number): void {
    const known = typeof value === 'object' && value !== null ? this.#sizes.get(value) : undefined;
    this.#count(length * (known ?? sizeOf(value)));
  }

  #count(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new SchemaTooCostly();
  }

  #linearRegExp(pattern: string) {
    const compiled = compilePattern(pattern, '');
    const size = compiled.programSize() / matchesOfStep;
    return {
      test: (text: string) => {
        this.#count(text.length * size);
        return compiled.matcher(text).find();
      },
      // ajv tells patterns apart by that: two that say the same count as one.
      toString: () => `re2 ${pattern}`,
    };
  }
}

/** The code of a part of a schema, with a call that counts how often it is run. ajv calls its compiler `self` there. */
function counted(code: string): string {
  const begins = /\bfunction validate\d+\(data[^)]*\)\{/u;
  const [begin] = begins.exec(code) ?? [];
  if (begin === undefined) throw new Error('what ajv made of it is not known');
  return code.replace(begin, () => `${begin}self.step(data, ${Math.ceil(code.length / 1_000)});`);
}

/** How much an object or a list holds, with all that is in it, for each of them. */
function sizesIn(value: JsonValue): ReadonlyMap<object, number> {
  const sizes = new Map<object, number>();
  const measure = (part: JsonValue): number => {
    if (typeof part !== 'object' || part === null) return sizeOf(part);
    let size = 1;
    for (const [key, inner] of Object.entries(part)) size += sizeOf(key) + measure(inner);
    sizes.set(part, size);
    return size;
  };
  measure(value);
  return sizes;
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' ? 1 + value.length / charactersOfStep : 1;
}

function areDistinct(items: readonly JsonValue[]): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const key = JSON.stringify(item, (_, part: unknown) => sorted(part));
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

function sorted(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
