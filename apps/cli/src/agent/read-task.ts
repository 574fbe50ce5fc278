import { addAbortSignal, type Readable } from 'node:stream';
import { SkillsError } from '@skillpack/core';
import type { Reporter } from '../frame/reporter.js';

const maxBytes = 256 * 1024;

/** What is read of standard input. */
export interface TaskPorts {
  readonly stdin: Readable;
  readonly signal: AbortSignal;
  readonly reporter: Reporter;
}

/**
 * The task that a command line states: its words, or with `-` what stands on standard input.
 *
 * @throws `USAGE` for one that says nothing, `FILE_TOO_LARGE`, `INTERRUPTED`.
 */
export async function readTask(words: readonly string[], ports: TaskPorts): Promise<string> {
  const text = words.length === 1 && words[0] === '-' ? await readStandardInput(ports) : words.join(' ');
  if (text.trim() !== '') return text.trim();
  throw new SkillsError('USAGE', 'The task is empty.', { hint: 'Say what the agent is to do: skills run "…".' });
}

async function readStandardInput({ stdin, signal, reporter }: TaskPorts): Promise<string> {
  if ('isTTY' in stdin && stdin.isTTY === true) reporter.step('Type the task. Ctrl-D on an empty line ends it.');
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of addAbortSignal(signal, stdin)) {
    // A stream without an encoding gives bytes.
    const bytes = piece as Buffer;
    size += bytes.length;
    if (size > maxBytes) {
      throw new SkillsError('FILE_TOO_LARGE', `The task has more than ${maxBytes} bytes.`, {
        hint: 'Put what is long into a file of the project, and name the file in the task.',
        data: { limit: maxBytes },
      });
    }
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString('utf8');
}
