import type { Sha256 } from '../../digest/digest.js';
import type { Digest } from '../../digest/is-digest.js';
import { SkillsError } from '../../errors/skills-error.js';
import { canonicalJson } from '../../json/canonical-json.js';
import { recordable } from '../../json/recordable.js';
import type { AgentPorts, AgentRun } from '../agent-run.js';
import { continueRun } from '../continue-run.js';
import { foldEvents } from '../fold-events.js';
import type { RecordedRequest, RunEvent, UserRequest } from '../run-event.js';
import type { RunState } from '../run-state.js';
import { replayedRedaction } from '../record/redaction.js';
import { startRun } from '../start-run.js';
import { readSetup } from './read-setup.js';
import { isRenewal } from './is-renewal.js';
import { CutOff, ReplayCursor } from './replay-cursor.js';
import { currentListing, replayPorts } from './replay-ports.js';
import { keptBy, type RunRecord } from './run-record.js';

/** What of a run a record does not hold. */
export interface ReplayOptions {
  /** How the run counted tokens, where it had a way of its own. @default the estimate that runs have without one */
  readonly countTokens?: AgentPorts['countTokens'];
}

/** What came of a replay. */
export type ReplayReport =
  /** The run does the same again: `events` of them, and a state with this hash. */
  | { readonly same: true; readonly events: number; readonly stateHash: Digest }
  /**
   * At the event `at` it does something else, or the record is not what it was. `actual` is the event that the replay
   * came to, where it came to one.
   */
  | {
      readonly same: false;
      readonly at: number;
      readonly reason: string;
      readonly expected: RunEvent | undefined;
      readonly actual: RunEvent | undefined;
    };

/**
 * Does a run again, with its model, tools, scripts, approver, registry and clock answered from its record, and compares
 * event by event. Nothing is called, run or written. It goes to the last event, also of a run that was cut off.
 *
 * @param record whose chain is right, as `readRunEvents` proves.
 * @throws `INVALID_RECORD` for a record that does not say what its run was started with.
 */
export async function replayRun(
  record: RunRecord,
  ports: { readonly sha256: Sha256 },
  options: ReplayOptions = {},
): Promise<ReplayReport> {
  const changed = await findChanged(record, ports.sha256);
  if (changed !== undefined) return changed;
  await readSetup(record);
  const cursor = new ReplayCursor(record.events);
  const replay = { record, cursor, sha256: ports.sha256, countTokens: options.countTokens };
  return report(replay, await untilCutOff(replay), ports.sha256);
}

/** A file that is missing, or was changed, even where the run never read it again. */
async function findChanged(record: RunRecord, sha256: Sha256): Promise<ReplayReport | undefined> {
  const proven = new Set<Digest>();
  for (const event of record.events) {
    for (const { digest, size } of keptBy(event)) {
      if (proven.has(digest)) continue;
      const bytes = await record.kept(digest);
      const found = bytes === undefined ? 'missing' : `${sha256(bytes)}, ${bytes.length} bytes`;
      if (found !== `${digest}, ${size} bytes`) {
        const reason = `What is kept as ${digest}, ${size} bytes, is ${found}.`;
        return { same: false, at: event.seq, reason, expected: event, actual: undefined };
      }
      proven.add(digest);
    }
  }
  return undefined;
}

interface Replay {
  readonly record: RunRecord;
  readonly cursor: ReplayCursor;
  readonly sha256: Sha256;
  readonly countTokens: AgentPorts['countTokens'];
}

/** How far the replay came. */
interface Ended {
  /** What it ended with before the record did. */
  readonly error?: unknown;
  /** Of the run, where it came to one. */
  readonly state: RunState | undefined;
}

async function untilCutOff(replay: Replay): Promise<Ended> {
  const { cursor, record } = replay;
  for (;;) {
    const before = cursor.position;
    let run: AgentRun | undefined;
    try {
      const { ports, options } = await nextPart(replay);
      run =
        before === 0
          ? await startRun(ports, options)
          : await continueRun(record.events.slice(0, before), ports, options);
      while (!cursor.cutOff) await command(run, replay);
    } catch (error) {
      if (cursor.difference !== undefined || !cursor.cutOff) return { error, state: run?.state };
    }
    if (cursor.next === undefined) return { state: run?.state };
    // The process of the record ended here, and another one went on.
    cursor.resume();
  }
}

/** What the process that begins, or goes on, works with. */
async function nextPart({ record, cursor, sha256, countTokens }: Replay) {
  const known = { ...record, events: record.events.slice(0, cursor.position + 1) };
  const { terms, setup, options } = await readSetup(known);
  const ports = { ...replayPorts({ record, cursor, setup, terms, sha256 }), countTokens };
  // There is nothing left to take out; that something took it out is a part of the record.
  return { ports, options: { ...options, redact: replayedRedaction(terms.options.redacted) } };
}

