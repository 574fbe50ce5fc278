import { digestHex } from '../../digest/digest.js';
import { visibleLines, visibleText } from '../../errors/visible-text.js';
import type { SkillText } from '../../registry/skill-registry.js';
import type { ConversationItem, RunState } from '../run-state.js';
import { cutText, headAndTail } from './cut-text.js';
import { describeAction } from './describe-action.js';
import { fittingCount } from './fitting-count.js';
import { withoutPromptTags } from './prompt-tags.js';
import { shownSkills } from './shown-skills.js';
import { renderSkillRest, type UsedPart } from './skill-rest.js';

type Observation = ConversationItem & { readonly kind: 'observation' };
type Bodies = ReadonlyMap<string, SkillText>;

const lineLength = 200;
const requestLength = { head: 400, tail: 100 };
const answerLength = { head: 400, tail: 200 };
const observationLength = { head: 800, tail: 400 };
/** A smaller window gets less of them. */
const windowOfWhole = 16_000;
/** Observations of which more than a line is shown: the last of those that were shortened. */
const observationsShown = 2;
const linesShown = { fewest: 12, most: 120 };

/**
 * What is shown in the place of the conversation up to an event: each step in a line, of the last observations the
 * beginning and the end, and of each active skill whose body is not in view what must not be forgotten of it. Events are
 * named by their numbers, under which the record has all of it.
 */
export function renderEarlier(state: RunState, bodies: Bodies): string {
  const old = state.conversation.filter(({ seq }) => seq <= state.compactedThrough);
  const outcomes = new Map(old.flatMap((item) => (item.kind === 'observation' ? [[item.id, item] as const] : [])));
  const newest = newestRequest(state);
  // The newest request is shown in full after this.
  const length = Math.floor(lineLength * Math.max(partOf(state), 0.5));
  const lines = old.flatMap((item) => (item === newest ? [] : lineOf(item, outcomes, length)));
  const most = fittingCount(state.contextTokens, linesShown);
  const skipped = lines.length - most;
  const shown = skipped > 0 ? [`- ${skipped} earlier steps are in the record only.`, ...lines.slice(-most)] : lines;
  const inView = shownSkills(state);
  const rest = state.activations
    .filter(({ location }) => !inView.has(location))
    .map((activation) =>
      renderSkillRest(activation, {
        text: bodies.get(activation.location),
        used: usedParts(state, activation.location),
        contextTokens: state.contextTokens,
      }),
    );
  return [
    `<earlier_conversation through_event="${state.compactedThrough}">`,
    'What happened before, shortened to save room. Load again what you need of it.',
    ...shown,
    ...lastObservations(old, state),
    ...rest,
    '</earlier_conversation>',
  ].join('\n');
}

function partOf({ contextTokens }: Pick<RunState, 'contextTokens'>): number {
  return Math.min(1, contextTokens / windowOfWhole);
}

function lineOf(item: ConversationItem, outcomes: ReadonlyMap<string, Observation>, length: number): readonly string[] {
  switch (item.kind) {
    case 'request': {
      const skill = item.request.skill === undefined ? '' : ` with /${item.request.skill}`;
      return [entry(item, `asked${skill}`, headAndTail(item.request.text, requestLength))];
    }
    case 'decision':
      return [
        `- event ${item.seq}: ${withoutPromptTags(describeAction(item.action))}: ${outcomeOf(outcomes.get(item.id), length)}`,
      ];
    case 'rejection':
      return [entry(item, 'answer rejected', item.error.message)];
    case 'answer':
      return [entry(item, 'answered', headAndTail(item.text, answerLength))];
    case 'renewed':
      return [entry(item, 'a skill was changed, and read anew', item.location)];
    case 'observation':
      return [];
  }
}

function entry({ seq }: ConversationItem, what: string, text: string): string {
  return `- event ${seq}: ${withoutPromptTags(visibleText(`${what}: ${text}`))}`;
}

function outcomeOf(observation: Observation | undefined, length: number): string {
  if (observation === undefined) return 'no result';
  if (observation.skills.length > 0) return 'loaded';
  const first = observation.content.split('\n', 5).find((line) => line.trim() !== '') ?? '';
  const text = withoutPromptTags(visibleText(cutText(first.trim(), length)));
  return `${observation.ok ? 'done' : 'failed'} (event ${observation.seq}): ${text}`;
}

/** The newest request, wherever it stands. */
export function newestRequest({ conversation }: Pick<RunState, 'conversation'>): ConversationItem | undefined {
  return conversation.findLast(({ kind }) => kind === 'request');
}

function lastObservations(
  old: readonly ConversationItem[],
  { audit, contextTokens, conversation }: RunState,
): readonly string[] {
  const part = partOf({ contextTokens });
  const lengths = { head: Math.floor(observationLength.head * part), tail: Math.floor(observationLength.tail * part) };
  const observations = old
    .filter((item) => item.kind === 'observation')
    .filter(({ skills, content }) => skills.length === 0 && content.includes('\n'));
  // In a very small window, what came since needs the room.
  const crowded = part < 0.5 && conversation.length > old.length;
  const shown = crowded ? [] : observations.slice(part < 1 ? -1 : -observationsShown);
  return shown.map(({ id, seq, content }) => {
    const kept = audit.findLast((one) => one.id === id)?.kept ?? [];
    const whole = kept.map(({ name, digest }) => `${visibleText(cutText(name, 100))} sha256 ${digestHex(digest)}`);
    const where = whole.length === 0 ? '' : `; kept in full: ${whole.slice(0, 5).join(', ')}`;
    return withoutPromptTags(`Of event ${seq}${where}:\n${visibleLines(headAndTail(content, lengths))}`);
  });
}

/** The parts of a skill that were read in what is shortened, each once. */
function usedParts({ resources, compactedThrough }: RunState, location: string): readonly UsedPart[] {
  const parts = new Map<string, UsedPart>();
  for (const { location: from, path, section, seq } of resources) {
    if (from === location && seq <= compactedThrough) parts.set(JSON.stringify([path, section]), { path, section });
  }
  return [...parts.values()];
}
