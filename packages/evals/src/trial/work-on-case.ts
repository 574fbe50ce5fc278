import {
  startRun,
  type MemoryJournal,
  type ModelAdapter,
  type RunAnswer,
  type RunState,
  type StopReason,
} from '@skillpack/core';
import { agentLimits } from './agent-limits.js';
import type { OpenGround, OpenJob } from './eval-ports.js';
import { guardModel } from './guard-model.js';
import type { TrialPorts } from './trial-ports.js';
import { TrialWatch, type TrialEnd } from './trial-watch.js';

/** What an agent made of a case. */
export interface Worked {
  /** As the record has them, one a line of the person; the last is missing where it came to no end. */
  readonly answers: readonly string[];
  /** What was told of each while it was made. */
  readonly streamed: readonly string[];
  /** Of the last line that was worked on. */
  readonly last: RunAnswer | undefined;
  /** What ended it before its end. @default the agent came to an end by itself */
  readonly end: TrialEnd | undefined;
  readonly state: RunState;
  /** Calls of the model that were answered. */
  readonly answered: number;
  /** Milliseconds that the model had been waited for in the end; 0 where it had answered. */
  readonly waited: number;
}

/** What an agent works on a case with. */
export interface WorkPlace {
  readonly ground: OpenGround;
  readonly model: ModelAdapter;
  readonly journal: MemoryJournal;
  readonly redact: (text: string) => string;
}

/**
 * Lets an agent of core work on a case, all lines of the person one after another in one run.
 *
 * @throws what keeps a run from beginning, as a system text that leaves no room.
 */
export async function workOnCase(
  open: OpenJob,
  { ground, model, journal, redact }: WorkPlace,
  {
    clock,
    sha256,
    id,
    signal,
  }: Pick<TrialPorts, 'clock' | 'sha256'> & { readonly id: string; readonly signal: AbortSignal },
): Promise<Worked> {
  using watch = new TrialWatch(open.case, { clock, signal });
  const guarded = guardModel(model, watch, () => clock.now());
  const { conversation, kind, offer } = open.case;
  await using run = await startRun(
    { ...ground.agent, registry: open.registry, model: guarded.model, journal, clock, sha256 },
    {
      ...ground.options,
      id,
      redact,
      limits: agentLimits(open.case),
      preload: offer.preload,
      ...(kind === 'trigger' && { bodiesPerTurn: mostAtOnce }),
      // What nobody knows the price of is told as that; a budget is kept by who opens models.
      unknownCost: 'go-on',
      rejectedAnswer: 'leave-out',
      signal: watch.signal,
      onEvent: (event) => {
        watch.onEvent(event);
        ground.onEvent?.(event);
      },
    },
  );
  const answers: string[] = [];
  const streamed: string[] = [];
  let last: RunAnswer | undefined;
  for (const { input } of conversation) {
    const told = new ToldAnswer();
    last = await run.ask(input, { signal: watch.signal, onAnswer: told.listen });
    // What core says of a request that came to no end is no answer, also where it quotes the person.
    if (!last.degraded) answers.push(last.text);
    streamed.push(told.text);
    if (last.degraded || watch.end !== undefined) break;
  }
  const { answered } = guarded.times;
  const waited = guarded.times.waited();
  return { answers, streamed, last, end: watch.end, state: await run.finish(), answered, waited };
}

/**
 * Skills that can be chosen at once in a case of the kind `trigger`: whoever takes all there are has chosen, and is held
 * to it. There is no text behind any of them.
 */
const mostAtOnce = 100_000;

/** All pieces together that were told since it was last begun anew. */
class ToldAnswer {
  text = '';

  readonly listen = (delta: string, answer: string): void => {
    this.text = delta === '' && answer === '' ? '' : this.text + delta;
  };
}

/** Why the last line was not answered; `undefined` where it was. */
export function stopOf({ last, end }: Pick<Worked, 'last' | 'end'>): StopReason | undefined {
  if (end?.kind === 'limit') return end.stop;
  return last?.degraded === true ? last.stop : undefined;
}
