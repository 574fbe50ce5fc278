import { quoted } from '../../errors/quoted.js';
import { SkillsError } from '../../errors/skills-error.js';
import type { ActionSkill, AgentAction } from '../../model/action.js';
import { skillScopes } from '../../registry/layer-skills.js';
import type { SkillEntry } from '../../registry/skill-entry.js';
import { activateSkill, readSkillText } from '../activate-skill.js';
import { disabledSkill } from '../disabled-skill.js';
import { shownSkills } from '../context/shown-skills.js';
import { recordedError } from '../recorded-error.js';
import type { RecordedError } from '../run-event.js';
import type { ActionContext, Observation, ReadSkill, RunScope } from '../run-scope.js';
import { delegateSkill } from './delegate-skill.js';
import { availableSkills, isOffered } from './offered-skills.js';
import { orderSkills } from './order-skills.js';

type SelectSkills = AgentAction & { readonly kind: 'select_skills' };

/** What became of one of the skills. */
type Selected =
  | { readonly kind: 'load'; readonly entry: SkillEntry }
  | { readonly kind: 'active'; readonly entry: SkillEntry }
  | { readonly kind: 'failed'; readonly name: string; readonly error: RecordedError };

/** What there is to tell of a selection so far. */
interface Told {
  readonly notes: string[];
  readonly failed: { readonly name: string; readonly error: RecordedError }[];
  /** Locations of those that no model may call, as their texts say. */
  readonly forPeople: string[];
}

/**
 * Loads the texts of skills, those first that coordinate others of the selection. What cannot be loaded is told, and the
 * others are loaded all the same; a skill whose text the model has before it is not loaded twice. The work of a skill
 * with `run-mode: subagent` is done by a child run.
 */
export async function selectSkills(action: SelectSkills, context: ActionContext): Promise<Observation> {
  const { scope } = context;
  const told: Told = { notes: [], failed: [], forPeople: [] };
  const selected = await resolveAll(action.skills, scope, told);
  const { bodiesPerTurn } = scope.settings;
  const wanted = selected.filter(({ kind }) => kind === 'load').length;
  if (wanted > bodiesPerTurn) {
    throw new SkillsError(
      'INVALID_ACTION',
      `${wanted} skills were selected; at most ${bodiesPerTurn} are loaded a turn.`,
      {
        hint: 'None was loaded. Begin with the one that coordinates the others, and select the next ones in later turns.',
      },
    );
  }
  const read: ReadSkill[] = [];
  for (const one of selected) {
    if (one.kind === 'active')
      told.notes.push(`The skill ${quoted(one.entry.name)} is active already; its text is above.`);
    else if (one.kind === 'failed') told.failed.push(one);
    else read.push(...(await readOne(one.entry, scope, told)));
  }
  return loadAll(read, { action, told, active: selected.some(({ kind }) => kind === 'active') }, context);
}

/** Each skill that is meant once; of one name in two sources, the one that its rank puts first. */
async function resolveAll(
  references: readonly ActionSkill[],
  scope: RunScope,
  told: Told,
): Promise<readonly Selected[]> {
  const byName = new Map<string, Selected>();
  const order: string[] = [];
  for (const reference of references) {
    const one = await resolve(reference, scope);
    const key = (one.kind === 'failed' ? one.name : one.entry.name).normalize('NFC');
    const other = byName.get(key);
    if (other === undefined) order.push(key);
    const kept = other === undefined ? one : preferred(other, one, told);
    byName.set(key, kept);
  }
  return order.flatMap((key) => byName.get(key) ?? []);
}

function preferred(first: Selected, second: Selected, { notes }: Told): Selected {
  if (first.kind === 'failed') return second;
  if (second.kind === 'failed' || first.entry.location === second.entry.location) return first;
  const [winner, loser] = rank(second.entry) < rank(first.entry) ? [second, first] : [first, second];
  notes.push(
    `Two skills are called ${quoted(winner.entry.name)}; the one of the source ${winner.entry.scope} was taken, not the one of ${loser.entry.scope}.`,
  );
  return winner;
}

function rank({ scope }: SkillEntry): number {
  return skillScopes.indexOf(scope);
}

async function resolve(reference: ActionSkill, scope: RunScope): Promise<Selected> {
  const { name } = reference;
  const { view } = scope.library;
  const failed = (error: SkillsError): Selected => ({
    kind: 'failed',
    name,
    error: recordedError(error, scope.recorder),
  });
  const off = disabledSkill(view, reference);
  if (off !== undefined) {
    // What a person switched off, no model brings back.
    const hint = off.by === 'model' ? 'enable_skill brings it back.' : 'A person did that; do without it.';
    return failed(new SkillsError('SKILL_NOT_FOUND', `The skill ${quoted(name)} is switched off.`, { hint }));
  }
  const entry = await view.get(reference);
  if (entry === undefined) return failed(await nothingOf(reference, scope));
  const state = scope.state();
  const activation = state.activations.find(({ location }) => location === entry.location);
  const shown = activation?.runMode === 'inline' && shownSkills(state).has(entry.location);
  // What was not read again after a run was cut off unlocks no tools until it is.
  if (shown && scope.bodies.has(entry.location)) return { kind: 'active', entry };
  if (isOffered(entry, {}) || activation !== undefined) return { kind: 'load', entry };
  return failed(await forPeopleOnly(entry, scope));
}

