import { SkillsError, visibleLines, type RunSummary } from '@skillpack/core';
import type { OpenAgent } from './open-agent.js';
import type { Person } from './person.js';

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
 * is left open, so that the answer can be given later.
 *
 * @throws what the run does.
 */
export async function workToAnswer(agent: OpenAgent, { request, person, signal }: Work): Promise<RunSummary> {
  const run = await agent.start();
  let waiting = false;
  try {
    let answer = request === undefined ? await run.goOn({ signal }) : await run.ask(request, { signal });
    while (answer?.stop === 'question') {
      waiting = true;
      const reply = await askPerson(answer.text, person, signal);
      if (reply === undefined) break;
      waiting = false;
      answer = await run.ask(reply, { signal });
    }
  } finally {
    if (!waiting) await run[Symbol.asyncDispose]();
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
