import { quoted } from '../../errors/quoted.js';
import { visibleLines } from '../../errors/visible-text.js';
import { canonicalJson } from '../../json/canonical-json.js';
import { recordable } from '../../json/recordable.js';
import type { AgentAction } from '../../model/action.js';
import type { ModelMessage } from '../../model/model-adapter.js';
import type { SkillEntry } from '../../registry/skill-entry.js';
import type { SkillText } from '../../registry/skill-registry.js';
import type { Activation } from '../activation.js';
import type { ConversationItem, RunState } from '../run-state.js';
import type { TokenPorts } from './catalogue.js';
import { bodyTokens } from './body-tokens.js';
import { newestRequest, renderEarlier } from './earlier-conversation.js';
import { withoutPromptTags } from './prompt-tags.js';
import { renderSkillBody, withWords } from './render-skill-body.js';
import { runStatus } from './run-status.js';
import { calledSkill, preloadedSkills } from './shown-skills.js';

/** What messages are made of. */
export interface ConversationParts {
  readonly state: RunState;
  /** The skills of the index. */
  readonly skills: readonly SkillEntry[];
  /** The text of each active skill, by location. */
  readonly bodies: ReadonlyMap<string, SkillText>;
}

type Request = ConversationItem & { readonly kind: 'request' };

/**
 * The conversation as a model reads it. Up to the event `compactedThrough` it is shortened, into the first message; what
 * follows is whole, and the newest message ends with the plan and the budget, so that everything between stays the same
 * from turn to turn, and before any compaction all of it.
 */
export function conversationMessages(parts: ConversationParts, ports: TokenPorts): readonly ModelMessage[] {
  const { state, bodies } = parts;
  const recent = state.conversation.filter(({ seq }) => seq > state.compactedThrough);
  const messages = allMessages(recent, parts, ports);
  const opening = recent.length === state.conversation.length ? [] : [renderEarlier(state, bodies), ...newest(state)];
  return withStatus(joined(opening.join('\n\n'), messages), runStatus(state));
}

/** The text of the newest request where it is not among the messages any more. */
function newest(state: RunState): readonly string[] {
  const request = newestRequest(state);
  if (request?.kind !== 'request' || request.seq > state.compactedThrough) return [];
  return [`The request:\n${safeText(request.request.text)}`];
}

function joined(opening: string, messages: readonly ModelMessage[]): readonly ModelMessage[] {
  if (opening === '') return messages;
  const [first, ...others] = messages;
  if (first?.role === 'user') return [{ role: 'user', content: `${opening}\n\n${first.content}` }, ...others];
  return [{ role: 'user', content: opening }, ...messages];
}

