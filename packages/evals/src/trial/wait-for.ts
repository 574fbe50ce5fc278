import { SkillsError, type Clock } from '@skillpack/core';
import { pauseFor } from '../run/pause-for.js';

/** Milliseconds that a port has to end by itself once a trial is cancelled. */
const patience = 10_000;

/**
 * What a port comes to. One that does not end when it is told to is left behind, and `late` is given what it comes to
 * after all.
 *
 * @throws what the port throws, and `INTERRUPTED` for one that is left behind.
 */
export async function waitFor<Value>(
  work: () => Promise<Value>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  late?: (value: Value) => Promise<void>,
): Promise<Value> {
  // A port of JavaScript may throw before it promises anything.
  const task = (async () => work())();
  const ended = new AbortController();
  const left = leaveBehind(clock, signal, ended.signal);
  try {
    const first = await Promise.race([task.then((value) => ({ value })), left]);
    if (first !== undefined) return first.value;
  } finally {
    ended.abort();
  }
  // What it throws now concerns nobody any more.
  void task.then(late).catch(() => undefined);
  throw new SkillsError('INTERRUPTED', 'The trial was cancelled, and what it waited for did not end.');
}

/** Ends a while after the signal aborted, or once nobody waits. */
async function leaveBehind(clock: Clock, signal: AbortSignal, ended: AbortSignal): Promise<undefined> {
  await new Promise<void>((resolve) => {
    if (signal.aborted || ended.aborted) return resolve();
    const end = (): void => resolve();
    signal.addEventListener('abort', end, { once: true, signal: ended });
    ended.addEventListener('abort', end, { once: true });
  });
  if (!ended.aborted) await pauseFor(clock, patience, ended);
}
