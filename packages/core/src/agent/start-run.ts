import { activateSkill } from './activate-skill.js';
import type { AgentOptions, AgentPorts, AgentRun } from './agent-run.js';
import { initialState } from './initial-state.js';
import { openScope, recordStart } from './open-scope.js';
import { RunRecorder } from './run-recorder.js';
import { findSkill, RunSession } from './run-session.js';
import type { RunScope } from './run-scope.js';
import { fillSettings } from './run-settings.js';
import { takeSnapshot } from './skill-library.js';

/**
 * Starts a run: reads the index of skills, the names and descriptions alone, writes the first event, and activates what
 * is to be there from the beginning.
 *
 * @throws `USAGE` for options that make no sense; `SKILL_NOT_FOUND` for a preloaded skill that is not there; what the
 * registry throws when it has no index; what the journal throws.
 * @example
 * ```ts
 * const run = await startRun({ registry, model, journal, clock, sha256 }, { id: 'first' });
 * const { text } = await run.ask('Which fields does form.pdf have?');
 * await run.finish();
 * ```
 */
export async function startRun(ports: AgentPorts, options: AgentOptions): Promise<AgentRun> {
  const settings = fillSettings(options);
  const recorder = openRecorder(ports, options);
  recorder.follow(initialState(settings.id));
  const { registry, sha256 } = ports;
  const index = settings.skills ? await registry.index() : undefined;
  const snapshot = await takeSnapshot(index, { registry, recorder, sha256 });
  const scope = openScope({ id: settings.id, ports, settings, recorder, snapshot });
  await recordStart(scope);
  await activatePreloaded(scope);
  await recorder.sync();
  return new RunSession(scope);
}

/** The way into the record that the options ask for. */
export function openRecorder(
  ports: AgentPorts,
  options: AgentOptions,
  last?: ConstructorParameters<typeof RunRecorder>[2]['last'],
): RunRecorder {
  return new RunRecorder(options.id, ports, {
    redact: options.redact ?? ((text) => text),
    onEvent: (event) => options.onEvent?.(event),
    last,
  });
}

/** Those that the ledger does not hold yet. */
export async function activatePreloaded(scope: RunScope): Promise<void> {
  for (const reference of scope.settings.preload) {
    const skill = await findSkill(scope, reference);
    const { location } = skill.entry;
    if (scope.state().activations.some((activation) => activation.location === location)) continue;
    await activateSkill(scope, skill, { by: 'preload', reason: 'The run begins with it.' });
  }
}
