import type { Sha256 } from '../../digest/digest.js';
import { canonicalJson } from '../../json/canonical-json.js';
import { quoted } from '../../errors/quoted.js';
import { SkillsError } from '../../errors/skills-error.js';
import type { JsonObject } from '../../json/json-value.js';
import { parseJson } from '../../json/parse-json.js';
import { parseDecision } from '../../model/parse-decision.js';
import type { ModelAdapter } from '../../model/model-adapter.js';
import type { Approver } from '../../policy/approver.js';
import { createSkillRegistry } from '../../registry/create-skill-registry.js';
import type { SkillFile, SkillListing } from '../../registry/skill-backend.js';
import type { SkillEntry } from '../../registry/skill-entry.js';
import type { SkillMeasure } from '../../registry/skill-measure.js';
import type { SkillRegistry } from '../../registry/skill-registry.js';
import type { ScriptRunner, ScriptStream } from '../../tool/script-runner.js';
import type { ToolResult } from '../../tool/tool-result.js';
import type { Tool } from '../../tool/tool.js';
import { failedObservation } from '../actions/failed-observation.js';
import { isRefusal } from '../actions/refusal-text.js';
import type { AgentPorts } from '../agent-run.js';
import { asError, redactedBefore } from '../recorded-error.js';
import type { RecordedRunner, RecordedSetup, RecordedTool } from '../recorded-setup.js';
import { effectiveEvents } from '../fold-events.js';
import type { KeptText, RunEvent, RunTerms } from '../run-event.js';
import { isRenewal } from './is-renewal.js';
import type { ReplayCursor } from './replay-cursor.js';
import { keptBytes, keptText, type RunRecord } from './run-record.js';

/** What a replay answers from. */
export interface ReplaySource {
  readonly record: RunRecord;
  readonly cursor: ReplayCursor;
  readonly setup: RecordedSetup;
  readonly terms: RunTerms;
  readonly sha256: Sha256;
}

/** Everything that an agent works with, answered from a record. */
export function replayPorts(source: ReplaySource): AgentPorts {
  const { cursor, setup, sha256 } = source;
  const tools = (described: readonly RecordedTool[]): readonly Tool[] =>
    described.map((tool) => ({
      ...tool,
      check: () => checkAsRecorded(source),
      run: async () => replayTool(source),
    }));
  return {
    registry: replayRegistry(source),
    model: replayModel(source),
    journal: cursor.journal(sha256),
    clock: cursor.clock,
    sha256,
    tools: tools(setup.tools),
    skillTools: tools(setup.skillTools),
    groupedTools: Object.fromEntries(Object.entries(setup.groupedTools).map(([skill, group]) => [skill, tools(group)])),
    approver: setup.approver ? replayApprover(source) : undefined,
    runner: setup.runner && replayRunner(source, setup.runner),
    measureSkill: async ({ location }) => readMeasure(source, location),
  };
}

function replayModel({ terms, setup, cursor }: ReplaySource): ModelAdapter {
  return {
    name: terms.model,
    contextTokens: terms.contextTokens,
    nativeTools: setup.nativeTools,
    decide: async () => {
      if (cursor.next?.type === 'model_failed') throw asError(cursor.next.error);
      const { text, usage, finish, reasoning } = cursor.answer('model_answered');
      return { text, usage, finish, reasoning };
    },
  };
}

function replayApprover({ cursor }: ReplaySource): Approver {
  return { decide: async () => cursor.answer('approval_decided').decision };
}

function replayRegistry(source: ReplaySource): SkillRegistry {
  const { record, cursor, setup, sha256 } = source;
  const backend = {
    ...setup.registry,
    list: async () => currentListing(record, cursor),
    files: async () => parseJson(new TextDecoder().decode(await readSkill(source))) as readonly SkillFile[],
    bytes: async ({ location }: SkillEntry, path: string) => readFileOf(source, { location, path }),
  };
  const registry = createSkillRegistry(backend, { sha256 });
  return { ...registry, files: backend.files, bytes: backend.bytes, index: async () => registry.reload() };
}

/** What the registry offers now. */
export async function currentListing(record: RunRecord, cursor: ReplayCursor): Promise<SkillListing> {
  // It was kept by a run, and its digest is proven.
  return parseJson(await keptText(record, currentIndex(cursor))) as SkillListing;
}

/** The index that the registry has now: that of the change which the run records next, if it does, else the one it has. */
function currentIndex({ events, position, next }: ReplayCursor): KeptText {
  const resumed = next?.type === 'run_resumed' ? 1 : 0;
  // A turn that was complete but for its end is ended first.
  const ended = resumed === 1 && events[position + 1]?.type === 'turn_finished' ? 1 : 0;
  const at = position + resumed + ended;
  const coming = events[at];
  // What is read anew after it belongs to a request, and so did the change.
  const later = resumed === 1 && isRenewal(events, at + 1);
  if (coming?.type === 'index_changed' && !later) return coming.index.kept;
  const before = effectiveEvents(events.slice(0, Math.max(1, position + resumed)));
  const held = before.findLast((event) => event.run === events[0]?.run && 'index' in event);
  if (held === undefined || !('index' in held)) throw new Error('A record begins with the index of its run.');
  return held.index.kept;
}

/** A run may ask for what it then does not use, and does not record: an active skill that is as it was. */
async function readFileOf(
  source: ReplaySource,
  { location, path }: { readonly location: string; readonly path: string },
): Promise<Uint8Array> {
  const event = source.cursor.answer('skill_read');
  if (event.location === location && event.path === path) return readSkill(source);
  throw new SkillsError('INVALID_RECORD', `The record reads another file here than ${quoted(path)}.`);
}