async function nothingOf({ name, source }: ActionSkill, scope: RunScope): Promise<SkillsError> {
  const elsewhere = source === undefined ? undefined : await scope.library.view.get(name);
  if (source === undefined || elsewhere === undefined) {
    const hint = await availableSkills(scope);
    return new SkillsError('SKILL_NOT_FOUND', `There is no skill ${quoted(name)}.`, { hint });
  }
  return new SkillsError('SKILL_NOT_FOUND', `The source ${source} has no skill ${quoted(name)}.`, {
    hint: `The source ${elsewhere.scope} has one.`,
  });
}

async function forPeopleOnly(entry: SkillEntry, scope: RunScope): Promise<SkillsError> {
  const why = entry.head.description === undefined ? ', since it has no description' : '';
  return new SkillsError('TOOL_NOT_ALLOWED', `The skill ${quoted(entry.name)} is loaded by a person only${why}.`, {
    hint: await availableSkills(scope, entry),
  });
}

/** What counts is the text: an index that was made without it, as a remote one, does not know what it forbids. */
async function readOne(entry: SkillEntry, scope: RunScope, { failed, forPeople }: Told): Promise<readonly ReadSkill[]> {
  try {
    const read = await readSkillText(scope, entry);
    const calledByPerson = scope
      .state()
      .activations.some(({ location, by }) => location === entry.location && by !== 'model');
    if (read.text.skill.modelInvocable || calledByPerson) return [read];
    forPeople.push(entry.location);
    throw await forPeopleOnly(entry, scope);
  } catch (error) {
    scope.recorder.check();
    failed.push({ name: entry.name, error: recordedError(error, scope.recorder) });
    return [];
  }
}

interface Selection {
  readonly action: SelectSkills;
  readonly told: Told;
  readonly active: boolean;
}

async function loadAll(read: readonly ReadSkill[], selection: Selection, context: ActionContext): Promise<Observation> {
  const { action, told, active } = selection;
  const { scope } = context;
  const { skills, coordinating } = orderSkills(read);
  const texts: string[] = [];
  const bodies: string[] = [];
  const begun: SkillEntry[] = [];
  const delegated: Observation[] = [];
  for (const skill of skills) {
    const subagent = skill.text.skill.runMode === 'subagent' && scope.depth < deepest;
    if (subagent && stopOf(delegated) !== undefined) {
      told.notes.push(`The skill ${quoted(skill.entry.name)} was not begun.`);
      continue;
    }
    begun.push(skill.entry);
    const body = await activateSkill(scope, skill, { by: 'model', reason: action.reason, subagent });
    if (subagent) delegated.push(await delegateSkill(skill, action.reason, context));
    else {
      texts.push(body);
      bodies.push(skill.entry.location);
    }
  }
  if (coordinating.length > 0) {
    told.notes.push(
      `Loaded first, since its text names the others: ${coordinating.map((name) => quoted(name)).join(', ')}.`,
    );
  }
  const problems = told.failed.map(({ error }) =>
    error.hint === undefined ? error.message : `${error.message} ${error.hint}`,
  );
  const done = delegated.map(({ content }) => content);
  return {
    ok: read.length > 0 ? delegated.every(({ ok }) => ok) : active,
    content: [...problems, ...told.notes, ...done].join('\n\n'),
    bodies: texts,
    output: {
      skills: begun.map(({ name, scope: source, location }) => ({ name, source, location })),
      bodies,
      failed: told.failed.map(({ name, error }) => ({ name, code: error.code })),
      ...(told.forPeople.length === 0 ? {} : { for_people: told.forPeople }),
      ...(delegated.length === 0 ? {} : { delegated: delegated.map(({ output }) => output) }),
    },
    error:
      read.length === 0 && !active ? told.failed[0]?.error : delegated.find(({ error }) => error !== undefined)?.error,
    kept: delegated.flatMap(({ kept }) => kept ?? []),
    stop: stopOf(delegated),
  };
}

/** What a child run ended with, if that ends its parent, too. */
function stopOf(delegated: readonly Observation[]): Observation['stop'] {
  return delegated.find(({ stop }) => stop !== undefined)?.stop;
}

/** Runs within runs: a child run has no child of its own. */
const deepest = 2;