/** Asks the run what it was asked, or lets it go on with what it was at. */
async function command(run: AgentRun, { record, cursor }: Replay): Promise<void> {
  const before = cursor.position;
  const signal = cursor.renewSignal();
  const next = cursor.nextCommand();
  const request = next?.type === 'request_received' ? askedBefore(next.request) : undefined;
  const lost = await lostRequest(request, { record, cursor, ledger: run.state.activations });
  const switched = switchedByPerson(cursor);
  if (switched?.type === 'skill_disabled') await run.disable(switched.name, { reason: switched.reason });
  else if (switched?.type === 'skill_enabled') await run.enable(switched.name);
  else if (next?.type === 'turn_started' || next?.type === 'request_answered') await run.goOn({ signal });
  else if (lost !== undefined) await askInVain(run, lost, cursor);
  else if (request !== undefined) await run.ask(request, { signal });
  else if (next?.type === 'run_finished') await run.finish();
  if (cursor.position === before) throw new CutOff();
}

/** What a person switches next; for what came to the registry a moment ago, the index is read anew before. */
function switchedByPerson({ events, position }: ReplayCursor): RunEvent | undefined {
  const next = events[position];
  const event = next?.type === 'index_changed' ? events[position + 1] : next;
  const switched = event?.type === 'skill_disabled' || (event?.type === 'skill_enabled' && event === next);
  return switched && event.run === events[0]?.run && event.by === 'user' ? event : undefined;
}

function askedBefore({ text, skill: name, source }: RecordedRequest): UserRequest {
  return { text, skill: name === undefined ? undefined : { name, source } };
}

/** A request that was never received: its skill could not be read, or the process ended before. Only what it read is there. */
async function lostRequest(
  next: UserRequest | undefined,
  { record, cursor, ledger }: Pick<Replay, 'record' | 'cursor'> & { readonly ledger: RunState['activations'] },
): Promise<UserRequest | undefined> {
  const { events, position } = cursor;
  const at = afterNews(cursor, ledger);
  const event = events[at];
  if (event?.type !== 'skill_read') {
    const received = event?.type === 'skill_activated' || event?.type === 'request_received';
    return at > position && !received ? { text: '', skill: nobody } : undefined;
  }
  // Skills are looked at in the order of the ledger: this change is for the next request.
  if (isRenewal(events, at) && ledger.some(({ location }) => location === event.location))
    return { text: '', skill: nobody };
  // What a request names is not read anew before: that was for a request without it.
  if (events.slice(position, at).some((news) => news.type === 'skill_read' && news.location === event.location)) {
    return { text: '', skill: nobody };
  }
  if (next?.skill !== undefined && isTakenUp(cursor, at)) return undefined;
  const { skills, shadowed = [] } = await currentListing(record, cursor);
  const entries = [...skills, ...shadowed.map(({ entry }) => entry)];
  const entry = entries.find(({ location }) => location === event.location);
  return { text: '', skill: entry === undefined ? nobody : { name: entry.name, source: entry.scope } };
}

/** Whether the skill that was read there was called: what cannot be read as a skill is read in vain. */
function isTakenUp({ events }: ReplayCursor, at: number): boolean {
  const read = events[at];
  if (read?.type !== 'skill_read' || read.error !== undefined) return false;
  const { location } = read;
  const listed = events[at + 1];
  const hasFiles = listed?.type === 'skill_read' && listed.location === location && listed.path === '';
  const then = at + (hasFiles ? 2 : 1);
  const event = events[events[then]?.type === 'skill_enabled' ? then + 1 : then];
  if (event?.type === 'skill_activated') return event.activation.location === location;
  return event?.type === 'request_received';
}

// No skill has a name without a character.
const nobody = '';

/**
 * Where that ends with which a request begins: the index that changed, and each active skill that did, once and in the
 * order of the ledger.
 */
function afterNews({ events, position }: ReplayCursor, ledger: RunState['activations']): number {
  let at = events[position]?.type === 'index_changed' ? position + 1 : position;
  let before = -1;
  for (; isRenewal(events, at); at += 2) {
    const read = events[at];
    const place = ledger.findIndex(({ location }) => read?.type === 'skill_read' && location === read.location);
    if (place <= before) break;
    before = place;
  }
  return at;
}

async function askInVain(run: AgentRun, request: UserRequest, cursor: ReplayCursor): Promise<void> {
  try {
    await run.ask(request);
  } catch (error) {
    if (cursor.cutOff || !SkillsError.is(error)) throw error;
  }
}

function report({ record, cursor }: Replay, { error, state }: Ended, sha256: Sha256): ReplayReport {
  const { difference, position, next } = cursor;
  if (difference !== undefined) {
    const { expected, actual } = difference;
    const reason = `The run comes to ${actual.type} (${actual.hash}), and the record has ${expected.type} (${expected.hash}).`;
    return { same: false, at: expected.seq, reason, expected, actual };
  }
  if (next !== undefined) {
    const why = error instanceof Error && error.message !== '' ? ` ${error.message}` : '';
    const reason = `The run does not come to the ${next.type} of the record.${why}`;
    return { same: false, at: next.seq, reason, expected: next, actual: undefined };
  }
  const hashOf = (value: RunState): Digest => sha256(canonicalJson(recordable(value)));
  const stateHash = hashOf(foldEvents(record.events));
  if (state !== undefined && hashOf(state) !== stateHash) {
    const reason = 'The state of the run is another one than its events come to.';
    return { same: false, at: position, reason, expected: record.events.at(-1), actual: undefined };
  }
  return { same: true, events: position, stateHash };
}
