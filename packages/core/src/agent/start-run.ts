import { SkillsError } from '../errors/skills-error.js';
import { rulesWithoutTool } from '../policy/rules-without-tool.js';
import { checkListing } from '../registry/check-listing.js';
import type { SkillReference } from '../registry/skill-entry.js';
import { activateSkill } from './activate-skill.js';
import type { Activation } from './activation.js';
import { bearsName } from './actions/active-skill.js';
import type { AgentOptions, AgentPorts, AgentRun } from './agent-run.js';
import { checkCostLimit } from './check-cost-limit.js';
import { checkOptions } from './check-options.js';
import { checkPorts } from './check-ports.js';
import { checkRoom } from './check-room.js';
import { developerNotes } from './developer-notes.js';
import { isRisk } from '../tool/make-tool.js';
import { disabledSkill } from './disabled-skill.js';
import { initialState } from './initial-state.js';
import { openScope, recordStart, windowOf, type ScopeParts } from './open-scope.js';
import { Patience } from './patience.js';
import { redactByShape } from './record/redaction.js';
import { toolNames } from './recorded-setup.js';
import { RunRecorder } from './run-recorder.js';
import { findSkill } from './find-skill.js';
import { RunSession } from './run-session.js';
import type { RunScope } from './run-scope.js';
import { fillSettings, type RunSettings } from './run-settings.js';
import { takeSnapshot, type IndexSnapshot } from './skill-library.js';

/**
 * Starts a run: reads the index of skills, the names and descriptions alone, writes the first event, and activates what
 * is to be there from the beginning.
 *
 * @throws `USAGE` for options and ports that make no sense, and where system text, tools and the schema of an answer leave
 * no room in the model's window, and for a limit of cost where the model says that nobody knows its prices; `SKILL_NOT_FOUND` for a preloaded skill that is not there; what the registry throws when
 * it has no index, `REGISTRY_ERROR` where it gives something else, `TIMEOUT` when it does not answer; `INTERRUPTED` when
 * it is cancelled; what the journal throws.
 * @example
 * ```ts
 * const run = await startRun({ registry, model, journal, clock, sha256 }, { id: 'first' });
 * const { text } = await run.ask('Which fields does form.pdf have?');
 * await run.finish();
 * ```
 */
export async function startRun(ports: AgentPorts, options: AgentOptions): Promise<AgentRun> {
  checkOptions(options, 'startRun');
  const settings = fillSettings(options);
  checkPorts(ports);
  const priced = checkCostLimit(ports.model, settings);
  const recorder = openRecorder(ports, options);
  recorder.follow(initialState(settings.id));
  return patiently(ports, { settings, signal: options.signal }, async (patience) => {
    const snapshot = await readSnapshot({ ports, settings, recorder, patience });
    const scope = openScope({ id: settings.id, ports, settings, recorder, snapshot, patience });
    if (!priced) developerNotes(ports).unknownCost(ports.model.name);
    noteOddRisks(ports);
    await noteSlips(scope);
    await checkRoom(scope, windowOf(ports.model));
    await recordStart(scope);
    await beginWithPreloaded(scope);
    await recorder.sync();
    return new RunSession(scope);
  });
}

function noteOddRisks({ tools = [], skillTools = [], groupedTools = {}, debug }: AgentPorts): void {
  const odd = [...tools, ...skillTools, ...Object.values(groupedTools).flat()].filter(({ risk }) => !isRisk(risk));
  for (const { name } of odd) developerNotes({ debug }).noRisk(name);
}

/** What looks like a slip of the pen, and is no error: the skill may come later. */
async function noteSlips({ ports, settings, library }: RunScope): Promise<void> {
  const notes = developerNotes(ports);
  notes.troubles(library.snapshot.index.problems);
  const names = (ports.tools ?? []).map(({ name }) => name);
  for (const name of new Set(names.filter((one, at) => names.indexOf(one) !== at))) notes.sameName(name);
  const known = [...toolNames(ports), ...(ports.runner === undefined ? [] : ['run_script'])];
  for (const rule of rulesWithoutTool(settings.permissions ?? {}, known)) notes.noSuchTool(rule);
  if (!settings.enableSkills) return;
  for (const name of settings.pinned) if (!(await library.view.contains(name))) notes.noSuchSkill('pinned', name);
  for (const name of Object.keys(ports.groupedTools ?? {})) {
    if (!(await library.view.contains(name))) notes.noSuchSkill('groupedTools', name);
  }
}

/** What has to be done before there is a request: it may take the time of one. */
export async function patiently<Value>(
  { clock }: AgentPorts,
  { settings: { limits }, signal }: { readonly settings: RunSettings; readonly signal: AbortSignal | undefined },
  work: (patience: Patience) => Promise<Value>,
): Promise<Value> {
  const patience = new Patience(clock, { cancelled: signal, time: limits.wallTime });
  try {
    return await work(patience);
  } catch (error) {
    // Registries come from anywhere: what one throws at a cancel may be anything.
    if (patience.end !== 'cancelled' || SkillsError.is(error, 'INTERRUPTED')) throw error;
    throw new SkillsError('INTERRUPTED', 'It was cancelled before the run was there.', { cause: error });
  } finally {
    patience.release();
  }
}

/**
 * The index that a run begins or goes on with.
 *
 * @throws what the registry throws; `REGISTRY_ERROR` for what is no index; `TIMEOUT` where it does not answer.
 */
export async function readSnapshot({
  ports,
  settings,
  recorder,
  patience,
}: Pick<ScopeParts, 'ports' | 'settings' | 'recorder' | 'patience'>): Promise<IndexSnapshot> {
  const { registry, sha256 } = ports;
  const index = settings.enableSkills
    ? await patience.waitFor({ who: 'The registry' }, async (signal) =>
        checkListing(await registry.index({ signal }), registry.kind),
      )
    : undefined;
  return takeSnapshot(index, { recorder, sha256 });
}

/** The way into the record that the options ask for. */
export function openRecorder(
  ports: AgentPorts,
  options: AgentOptions,
  last?: ConstructorParameters<typeof RunRecorder>[2]['last'],
): RunRecorder {
  return new RunRecorder(options.id, ports, {
    redact: options.redact ?? redactByShape,
    onEvent: (event) => options.onEvent?.(structuredClone(event)),
    last,
  });
}

/** Nobody gets a run that cannot begin: then its record ends here. */
async function beginWithPreloaded(scope: RunScope): Promise<void> {
  const { recorder, id } = scope;
  try {
    await activatePreloaded(scope);
  } catch (error) {
    // A record that cannot be written says so here once more.
    await recorder.append(id, { type: 'run_finished' });
    await recorder.sync();
    throw error;
  }
}

/** Those that the ledger does not hold yet. */
export async function activatePreloaded(scope: RunScope): Promise<void> {
  for (const reference of scope.settings.preload) {
    // Of a run that goes on: somebody switched it off since.
    if (disabledSkill(scope.library.view, reference) !== undefined) continue;
    // It may be gone meanwhile, as any active skill may be.
    if (scope.state().activations.some((activation) => isPreload(activation, reference))) continue;
    const skill = await findSkill(scope, reference);
    const { location } = skill.entry;
    if (scope.state().activations.some((activation) => activation.location === location)) continue;
    await activateSkill(scope, skill, { by: 'preload', reason: 'The run begins with it.' });
  }
}

function isPreload(activation: Activation, reference: string | SkillReference): boolean {
  const { name, source } = typeof reference === 'string' ? { name: reference, source: undefined } : reference;
  return bearsName(activation, name) && (source === undefined || activation.scope === source);
}
