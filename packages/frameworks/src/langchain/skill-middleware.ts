import { SkillsError, type SkillRegistry, type SkillSession, type Tool } from '@skillpack/core';
import {
  AIMessage,
  createMiddleware,
  SystemMessage,
  ToolMessage,
  type AgentMiddleware,
  type HITLRequest,
  type StructuredTool,
  type ToolCallRequest,
} from 'langchain';
// eslint-disable-next-line no-restricted-imports -- LangChain calls the methods of a schema of states
import * as z from 'zod';
import { keepConversations } from '../session/keep-conversations.js';
import { byName, checkNames, isOurs, offeredTools, type OfferedTool } from '../session/offered-tool.js';
import { openSession, type OpenedSession } from '../session/open-session.js';
import { toLangChainTool } from './to-langchain-tool.js';
import type { ToolCall } from '../session/tool-gate.js';
import type { SharedSkillOptions, SkillPorts } from '../session/skill-ports.js';

/** A tool of LangChain.js, as `tool` makes it; or one of ours. */
export type LangChainTool = StructuredTool | Tool;

/** What skills take from their surroundings, and the tools that they bring. */
export interface LangChainSkillPorts extends SkillPorts {
  /** Those that are offered once a skill was read whose `allowed-tools` name them. @default none */
  readonly skillTools?: readonly LangChainTool[] | undefined;
  /** Those that are offered once the skill was read that they are listed under. @default none */
  readonly groupedTools?: Readonly<Record<string, readonly LangChainTool[]>> | undefined;
}

/** What goes into the `middleware` of `createAgent`. */
export interface SkillMiddleware extends AgentMiddleware {
  /** The skills of a thread by its id: the ledger, what is switched off, and `call` for a person who names a skill. */
  readonly session: (thread: string) => SkillSession;
}

type Offered = OfferedTool<StructuredTool>;

interface Conversation extends OpenedSession<StructuredTool> {
  /** The tools of the agent itself, by name, as far as they were seen. */
  readonly agentTools: Map<string, Offered>;
  /** The use that is asked about, by the message of the model that it stands in: one of the newest one. */
  readonly asking: Map<string, string>;
}

type Surroundings = Pick<ToolCallRequest<{ readonly _skillsCall?: string | undefined }>, 'state' | 'runtime'>;

// What begins with _ is no part of what an agent is given, or gives back.
const stateSchema = z.object({ _skillsCall: z.string().optional() });
// One question has one answer: of more, nobody knows which is meant.
const answerSchema = z.object({
  decisions: z.array(z.object({ type: z.string(), message: z.string().optional() })).length(1),
});

/**
 * Skills for agents that `createAgent` of LangChain.js makes. A conversation is a thread, by its `thread_id`; without one,
 * it is a call of `invoke` or `stream`. What needs a yes is an interrupt of the form that `humanInTheLoopMiddleware` has,
 * so that the agent needs a checkpointer. The tools of the agent are judged as well: `risks` tells theirs.
 *
 * @throws `USAGE` where two tools have one name, and what `createSkillSession` throws; some of it at the first call.
 * @example
 * ```ts
 * const agent = createAgent({ model, tools: [], middleware: [skillMiddleware(registry, { sha256, clock })] });
 * ```
 */
export function skillMiddleware(
  registry: SkillRegistry,
  ports: LangChainSkillPorts,
  { maxConversations = 1_000, ...options }: SharedSkillOptions = {},
): SkillMiddleware {
  const groups = Object.entries(ports.groupedTools ?? {}).map(([skill, tools]) => [skill, byName(tools)] as const);
  const brought = { skillTools: byName(ports.skillTools ?? []), groupedTools: Object.fromEntries(groups) };
  const make = (): Conversation => {
    const agentTools: Conversation['agentTools'] = new Map();
    const ownTools = (): readonly Offered[] => [...agentTools.values()];
    const opened = openSession<StructuredTool>(registry, { ...ports, ...brought, ownTools }, options);
    return { ...opened, agentTools, asking: new Map() };
  };
  make();
  const conversations = keepConversations(make, maxConversations);
  const conversationOf = ({ state, runtime }: Surroundings, tools: readonly object[]): Conversation => {
    const { _skillsCall: call } = state;
    const id = runtime.configurable?.thread_id ?? call;
    if (id === undefined) throw new Error('A call of an agent has no id.');
    const conversation = conversations(id);
    for (const offered of offeredTools(byName(tools.filter(isInvoked)), options))
      conversation.agentTools.set(offered.name, offered);
    checkNames([...conversation.agentTools.values(), ...conversation.brought]);
    return conversation;
  };
  let calls = 0;
  const middleware = createMiddleware({
    name: 'skills',
    stateSchema,
    beforeAgent: (_, { configurable }) => {
      calls += 1;
      // No thread is called so.
      return configurable?.thread_id === undefined ? { _skillsCall: `\u0000${calls}` } : undefined;
    },
    wrapModelCall: async (request, handler) =>
      handler(await withSkills(request, conversationOf(request, request.tools))),
    wrapToolCall: async (request, handler) => {
      const { toolCall, tool, runtime } = request;
      const conversation = conversationOf(request, tool === undefined ? [] : [tool]);
      const { id = '', name, args: input } = toolCall;
      const reader = tool === undefined ? conversation.reading.find((one) => one.name === name) : undefined;
      if (reader !== undefined) return handler({ ...request, tool: toolFor(name, reader) });
      const refused = await whyNot({ id, name, input, signal: runtime.signal }, conversation, request);
      if (refused !== undefined) return new ToolMessage({ content: refused, tool_call_id: id, name, status: 'error' });
      const found = tool === undefined ? conversation.brought.find((offered) => offered.name === name) : undefined;
      return handler(found === undefined ? request : { ...request, tool: toolFor(name, found.tool) });
    },
  });
  return { ...middleware, session: (thread) => conversations(thread).session };
}

