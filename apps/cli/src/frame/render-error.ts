import { SkillsError, visibleLines } from '@skillpack/core';
import type { Style } from './style.js';

/** An error as JSON and as text. */
export interface ErrorReport {
  readonly json: {
    readonly code: string;
    readonly message: string;
    readonly hint: string | null;
    readonly data: unknown;
  };
  text(style: Style): string;
}

const unexpectedHint =
  'This is a defect of skillpack. Run it again with --verbose, and report what it prints with the command you ran.';

/** What is told of an error; of one that nobody foresaw, that it is a defect. `verbose` adds the stack and the causes. */
export function reportError(error: unknown, verbose: boolean): ErrorReport {
  const known = SkillsError.is(error);
  const code = known ? error.code : 'INTERNAL';
  const message = known ? error.message : visibleLines(error instanceof Error ? error.message : String(error));
  const hint = known ? error.hint : unexpectedHint;
  return {
    json: { code, message, hint: hint ?? null, data: known ? error.data : {} },
    text: (style) => {
      const lines = [`${style.red(`error[${code}]`)}: ${message}`];
      if (hint !== undefined && hint !== '') lines.push(`${style.cyan('hint')}: ${hint}`);
      if (verbose) lines.push(...stackLines(error).map(style.dim));
      return `${lines.join('\n')}\n`;
    },
  };
}

function stackLines(error: unknown): string[] {
  const lines: string[] = [];
  let present = error;
  for (let depth = 0; present instanceof Error && depth < 8; depth += 1) {
    if (depth > 0) lines.push(`caused by ${visibleLines(present.stack ?? present.message)}`);
    else lines.push(visibleLines(present.stack ?? present.message));
    present = present.cause;
  }
  return lines.flatMap((text) => text.split('\n'));
}
