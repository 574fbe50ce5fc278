import { SkillsError, visibleLines, type RunAnswer, type RunSummary } from '@skillpack/core';
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
}

/**
 * Works on a request to its answer. What the agent asks on the way goes to the person; where nobody answers, the record
 * is left open, so that the answer can be given later; so it is where the request was given up, and can go on.
 *
 * @throws what the run does.
 */
export async function workToAnswer(agent: OpenAgent, { request, person, signal }: Work): Promise<RunSummary> {
  const run = await agent.start();
  let waiting = false;
  try {
    let answer: RunAnswer | undefined = await (request === undefined
      ? run.goOn({ signal })
      : run.ask(request, { signal }));
    while (answer?.stop === 'question') {
      waiting = true;
      const reply = await askPerson(answer.text, person, signal);
      if (reply === undefined) break;
      waiting = false;
      answer = await run.ask(reply, { signal });
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

/** What a person at the terminal says to a question; `undefined` for nothing, and for Ctrl-C. */
async function askPerson(
  question: string,
  person: Person | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const reply = await person?.ask(`${visibleLines(question)}\n> `, { signal });
    return reply === '' ? undefined : reply;
  } catch (error) {
    if (SkillsError.is(error, 'INTERRUPTED')) return undefined;
    throw error;
  }
}
