import { askedAgain } from '../../policy/asked-again.js';
import type { AgentOptions, AgentPorts, AgentRun } from '../agent-run.js';
import { continueRun } from '../continue-run.js';
import { readSetup } from './read-setup.js';
import type { RunRecord } from './run-record.js';

/**
 * Goes on with a run that was cut off, or whose newest request was given up: its state is what the record comes to up to
 * the last complete turn. `goOn` of what is returned works on the request that was under way, or given up. Limits are
 * those of a request as a whole: what it took before counts.
 *
 * @param ports with the journal of the same record.
 * @param options what is to be otherwise than it was before; of the limits, each for itself. `redact` is no part of a
 * record: it has to be handed in again. Of `permissions` that are not handed in, a record allows nothing but reading
 * without a question: it may come from anywhere. @default as it was
 * @throws `INVALID_RECORD` for a record that lacks what its run was started with; what `continueRun` throws.
 */
export async function resumeRun(
  record: RunRecord,
  ports: AgentPorts,
  options: Partial<Omit<AgentOptions, 'id'>> = {},
): Promise<AgentRun> {
  const { options: before } = await readSetup(record);
  const limits = { ...before.limits, ...options.limits };
  const permissions = options.permissions ?? (before.permissions && askedAgain(before.permissions));
  return continueRun(record.events, ports, { ...before, ...options, limits, permissions, id: before.id });
}
