import { visibleLines, visibleText, type ScriptOutcome, type ScriptStream, type ToolOutcome } from '@skillpack/core';

/** How it is told. */
export interface DescribeEndOptions {
  /** @default nothing is taken out */
  readonly redact?: ((text: string) => string) | undefined;
  /** Milliseconds that it had. */
  readonly timeout: number;
}

/** UTF-16 code units of a stream that a model is shown. */
const shownLength = 6_000;

/** What a model, a record and a program are told of a command that has ended. */
export function describeEnd(outcome: ScriptOutcome, { redact = unchanged, timeout }: DescribeEndOptions): ToolOutcome {
  const { runner, command, exitCode, signal, timedOut } = outcome;
  const streams = (['stdout', 'stderr'] as const).map((name) => {
    const { bytes, size, cut } = outcome[name];
    const whole = textOf(outcome[name]);
    const text = redact(whole);
    // What is no text stays as it is, where there is nothing to take out of it.
    return { name, size, text, bytes: cut === undefined && text === whole ? bytes : new TextEncoder().encode(text) };
  });
  const error = errorOf(outcome, timeout);
  const ending = error?.message ?? 'The command ended with exit code 0.';
  const [stdout, stderr] = streams;
  return {
    ok: error === undefined,
    content: [ending, ...streams.map(({ name, size, text }) => showStream(name, size, text))].join('\n'),
    error,
    output: {
      runner,
      command: command.map((word) => redact(word)),
      exit_code: exitCode ?? null,
      signal: signal ?? null,
      timed_out: timedOut,
      stdout_bytes: stdout?.size ?? 0,
      stderr_bytes: stderr?.size ?? 0,
    },
    outputs: streams.map(({ name, bytes }) => ({ name, bytes })),
  };
}

function errorOf({ exitCode, signal, timedOut }: ScriptOutcome, timeout: number): ToolOutcome['error'] {
  if (timedOut) return { code: 'TIMEOUT', message: `The command took longer than ${timeout / 1_000} s and was ended.` };
  if (exitCode === 0) return undefined;
  const how =
    exitCode === undefined ? `was ended by ${visibleText(signal ?? 'a signal')}` : `ended with exit code ${exitCode}`;
  return { code: 'EXIT_NONZERO', message: `The command ${how}.` };
}

/** What was left out is told of in its place. Both sides are texts of their own. */
function textOf({ bytes, cut, size }: ScriptStream): string {
  const decode = (part: Uint8Array): string => new TextDecoder().decode(part);
  if (cut === undefined) return decode(bytes);
  const left = `\n… ${size - bytes.length} bytes were left out here, and were not kept …\n`;
  return `${decode(bytes.subarray(0, cut))}${left}${decode(bytes.subarray(cut))}`;
}

function showStream(name: string, size: number, text: string): string {
  if (size === 0) return `Its ${name} is empty.`;
  const visible = visibleLines(text);
  if (visible.length <= shownLength) return `Its ${name}, ${size} bytes:\n${visible}`;
  const note = `\n… ${visible.length} characters in all; the whole is in the record as ${name} …\n`;
  const side = Math.floor((shownLength - note.length) / 2);
  const head = visible.slice(0, side).toWellFormed();
  const tail = visible.slice(visible.length - side).toWellFormed();
  return `Its ${name}, ${size} bytes:\n${head}${note}${tail}`;
}

function unchanged(text: string): string {
  return text;
}
