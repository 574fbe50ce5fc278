import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { canonicalJson } from '../json/canonical-json.js';
import type { ModelAdapter } from '../model/model-adapter.js';
import type { SkillMeasure } from '../registry/skill-measure.js';
import type { SkillIndex } from '../registry/skill-entry.js';
import { activateSkill } from './activate-skill.js';
import type { AgentPorts } from './agent-run.js';
import type { BudgetLimits } from './budget.js';
import { defaultSystemText } from './context/system-text.js';
import { noLimit } from './fill-limits.js';
import { initialState } from './initial-state.js';
import { policySkills } from './judge-use.js';
import { recordedSetup, toolNames } from './recorded-setup.js';
import { redactOutput } from './redact-event.js';
import { redactTools } from './redact-tools.js';
import type { Patience } from './patience.js';
import type { RunTerms } from './run-event.js';
import type { RunRecorder } from './run-recorder.js';
import type { ChildOutcome, ChildRequest, RunScope } from './run-scope.js';
import type { RunSettings } from './run-settings.js';
import type { RunState } from './run-state.js';
import { SkillLibrary, takeSnapshot, type IndexSnapshot } from './skill-library.js';
import { workOnRequest } from './work-on-request.js';

/** What a run is opened with. */
export interface ScopeParts {
  readonly id: string;
  readonly ports: AgentPorts;
  readonly settings: RunSettings;
  readonly recorder: RunRecorder;
  readonly snapshot: IndexSnapshot;
  /** How long the registry is waited for, until there is a request. */
  readonly patience: Patience;
  /** @default 1 */
  readonly depth?: number | undefined;
  /** @default [] */
  readonly inherited?: RunState['grants'] | undefined;
  /** @default [] */
  readonly above?: RunScope['above'] | undefined;
  /** @default nothing was approved yet */
  readonly approved?: RunScope['approved'] | undefined;
  /** Ids that were given away before. @default none */
  readonly counters?: RunScope['counters'] | undefined;
}

/** A run that the recorder follows, with everything that works on it. */
export function openScope(parts: ScopeParts): RunScope {
  const { id, settings, recorder, snapshot, patience } = parts;
  const ports = redactTools(parts.ports, recorder.redact);
  const { registry, sha256 } = ports;
  // A run that goes on keeps the window that it began with, and what was switched off.
  const { contextTokens: begunWith, disabled } = recorder.stateOf(id);
  const contextTokens = begunWith || windowOf(ports.model);
  const scope: RunScope = {
    id,
    ports,
    settings,
    recorder,
    library: new SkillLibrary(id, snapshot, { registry, recorder, sha256, contextTokens, patience, disabled }),
    bodies: new Map(),
    inherited: parts.inherited ?? [],
    above: parts.above ?? [],
    read: new Set(),
    approved: parts.approved ?? new Map<string, SkillMeasure>(),
    depth: parts.depth ?? 1,
    counters: parts.counters ?? { actions: 0, children: 0 },
    state: () => recorder.stateOf(id),
    runChild: async (child, options) => runChild(scope, child, options),
  };
  return scope;
}

/** Tokens of the model's window. @throws `USAGE` for a model that says none. */
export function windowOf({ name, contextTokens }: ModelAdapter): number {
  if (contextTokens >= 1) return Math.floor(Math.min(contextTokens, Number.MAX_SAFE_INTEGER));
  throw new SkillsError('USAGE', `The model ${quoted(name)} has a window of ${contextTokens} tokens.`, {
    hint: 'Give its adapter contextTokens, a whole number from 1.',
  });
}

/** Writes the event that a run begins with. */
export async function recordStart(
  scope: RunScope,
  parent?: { readonly run: string; readonly action: string },
): Promise<void> {
  const { index, kept } = scope.library.snapshot;
  await scope.recorder.append(scope.id, {
    type: 'run_started',
    formatVersion: 1,
    index: { hash: index.hash, skills: index.skills.length, kept },
    ...(await recordedTerms(scope)),
    parent,
  });
}

/** What the run is worked on with from now on; what does not fit an event is kept. */
export async function recordedTerms({ ports, settings, recorder }: RunScope): Promise<RunTerms> {
  const setup = await recorder.keepText(canonicalJson(redactOutput(recordedSetup(ports, settings), recorder.redact)));
  return {
    model: ports.model.name,
    contextTokens: windowOf(ports.model),
    tools: toolNames(ports),
    limits: settings.limits,
    system: await recorder.keepText(settings.system ?? defaultSystemText),
    options: { setup, project: settings.project, ...(recorder.redacting && { redacted: recorder.redaction }) },
  };
}

/**
 * Another run in the same record, which has one skill and half of what is left of the budget, and knows nothing of the
 * conversation but what it is asked.
 */
async function runChild(
  parent: RunScope,
  child: ChildRequest,
  { signal }: { readonly signal: AbortSignal | undefined },
): Promise<ChildOutcome> {
  const { recorder, ports } = parent;
  parent.counters.children += 1;
  const id = `${parent.id}/${parent.counters.children}`;
  const { entry } = child.skill;
  const skill = entry.name;
  await recorder.append(parent.id, { type: 'subagent_started', action: child.action, child: id, skill });
  recorder.follow(initialState(id));
  const scope = openScope({
    id,
    ports,
    settings: { ...parent.settings, limits: halfOf(parent.state()), preload: [], autoReload: false },
    recorder,
    snapshot: await onlySkill(parent, child),
    patience: parent.library.patience,
    depth: parent.depth + 1,
    inherited: [...parent.inherited, ...parent.state().grants].filter((grant) => grant.skill === entry.location),
    above: [...parent.above, ...policySkills(parent).map((other) => ({ ...other, disabled: true }))],
    approved: parent.approved,
  });
  await recordStart(scope, { run: parent.id, action: child.action });
  await activateSkill(scope, child.skill, { by: 'preload', reason: 'The run is about it.' });
  await recorder.append(id, { type: 'request_received', request: { text: child.task, skill } });
  const { text, stop, degraded } = await workOnRequest(scope, { signal });
  await recorder.append(id, { type: 'run_finished' });
  const { totals, spent: known, resources, audit } = scope.state();
  const spent = { ...totals, cost: known.cost };
  recorder.leave(id);
  await recorder.append(parent.id, { type: 'subagent_finished', action: child.action, child: id, stop, spent });
  return { run: id, text, stop, degraded, resources, kept: audit.flatMap(({ kept }) => kept) };
}

async function onlySkill(parent: RunScope, { skill: { entry } }: ChildRequest): Promise<IndexSnapshot> {
  const { sha256 } = parent.ports;
  const own = parent.library.own(entry);
  const index: SkillIndex = { ...parent.library.snapshot.index, skills: [own], shadowed: [], problems: [] };
  return takeSnapshot(index, { recorder: parent.recorder, sha256 });
}

function halfOf({ limits, spent }: RunState): BudgetLimits {
  const half = (name: keyof BudgetLimits): number =>
    limits[name] === noLimit ? noLimit : Math.max(0, (limits[name] - spent[name]) / 2);
  const whole = (name: keyof BudgetLimits): number => Math.floor(half(name));
  return {
    turns: Math.max(1, whole('turns')),
    toolCalls: whole('toolCalls'),
    scripts: whole('scripts'),
    tokens: whole('tokens'),
    cost: half('cost'),
    wallTime: whole('wallTime'),
    consecutiveFailures: limits.consecutiveFailures,
  };
}
