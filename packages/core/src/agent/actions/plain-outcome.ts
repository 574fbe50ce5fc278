import { quoted } from '../../errors/quoted.js';
import { SkillsError } from '../../errors/skills-error.js';
import type { ScriptOutcome, ScriptStream } from '../../tool/script-runner.js';
import { plainBytes } from '../plain-bytes.js';

/**
 * How a runner says that a script ended, in the form that a record has.
 *
 * @throws `INTERNAL` for an answer that is none.
 */
export function plainOutcome(answer: unknown, path: string): ScriptOutcome {
  if (typeof answer !== 'object' || answer === null)
    throw new SkillsError('INTERNAL', `The runner does not say how ${quoted(path)} ended.`);
  const { runner, command, exitCode, signal, timedOut, stdout, stderr } = answer as Readonly<Record<string, unknown>>;
  return {
    runner: typeof runner === 'string' ? runner : '',
    command: Array.isArray(command) ? command.map(String) : [],
    exitCode: Number.isSafeInteger(exitCode) ? Number(exitCode) : undefined,
    signal: typeof signal === 'string' ? signal : undefined,
    timedOut: timedOut === true,
    stdout: plainStream(stdout),
    stderr: plainStream(stderr),
  };
}

function plainStream(stream: unknown): ScriptStream {
  const given = typeof stream === 'object' && stream !== null ? (stream as Readonly<Record<string, unknown>>) : {};
  const bytes = plainBytes(given['bytes']) ?? new Uint8Array();
  return {
    bytes,
    size: countOf(given['size']) ?? bytes.length,
    cut: countOf(given['cut']),
  };
}

function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
