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
  /** Rejected where the run is to be left as it is. @default it is not */
  readonly left?: Promise<never> | undefined;
}

/**
 * Works on a request to its answer. What the agent asks on the way goes to the person; where nobody answers, the record
 * is left open, so that the answer can be given later; so it is where the request was given up, and can go on.
 *
 * @throws what the run does; what `left` was rejected with, once the record is whole.
 */
export async function workToAnswer(agent: OpenAgent, { request, person, signal, left }: Work): Promise<RunSummary> {
  const run = await agent.start();
  const leaving = new AbortController();
  const how = { signal: AbortSignal.any([signal, leaving.signal]) };
  const orLeft = async <Value>(working: Promise<Value>): Promise<Value> =>
    left === undefined ? working : Promise.race([working, left]);
  let waiting = false;
  try {
    let answer = await orLeft<RunAnswer | undefined>(request === undefined ? run.goOn(how) : run.ask(request, how));
    while (answer?.stop === 'question') {
      waiting = true;
      const reply = await askPerson(answer.text, person, signal);
      if (reply === undefined) break;
      waiting = false;
      answer = await orLeft(run.ask(reply, how));
    }
    if (!waiting && !staysOpen(answer?.stop)) await run[Symbol.asyncDispose]();
  } catch (error) {
    try {
      if (!waiting) await run[Symbol.asyncDispose]();
    } finally {
      // In this order: of a run that is left, the end is no part of the record.
      await agent.record.close();
      leaving.abort();
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
