import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import type { AgentAction } from '../model/action.js';
import { activateAgain, readSkillText } from './activate-skill.js';
import type { Activation } from './activation.js';
import type { AgentOptions, AgentPorts, AgentRun } from './agent-run.js';
import { checkCostLimit } from './check-cost-limit.js';
import { checkOptions } from './check-options.js';
import { checkPorts } from './check-ports.js';
import { effectiveEvents, foldEvents } from './fold-events.js';
import { openScope, recordedTerms } from './open-scope.js';
import type { RunEvent, RunEventType } from './run-event.js';
import { lostSpending } from './lost-spending.js';
import { mayHaveBegun } from './may-have-begun.js';
import { recordIndexChange } from './index-change.js';
import { RunSession } from './run-session.js';
import type { RunScope } from './run-scope.js';
import { fillSettings } from './run-settings.js';
import { activatePreloaded, openRecorder, patiently, readSnapshot } from './start-run.js';
import { toolsByName } from './unlocked-tools.js';

/**
 * Goes on with a run where its record ends: after the last turn that is complete, which is one whose action was observed.
 * What was begun after it is left out. An action that may have taken effect is told to the model as uncertain, and not
 * done again by itself. What was left out counts for the limits: the model was asked, and scripts were begun. `goOn` of
 * the run works on the request that was under way, or that was given up.
 *
 * @param events the whole record, whose chain is right.
 * @throws `INVALID_RECORD` for events that are not those of a run with the id of the options; `USAGE` for a run that is
 * finished, and without `redact` for one that had it; what `startRun` throws.
 */
export async function continueRun(
  events: readonly RunEvent[],
  ports: AgentPorts,
  options: AgentOptions,
): Promise<AgentRun> {
  checkOptions(options, 'continueRun');
  const settings = fillSettings(options);
  checkPorts(ports);
  checkCostLimit(ports.model, settings);
  const { id } = settings;
  const [first] = events;
  const last = events.at(-1);
  if (last === undefined || first?.type !== 'run_started' || first.run !== id) {
    throw new SkillsError('INVALID_RECORD', `The record does not begin with the start of the run ${quoted(id)}.`);
  }
  checkRedaction(events, options);
  const boundary = lastBoundary(events, id) ?? first;
  if (boundary.type === 'run_finished') {
    throw new SkillsError('USAGE', `The run ${quoted(id)} is finished; nothing of it is open.`, {
      hint: 'Start another one.',
    });
  }
  const recorder = openRecorder(ports, options, { seq: last.seq, hash: last.hash });
  recorder.follow(
    foldEvents(
      effectiveEvents(events).filter(({ seq }) => seq <= boundary.seq),
      id,
    ),
  );
  const counters = givenAway(events, id);
  const uncertain = uncertainAction(events, { id, after: boundary.seq, ports });
  return patiently(ports, { settings, signal: options.signal }, async (patience) => {
    const snapshot = await readSnapshot({ ports, settings, recorder, patience });
    const scope = openScope({ id, ports, settings, recorder, snapshot, patience, counters });
    await recorder.append(id, {
      type: 'run_resumed',
      after: boundary.seq,
      uncertain,
      lost: lostSpending(events, { after: boundary.seq }),
      with: await recordedTerms(scope),
    });
    await catchUp(scope, boundary);
    await recorder.sync();
    // What was not read for that would be missing from the prompt.
    if (patience.end === 'cancelled') throw new SkillsError('INTERRUPTED', 'It was cancelled before it went on.');
    return new RunSession(scope);
  });
}

/** What was taken out of a record once is not let into it later because somebody forgot. */
function checkRedaction(events: readonly RunEvent[], { id, redact }: AgentOptions): void {
  const redacted = events.some((event) => {
    const terms = event.type === 'run_resumed' ? event.with : event.type === 'run_started' ? event : undefined;
    return terms?.options.redacted === true;
  });
  if (!redacted || redact !== undefined) return;
  throw new SkillsError(
    'USAGE',
    `The run ${quoted(id)} had a function of its own that takes secrets out of its record, and has none now.`,
    {
      hint: 'Hand in `redact`, as when it was started; `redactNothing` goes on without taking anything out.',
    },
  );
}

