import { SkillsError, visibleLines, type RunAnswer, type RunSummary } from '@skillpack/core';
import type { AnswerStream } from '../render/stream-answer.js';
import type { OpenAgent } from './open-agent.js';
import type { Person } from './person.js';
import { staysOpen } from './stays-open.js';

/** What an agent works on. */
export interface Work {
  /** @default the request that was cut off */
  readonly request: string | undefined;
  /** Who answers what the agent asks; `undefined` where there is no terminal. */
  readonly person: Person | undefined;
  readonly signal: AbortSignal;
  /** Where the answer is shown while the model writes it. @default nowhere */
  readonly stream?: AnswerStream | undefined;
}

/**
 * Works on a request to its answer. What the agent asks on the way goes to the person; where nobody answers, the record
 * is left open, so that the answer can be given later; so it is where the request was given up, and can go on.
 *
 * @throws what the run does.
 */
export async function workToAnswer(agent: OpenAgent, { request, person, signal, stream }: Work): Promise<RunSummary> {
  const run = await agent.start();
  const how = { signal, onAnswer: stream?.onAnswer };
  let waiting = false;
  try {
    let answer: RunAnswer | undefined = await (request === undefined ? run.goOn(how) : run.ask(request, how));
    while (answer?.stop === 'question') {
      waiting = true;
      const shown = person !== undefined && stream?.end(answer.text) === true;
      const reply = await askPerson(shown ? '' : answer.text, person, signal);
      if (reply === undefined) break;
      waiting = false;
      answer = await run.ask(reply, how);
    }
    if (!waiting && !staysOpen(answer?.stop)) await run[Symbol.asyncDispose]();
  } catch (error) {
    try {
      if (!waiting) await run[Symbol.asyncDispose]();
    } finally {
      await agent.record.close();
    }
    throw error;
  }
  return agent.record.finish();
}

/** What a person at the terminal says to a question, or to the one that they see already; `undefined` for nothing, and for Ctrl-C. */
async function askPerson(
  question: string,
  person: Person | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const lines = question === '' ? '' : `${visibleLines(question)}\n`;
    const reply = await person?.ask(`${lines}> `, { signal });
    return reply === '' ? undefined : reply;
  } catch (error) {
    if (SkillsError.is(error, 'INTERRUPTED')) return undefined;
    throw error;
  }
}