function withStatus(messages: readonly ModelMessage[], status: string): readonly ModelMessage[] {
  const last = messages.at(-1);
  if (last === undefined || last.role === 'assistant') return [...messages, { role: 'user', content: status }];
  return [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${status}` }];
}

type Renewed = ConversationItem & { readonly kind: 'renewed' };

/** What is read anew stands before what the person says next. */
function allMessages(
  items: readonly ConversationItem[],
  parts: ConversationParts,
  ports: TokenPorts,
): readonly ModelMessage[] {
  const messages: ModelMessage[] = [];
  let renewed: Renewed[] = [];
  const tell = (request?: Request): void => {
    // The body of the skill that is called stands in the request itself.
    const called = request === undefined ? undefined : calledSkill(request, parts.state)?.location;
    const texts = renewed.flatMap((item) => (item.location === called ? [] : renewedText(item, parts, ports)));
    renewed = [];
    const said = [...texts, ...(request === undefined ? [] : [requestText(request, parts, ports)])];
    if (said.length > 0) messages.push({ role: 'user', content: said.join('\n\n') });
  };
  for (const item of items) {
    if (item.kind === 'renewed') renewed.push(item);
    else if (item.kind === 'request') tell(item);
    else {
      tell();
      messages.push(...messagesOf(item));
    }
  }
  tell();
  return messages;
}

function renewedText({ location }: Renewed, parts: ConversationParts, ports: TokenPorts): readonly string[] {
  const activation = parts.state.activations.find((one) => one.location === location);
  if (activation === undefined) return [];
  const body = bodyText(activation, parts, { ...ports, words: undefined });
  if (body.length === 0) return [];
  const note = `The skill ${quoted(activation.name)} was changed since it was loaded. Its instructions are these now, and those above do not hold any more.`;
  return [skillNote(note), ...body];
}

function messagesOf(item: Exclude<ConversationItem, Request | Renewed>): readonly ModelMessage[] {
  switch (item.kind) {
    case 'decision':
      return [saidBefore(item.action)];
    case 'rejection':
      return [
        ...(item.text === '' ? [] : [{ role: 'assistant', content: safeText(item.text) } as const]),
        { role: 'observation', ok: false, content: safeText(`${item.error.code}: ${item.error.message}`) },
      ];
    case 'observation':
      // Beside a body, everything else was fenced when it was recorded.
      return [
        {
          role: 'observation',
          ok: item.ok,
          content: item.skills.length === 0 ? safeText(item.content) : visibleLines(item.content),
        },
      ];
    case 'answer':
      return [saidBefore({ kind: 'final_answer', content: item.text })];
  }
}

/** Preloaded bodies, the body of the skill that a person called, and what they wrote. */
function requestText(item: Request, parts: ConversationParts, ports: TokenPorts): string {
  const { state } = parts;
  const words = safeText(item.request.text);
  const isFirst = state.conversation.find(({ kind }) => kind === 'request') === item;
  const preloaded = (isFirst ? preloadedSkills(state) : []).flatMap((activation) =>
    bodyText(activation, parts, { ...ports, words: undefined }),
  );
  const called = calledSkill(item, state);
  const body =
    called === undefined || preloadedSkills(state).includes(called) ? [] : calledText(called, { item, parts, ports });
  const bodies = [...preloaded, ...body];
  return bodies.length === 0 ? words : withWords(bodies.join('\n\n'), words);
}

interface Called {
  readonly item: Request;
  readonly parts: ConversationParts;
  readonly ports: TokenPorts;
}

/** The body of the skill that a person called; of one that stands in an earlier request as well, only that it was called. */
function calledText(called: Activation, { item, parts, ports }: Called): readonly string[] {
  const body = bodyText(called, parts, { ...ports, words: item.request.text });
  const shown = parts.state.conversation.some(
    (other) =>
      other.kind === 'request' &&
      other.seq > parts.state.compactedThrough &&
      other.seq < item.seq &&
      calledSkill(other, parts.state) === called,
  );
  if (!shown || body.length === 0) return body;
  // One that takes the words of the request is another text each time.
  const [withoutWords] = bodyText(called, parts, { ...ports, words: undefined });
  if (withoutWords !== body[0]) return body;
  return [skillNote(`The skill ${quoted(called.name)} is called again. Its instructions stand above, and hold.`)];
}

/** What the run itself says of a skill beside the words of the person. */
function skillNote(note: string): string {
  return `<skill_note>${safeText(note)}</skill_note>`;
}

interface BodyPorts extends TokenPorts {
  readonly words: string | undefined;
}

function bodyText(
  activation: Activation,
  { state, skills, bodies }: ConversationParts,
  ports: BodyPorts,
): readonly string[] {
  const text = bodies.get(activation.location);
  if (text === undefined) return [];
  const entry = skills.find(({ location }) => location === activation.location) ?? entryOf(activation, text);
  const maxTokens = bodyTokens(state.contextTokens);
  return [renderSkillBody({ entry, text }, ports, { words: ports.words, maxTokens }).text];
}

/** An entry for a skill that the index does not hold any more, or that another one shadows. */
function entryOf({ name, scope, location, pack }: Activation, { skill }: SkillText): SkillEntry {
  const { body: _, ...head } = skill;
  return { name, scope, location, pack, packVersion: undefined, digest: undefined, head, diagnostics: [] };
}

/** What the model decided, without tags of the prompt: it may say what others wrote, and an answer may hold their errors. */
function saidBefore(action: AgentAction): ModelMessage {
  return { role: 'assistant', content: withoutPromptTags(canonicalJson(recordable({ action }))) };
}

function safeText(text: string): string {
  return withoutPromptTags(visibleLines(text));
}
