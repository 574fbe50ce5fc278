import { hash } from 'node:crypto';
import { quoted, SkillsError, type Digest } from '@skillpack/core';
import * as z from 'zod/mini';

/** What is said of a file: of the text that is told of it, as the tools that read have it. */
export interface ToldFile {
  /** The text itself. `undefined` for what is no UTF-8. */
  readonly text: string | undefined;
  /** Without its secrets. */
  readonly told: string | undefined;
  /** Bytes of what is told. */
  readonly size: number;
  /** Of what is told: that of a short secret would tell it to whoever tries them all. */
  readonly digest: Digest;
}

/** Describes a file by its bytes. */
export function tellFile(bytes: Uint8Array, redact: (text: string) => string): ToldFile {
  const text = textOf(bytes);
  const told = text === undefined ? undefined : redact(text);
  const seen = told === undefined || told === text ? bytes : new TextEncoder().encode(told);
  // Cast: 64 lower-case hexadecimal digits are what `hex` means.
  return { text, told, size: seen.length, digest: `sha256:${hash('sha256', seen, 'hex')}` as Digest };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The schema of the digest that a file is to have before. */
export function makeExpectedDigest() {
  return z.optional(z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/u))).register(z.globalRegistry, {
    description: 'The digest that read_file told: nothing is done where the file is another by now.',
  });
}

/** @throws `FILE_CHANGED` for another digest than the expected one. */
export function checkExpected(
  path: string,
  { expected, actual }: { readonly expected: string | undefined; readonly actual: Digest | undefined },
): void {
  if (expected === undefined || expected === actual) return;
  const is = actual === undefined ? 'is not there, or too large' : `has digest ${actual}`;
  throw new SkillsError('FILE_CHANGED', `${quoted(path)} ${is}; expected was ${expected}. Nothing was changed.`, {
    hint: 'Read it again, and decide anew.',
    data: { expected, ...(actual === undefined ? {} : { actual }) },
  });
}

/** The bytes of a text. @throws `INVALID_INPUT` for what is no Unicode, `FILE_TOO_LARGE`. */
export function bytesOf(text: string, path: string, fileBytes: number): Uint8Array {
  if (!text.isWellFormed()) {
    throw new SkillsError('INVALID_INPUT', `The text for ${quoted(path)} holds half a character.`, {
      hint: 'A surrogate stands alone in it.',
    });
  }
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= fileBytes) return bytes;
  throw tooLargeToWrite(path, bytes.length, fileBytes);
}

/** That a file would have more bytes, at least as many, than are written. */
export function tooLargeToWrite(path: string, size: number, fileBytes: number): SkillsError {
  return new SkillsError(
    'FILE_TOO_LARGE',
    `${quoted(path)} would have ${size} bytes; at most ${fileBytes} are written.`,
    {
      hint: 'Write it in several files.',
      data: { size, maxBytes: fileBytes },
    },
  );
}

/** A number with the word for what is counted. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
