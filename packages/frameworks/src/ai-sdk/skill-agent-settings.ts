import { quoted, SkillsError, type SkillRegistry } from '@skillpack/core';
import { jsonSchema, type Schema, type ToolLoopAgentSettings, type ToolSet } from 'ai';
import { keepConversations } from '../session/keep-conversations.js';
import type { SharedSkillOptions } from '../session/skill-ports.js';
import type { AiTools, AiToolSet } from './ai-tool.js';
import { skillTools, type AiSkillPorts, type AiSkills } from './skill-tools.js';

/** What a call of an agent that serves many conversations says. */
export interface AiConversation {
  /** Which conversation it belongs to, such as the id of a chat. Whoever may say it has what was unlocked in it. */
  readonly conversation: string;
}

/** What goes into a `ToolLoopAgent` that serves many conversations, by `...`. */
export interface AiAgentSettings<Tools extends ToolSet = ToolSet> {
  /** All tools, for `convertToModelMessages` and the like. */
  readonly tools: Tools;
  /** What a call says: from it, the agent knows the type of its options. */
  readonly callOptionsSchema: Schema<AiConversation>;
  /** Gives each call the skills of its conversation; one that names none has some of its own. `USAGE` for other tools. */
  readonly prepareCall: NonNullable<ToolLoopAgentSettings<AiConversation, Tools>['prepareCall']>;
  /** The skills of a conversation, as a call in it has them. */
  readonly conversation: (id: string) => AiSkills<Tools>;
}

/**
 * Skills for a `ToolLoopAgent` that serves many conversations, also at once: each has a session of its own over the one
 * registry.
 *
 * @throws `USAGE` where two tools have one name, and what `createSkillSession` throws.
 * @example
 * ```ts
 * const agent = new ToolLoopAgent({ model, instructions: 'You help.', ...skillAgentSettings(registry, { sha256, clock }) });
 * const { text } = await agent.generate({ prompt: 'Which fields has form.pdf?', options: { conversation: 'chat-1' } });
 * ```
 */
export function skillAgentSettings<const Own extends AiTools = readonly []>(
  registry: SkillRegistry,
  ports: AiSkillPorts<Own>,
  { maxConversations = 1_000, ...options }: SharedSkillOptions = {},
): AiAgentSettings<AiToolSet<Own>> {
  const make = (): AiSkills => skillTools(registry, ports, options) as unknown as AiSkills;
  const { tools } = make();
  const conversation = keepConversations(make, maxConversations);
  const prepareCall: AiAgentSettings['prepareCall'] = async ({ options: call, ...settings }) => {
    const skills = call === undefined ? make() : conversation(call.conversation);
    const { prepareStep: before, toolApproval: theirs } = settings;
    checkKnown(settings.tools, skills.tools);
    return {
      ...settings,
      tools: skills.tools,
      prepareStep: async (step) => ({ ...(await before?.(step)), ...(await skills.prepareStep(step)) }),
      toolApproval: bothApprovals(skills.toolApproval, theirs),
    };
  };
  // Cast: as that of `skillTools`.
  return { tools, conversation, callOptionsSchema, prepareCall } as AiAgentSettings as unknown as AiAgentSettings<
    AiToolSet<Own>
  >;
}

/** A tool that stands beside those of the skills would be offered in no step, and judged by nobody. */
function checkKnown(given: ToolSet | undefined, known: ToolSet): void {
  const other = Object.keys(given ?? {}).find((name) => !Object.hasOwn(known, name));
  if (other === undefined) return;
  throw new SkillsError('USAGE', `The tool ${quoted(other, 64)} of the agent is not known to its skills.`, {
    hint: 'Hand it in among the ports: skillAgentSettings(registry, { tools, … }).',
  });
}

const callOptionsSchema = jsonSchema<AiConversation>(
  { type: 'object', properties: { conversation: { type: 'string', minLength: 1 } }, required: ['conversation'] },
  {
    validate: (value) =>
      isConversation(value)
        ? { success: true, value }
        : { success: false, error: new Error('A call says which conversation it belongs to: { conversation: "…" }.') },
  },
);

function isConversation(value: unknown): value is AiConversation {
  const says = typeof value === 'object' && value !== null && 'conversation' in value ? value.conversation : undefined;
  return typeof says === 'string' && says !== '';
}

type Approval = NonNullable<ToolLoopAgentSettings<AiConversation, ToolSet>['toolApproval']>;

/** What the agent asks besides is asked where the skills ask nothing. */
function bothApprovals(ours: AiSkills['toolApproval'], theirs: Approval = {}): Approval {
  return async (call) => {
    const { toolCallId, toolName } = call.toolCall;
    const input: unknown = call.toolCall.input;
    const { messages, runtimeContext, toolsContext } = call;
    const contexts: Readonly<Record<string, unknown>> = toolsContext;
    const own = Object.hasOwn(ours, toolName) ? ours[toolName] : undefined;
    const options = { toolCallId, messages, runtimeContext, toolContext: contexts[toolName] };
    const asked = await own?.(input, options);
    if (asked !== undefined) return asked;
    if (typeof theirs === 'function') return theirs(call);
    const named = Object.hasOwn(theirs, toolName) ? theirs[toolName] : undefined;
    // Cast: what belongs to the name of a tool, the types tell for no name that is told only now.
    return typeof named === 'function' ? named(input, options as Parameters<typeof named>[1]) : named;
  };
}
