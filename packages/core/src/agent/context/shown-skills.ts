import type { Activation } from '../activation.js';
import type { ConversationItem, RunState } from '../run-state.js';

/** The part of a state that says which bodies a model can see. */
export type ShownState = Pick<RunState, 'activations' | 'conversation' | 'compactedThrough'>;

/**
 * The locations of the skills whose bodies stand in the conversation as it is shown now. A body that compaction took out
 * is not among them: its skill is still active, and selecting it again shows it again.
 */
export function shownSkills(state: ShownState): ReadonlySet<string> {
  const { conversation, compactedThrough } = state;
  const recent = conversation.filter(({ seq }) => seq > compactedThrough);
  return new Set(recent.flatMap((item) => locationsIn(item, state)));
}

/** The locations of the skills whose bodies an item of the conversation holds. */
function locationsIn(item: ConversationItem, state: ShownState): readonly string[] {
  if (item.kind === 'observation') return item.skills;
  if (item.kind === 'renewed') return [item.location];
  if (item.kind !== 'request') return [];
  const called = calledSkill(item, state);
  const preloaded = state.conversation.find(({ kind }) => kind === 'request') === item ? preloadedSkills(state) : [];
  return [...preloaded, ...(called === undefined ? [] : [called])].map(({ location }) => location);
}

/** Skills that were active before the first request: their bodies stand before it. */
export function preloadedSkills({ activations }: ShownState): readonly Activation[] {
  return activations.filter(({ by, runMode }) => by === 'preload' && runMode === 'inline');
}

/** The skill that a request names, as the ledger has it. */
export function calledSkill(
  { request }: ConversationItem & { readonly kind: 'request' },
  { activations }: ShownState,
): Activation | undefined {
  if (request.skill === undefined) return undefined;
  const wanted = request.skill.normalize('NFC');
  const named = activations.filter(
    ({ name, scope, pack }) =>
      (request.source === undefined || request.source === scope) &&
      (name.normalize('NFC') === wanted || (pack !== undefined && `${pack.split('/')[0]}/${name}` === wanted)),
  );
  return named.findLast(({ by }) => by === 'user') ?? named.at(-1);
}

/**
 * The locations of the skills that were in use before the newest request. One that is activated while it is worked on is
 * not among them, so that the catalogue stays as it is from turn to turn.
 */
export function usedBefore({ activations, conversation }: ShownState): readonly string[] {
  const newest = conversation.findLast(({ kind }) => kind === 'request')?.seq ?? 0;
  const earlier = new Set(
    conversation.flatMap((item) => (item.kind === 'observation' && item.seq < newest ? item.skills : [])),
  );
  return activations
    .filter(({ by, location }) => by !== 'model' || earlier.has(location))
    .map(({ location }) => location);
}