/** Ends the turn that was complete but for its end, and makes the run have what it had. */
async function catchUp(scope: RunScope, boundary: RunEvent): Promise<void> {
  const { id, recorder, library } = scope;
  const state = scope.state();
  if (boundary.type === 'observation_recorded') {
    await recorder.append(id, { type: 'turn_finished', turn: state.turn, spent: state.spent });
  }
  if (state.index?.hash !== library.snapshot.index.hash) await recordIndexChange(scope);
  await restore(scope);
}

const boundaries: ReadonlySet<RunEventType> = new Set([
  'run_started',
  'run_resumed',
  'request_received',
  'observation_recorded',
  'turn_finished',
  'request_answered',
  'run_finished',
]);

/** The last event after which the state is one that a turn begins with; what a person switched after it is theirs. */
function lastBoundary(events: readonly RunEvent[], run: string): RunEvent | undefined {
  const own = effectiveEvents(events).filter((event) => event.run === run);
  const at = own.findLastIndex(({ type }) => boundaries.has(type));
  // What ends the turn is yet to come.
  if (own[at]?.type === 'observation_recorded') return own[at];
  const after = own.slice(at + 1);
  const end = after.findIndex(
    (event) => !isSwitch(event) && event.type !== 'index_changed' && event.type !== 'skill_read',
  );
  return after.slice(0, end === -1 ? undefined : end).findLast(isSwitch) ?? own[at];
}

function isSwitch(event: RunEvent): boolean {
  return (event.type === 'skill_disabled' || event.type === 'skill_enabled') && event.by === 'user';
}

/** Ids of actions and child runs are never given twice, not even those of what does not count any more. */
function givenAway(events: readonly RunEvent[], run: string): RunScope['counters'] {
  const count = (type: RunEventType): number =>
    events.filter((event) => event.run === run && event.type === type).length;
  return { actions: count('action_started'), children: count('subagent_started') };
}

interface Lost {
  readonly id: string;
  readonly after: number;
  readonly ports: AgentPorts;
}

/** The action that was under way, if it, or what a child run did for it, may have taken effect. */
function uncertainAction(events: readonly RunEvent[], { id: run, after, ports }: Lost) {
  const lost = events.filter(({ seq }) => seq > after);
  const own = lost.find((event) => event.type === 'action_started' && event.run === run);
  if (own?.type !== 'action_started') return undefined;
  const known = toolsByName(ports);
  const effective = lost.some(
    (event) => event.type === 'action_started' && !isReadOnly(event.action, known) && mayHaveBegun(event, lost),
  );
  return effective ? { id: own.id, action: own.action } : undefined;
}

function isReadOnly(action: AgentAction, known: ReturnType<typeof toolsByName>): boolean {
  if (action.kind === 'run_script') return false;
  if (action.kind !== 'call_tool') return true;
  const tools = known.get(action.tool) ?? [];
  return tools.length > 0 && tools.every(({ risk }) => risk === 'low');
}

/** The texts of active skills are read again. */
async function restore(scope: RunScope): Promise<void> {
  const { recorder } = scope;
  for (const activation of scope.state().activations) {
    if (activation.runMode === 'inline') await readAgain(scope, activation);
  }
  recorder.check();
  await activatePreloaded(scope);
}

/**
 * A text that is another one now, or of which the ledger says what it does not, is activated anew; one that cannot be read, or
 * forbids models now, is missing from the prompt, and unlocks no tools.
 */
async function readAgain(scope: RunScope, activation: Activation): Promise<void> {
  const { library, recorder } = scope;
  const entry = await library.view.getByPath(activation.location);
  if (entry === undefined) return;
  try {
    const read = await readSkillText(scope, entry);
    if (activation.by !== 'model' || read.text.skill.modelInvocable) await activateAgain(scope, read, activation);
  } catch (error) {
    recorder.check();
    if (!SkillsError.is(error)) throw error;
  }
}
