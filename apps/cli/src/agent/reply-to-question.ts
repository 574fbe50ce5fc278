import { SkillsError, summariseRun, visibleLines } from '@skillpack/core';
import type { StoredRun } from '@skillpack/runs-fs';
import type { Person } from './person.js';
import { shellLine } from './approving-command.js';
import { readTask, type TaskPorts } from './read-task.js';
import { resumingCommand } from './resume-command.js';

/** Who may answer. */
export interface ReplyPorts extends TaskPorts {
  /** The command line, without the program. */
  readonly words: readonly string[];
  /** `undefined` where there is no terminal. */
  person(): Promise<Person | undefined>;
}

/**
 * What a person says to the question that a run waits with: the words of the command line, else what they type now;
 * `undefined` where the run waits for nothing.
 *
 * @throws `USAGE` where a reply is missing, and for one where nothing was asked; what `readTask` throws.
 */
export async function replyToQuestion(
  { id, events }: Pick<StoredRun, 'id' | 'events'>,
  words: readonly string[],
  ports: ReplyPorts,
): Promise<string | undefined> {
  const last = summariseRun(events).requests.at(-1)?.answer;
  const question = last?.stop === 'question' ? last.text : undefined;
  if (words.length > 0) {
    if (question !== undefined) return readTask(words, ports);
    throw new SkillsError('USAGE', `The run ${id} asked nothing that could be answered.`, {
      hint: `To go on with it: ${shellLine(resumingCommand(id, { words: ports.words, trusted: false }))}`,
      data: { run: id },
    });
  }
  if (question === undefined) return undefined;
  const person = await ports.person();
  const reply = await person?.ask(`${visibleLines(question)}\n> `, { signal: ports.signal });
  if (reply !== undefined && reply !== '') return reply;
  throw new SkillsError('USAGE', `The run ${id} waits for an answer to: ${question}`, {
    hint: `To answer: ${shellLine(resumingCommand(id, { words: ports.words, trusted: false }, ['your answer']))}`,
    data: { run: id, question },
  });
}