async function readSkill({ record, cursor }: ReplaySource): Promise<Uint8Array> {
  const { kept, error } = cursor.answer('skill_read');
  if (kept === undefined) throw asError(error ?? { code: 'INTERNAL', message: 'The record has no reading here.' });
  return keptBytes(record, kept);
}

async function readMeasure({ record, cursor }: ReplaySource, location: string): Promise<SkillMeasure> {
  const { location: measured, digest, kept, error } = cursor.answer('skill_measured');
  if (measured !== location)
    throw new SkillsError('INVALID_RECORD', `The record measures another skill here than ${quoted(location)}.`);
  if (digest === undefined || kept === undefined)
    throw asError(error ?? { code: 'INTERNAL', message: 'The record has no measure here.' });
  // It was kept by a run, and its digest is proven; what is no list of files, the run itself refuses.
  return { digest, files: parseJson(await keptText(record, kept)) as SkillMeasure['files'] };
}

type Observed = RunEvent & { readonly type: 'observation_recorded' };

/**
 * What came of an action that was carried out.
 *
 * @throws where the record says that it was not: a run that has a yes does not refuse.
 */
function outcomeOf(cursor: ReplayCursor): Observed {
  const event = cursor.answer('observation_recorded');
  const asked = cursor.events[cursor.position - 2];
  if (event.error === undefined || asked?.type !== 'approval_requested') return event;
  if (!isRefusal(event.error, asked.request.summary)) return event;
  throw new SkillsError('INVALID_RECORD', 'The record says that this was approved, and then that it was not.');
}

/** What was observed of an input before it was judged further is what its check had against it. */
function checkAsRecorded({ cursor }: ReplaySource): void {
  const { next } = cursor;
  if (next?.type === 'observation_recorded' && wasThrown(next, cursor)) throw thrownBy(next);
}

async function replayTool({ record, cursor }: ReplaySource): Promise<ToolResult> {
  const event = outcomeOf(cursor);
  if (wasThrown(event, cursor)) throw thrownBy(event);
  const { ok, content, contentForUser, output, error, duration } = event;
  const whole = new Map<string, Uint8Array>();
  for (const kept of event.kept) whole.set(kept.name, await keptBytes(record, kept));
  const text = (name: string): string | undefined => {
    const bytes = whole.get(name);
    // What was shortened is made again of the whole, and kept again.
    whole.delete(name);
    return bytes === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  };
  const json = text('output.json');
  return {
    ok,
    content: text('content.txt') ?? withoutPlanNote(content, cursor),
    contentForUser: text('content-for-user.txt') ?? contentForUser,
    output: json === undefined ? output : (parseJson(json) as JsonObject),
    ...(error === undefined ? {} : { error }),
    started: 0,
    ended: duration,
    duration,
    outputs: [...whole].map(([name, bytes]) => ({ name, bytes })),
  };
}

const planNote = '\n\nThe plan was not changed. ';

/** What the run itself says below the answer of a tool, where the plan that came with the action was refused. */
function withoutPlanNote(content: string, { events, position }: ReplayCursor): string {
  const turn = events.slice(0, position).findLastIndex(({ type }) => type === 'turn_started');
  const inTurn = events.slice(turn, position);
  const decided = inTurn.find(({ type }) => type === 'action_started');
  const asked = inTurn.some((event) => {
    if (event.type !== 'model_answered' || decided?.type !== 'action_started') return false;
    const reading = parseDecision(event.text, [decided.action.kind]);
    return reading.kind === 'decision' && reading.decision.plan_update !== undefined;
  });
  if (!asked || inTurn.some(({ type }) => type === 'plan_updated')) return content;
  const at = content.lastIndexOf(planNote);
  return at === -1 ? content : content.slice(0, at);
}

/** What a tool or a runner throws is told in another form than what it answers. */
function wasThrown(event: Observed, cursor: ReplayCursor): event is Failed {
  const { error, content, contentForUser, output, kept } = event;
  if (error === undefined || contentForUser !== undefined || kept.length > 0) return false;
  const thrown = failedObservation(thrownBy({ error, output }), redactedBefore);
  return withoutPlanNote(content, cursor) === thrown.content && canonicalJson(output) === canonicalJson(thrown.output);
}

type Failed = Observed & { readonly error: NonNullable<Observed['error']> };

function thrownBy({ error, output }: Pick<Failed, 'error' | 'output'>): SkillsError {
  const { code, message, hint } = error;
  return new SkillsError(code, message, { hint, data: output['uncertain'] === true ? { uncertain: true } : undefined });
}

function replayRunner(source: ReplaySource, { confinement, leaves }: RecordedRunner): ScriptRunner {
  const { record, cursor } = source;
  return {
    confinement,
    leaves,
    check: () => checkAsRecorded(source),
    run: async () => {
      const event = outcomeOf(cursor);
      if (wasThrown(event, cursor)) throw thrownBy(event);
      const { output, kept } = event;
      const stream = async (name: 'stdout' | 'stderr'): Promise<ScriptStream> => {
        const own = kept.find((part) => part.name === name);
        return {
          bytes: own === undefined ? new Uint8Array() : await keptBytes(record, own),
          size: numberOf(output[`${name}_bytes`]) ?? 0,
          cut: numberOf(output[`${name}_cut`]),
        };
      };
      const { runner, command, signal } = output;
      return {
        runner: typeof runner === 'string' ? runner : '',
        command: Array.isArray(command) ? command.map(String) : [],
        exitCode: numberOf(output['exit_code']),
        signal: typeof signal === 'string' ? signal : undefined,
        timedOut: output['timed_out'] === true,
        stdout: await stream('stdout'),
        stderr: await stream('stderr'),
      };
    },
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