type Request = Parameters<NonNullable<AgentMiddleware<typeof stateSchema>['wrapModelCall']>>[0];

/** A request to the model, with the catalogue and the tools that are offered now. */
async function withSkills<Given extends Pick<Request, 'tools' | 'messages' | 'systemMessage'>>(
  request: Given,
  conversation: Conversation,
): Promise<Given> {
  const { tools, messages, systemMessage } = request;
  const { system, tools: offered } = await conversation.session.prepare({
    system: '',
    tools: [...conversation.agentTools.values()],
    messages: messages.map(({ type, content }) => ({ role: type === 'human' ? 'user' : type, content })),
  });
  const added = offered.filter(({ name }) => !conversation.agentTools.has(name));
  const made = added.map(({ name, tool }) => toolFor(name, tool));
  const section = systemMessage.text === '' ? system : `\n\n${system}`;
  return {
    ...request,
    ...(system === '' ? {} : { systemMessage: systemMessage.concat(new SystemMessage(section)) }),
    tools: [...tools, ...made],
  };
}

/** Why a call is not carried out: what the model is told. Where a yes is needed, the agent is interrupted for it. */
async function whyNot(
  call: ToolCall,
  { gate, asking }: Conversation,
  { state, runtime }: Surroundings,
): Promise<string | undefined> {
  try {
    const verdict = await gate.judge(call);
    if (verdict.kind === 'ask') {
      if (!isFirst(call, asking, state)) return anotherIsOpen;
      const answer = answerSchema.safeParse(runtime.interrupt?.(questionOf(call, verdict.question))).data?.decisions[0];
      if (answer?.type !== 'approve') return `Nobody said yes to this use of the tool. ${answer?.message ?? ''}`.trim();
      // Which content of the skill was asked about, nobody here knows: what is asked now is no matter of that answer.
      if (!verdict.open && verdict.skill !== undefined) gate.forget(call);
    }
    await gate.pass(call);
    return undefined;
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return error.message;
  }
}

const anotherIsOpen =
  'Another question is open, and one is asked at a time. Call the tool again once that is answered.';

/**
 * Whether a call is the first one of a message of the model that needs a yes. LangGraph gives one answer to all that wait
 * for one, so that no second one may wait beside it.
 */
function isFirst(
  { id, name, input }: ToolCall,
  asking: Conversation['asking'],
  { messages }: Surroundings['state'],
): boolean {
  const answer = messages.findLast((message) => AIMessage.isInstance(message));
  const message = JSON.stringify([answer?.id, answer?.tool_calls]);
  const use = JSON.stringify([id, name, input]);
  const first = asking.get(message) ?? use;
  asking.clear();
  asking.set(message, first);
  return first === use;
}

function questionOf({ name, input }: ToolCall, description: string): HITLRequest {
  // Cast: what LangChain calls a tool with is an object.
  const args = input as Record<string, unknown>;
  const reviewConfigs: HITLRequest['reviewConfigs'] = [{ actionName: name, allowedDecisions: ['approve', 'reject'] }];
  return { actionRequests: [{ name, args, description }], reviewConfigs };
}

function toolFor(name: string, tool: StructuredTool | Tool): StructuredTool {
  return isOurs(tool) ? toLangChainTool(name, tool) : tool;
}

/** What a provider does itself has nothing to invoke. */
function isInvoked(tool: object): tool is StructuredTool {
  return 'invoke' in tool && 'name' in tool && typeof tool.name === 'string';
}
