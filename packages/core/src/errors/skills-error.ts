import type { ErrorCode, ErrorKind } from './codes.js';
import { errorKinds } from './error-kinds.js';
import { visibleLines } from './visible-text.js';
import { textWithoutCredentials } from './without-credentials.js';

const brand = Symbol.for('skillpack.SkillsError');

/** What belongs to an error besides its code and its message. */
export interface SkillsErrorOptions {
  /** The next thing to do, as a sentence. */
  readonly hint?: string | undefined;
  /** What led to it. */
  readonly cause?: unknown;
  /** The values the message speaks of, for programs. Never a secret. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Every failure that skillpack foresees. The message names the thing and both values; {@link hint} says what to do.
 * Message and hint hold no control, escape or bidirectional characters and no credentials of URLs, whatever they were
 * made from, and at most 4,000 characters.
 *
 * Test for it with {@link SkillsError.is}, not `instanceof`: two copies of this package in one process are normal.
 *
 * @example
 * ```ts
 * try {
 *   parsePackName('pdf');
 * } catch (error) {
 *   if (SkillsError.is(error, 'INVALID_PACK_NAME')) report(error.message, error.hint);
 *   else throw error;
 * }
 * ```
 */
export class SkillsError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: SkillsErrorOptions = {}) {
    super(presentable(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SkillsError';
    this.code = code;
    this.hint = options.hint === undefined ? undefined : presentable(options.hint);
    this.data = options.data ?? {};
    Object.defineProperty(this, brand, { value: true });
  }

  /** What the code means for a caller; see {@link ErrorKind}. */
  get kind(): ErrorKind {
    return errorKinds[this.code];
  }

  /** What a log or an answer over HTTP may hold of it: neither its cause nor its stack. */
  toJSON(): {
    readonly name: string;
    readonly code: ErrorCode;
    readonly message: string;
    readonly hint: string | undefined;
    readonly data: Readonly<Record<string, unknown>>;
  } {
    const { name, code, message, hint, data } = this;
    return { name, code, message, hint, data };
  }

  /** Whether `error` is a SkillsError, of this code if one is given, from this copy of the package or another. */
  static is(error: unknown, code?: ErrorCode): error is SkillsError {
    if (typeof error !== 'object' || error === null) return false;
    try {
      // Whoever carries the brand was made by this constructor, in this copy of the package or another.
      return brand in error && (code === undefined || (error as unknown as SkillsError).code === code);
    } catch {
      // Foreign code throws what it likes: proxies that cannot even be asked, fields that throw when they are read.
      return false;
    }
  }

  /** Whether `error` is a SkillsError of this kind: `SkillsError.isKind(error, 'not-found')`. */
  static isKind(error: unknown, kind: ErrorKind): error is SkillsError {
    if (!SkillsError.is(error)) return false;
    try {
      return error.kind === kind;
    } catch {
      // It may have a code that this version does not know, or none that can be read.
      return false;
    }
  }
}

const maxLength = 4_000;

function presentable(text: string): string {
  // Cut first, so that a message made from a file of megabytes costs nothing; far beyond the end of what is shown, so
  // that no URL is cut there before its `@`.
  return cut(visibleLines(textWithoutCredentials(text.slice(0, 16 * maxLength))));
}

function cut(text: string): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
