import type { AgentOptions, AgentPorts, AskOptions, RunAnswer } from './agent-run.js';
import type { UserRequest } from './run-event.js';
import type { RunState } from './run-state.js';
import { checkOptions } from './check-options.js';
import { startRun } from './start-run.js';

/**
 * One request from beginning to end: a run that is started, asked, and finished. Promises and throws what `startRun` and
 * the run do. One signal cancels all of it.
 *
 * @example
 * ```ts
 * const { text, stop } = await runAgent('Which fields does form.pdf have?', ports, { id: 'one' });
 * ```
 */
export async function runAgent(
  task: string | UserRequest,
  ports: AgentPorts,
  options: AgentOptions & AskOptions,
): Promise<RunAnswer & { readonly state: RunState }> {
  checkOptions(options, 'runAgent');
  // Whoever gives none is told by the start of the run.
  const { onText, onReasoning, onAnswer, ...how } = { ...options };
  await using run = await startRun(ports, how);
  const answer = await run.ask(task, { signal: how.signal, onText, onReasoning, onAnswer });
  return { ...answer, state: await run.finish() };
}
