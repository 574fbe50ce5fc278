import type { SkillRegistry, SkillSession, Tool } from '@skillpack/core';
import type { InputProcessor } from '@mastra/core/processors';
import type { RequestContext } from '@mastra/core/request-context';
import { keepConversations } from '../session/keep-conversations.js';
import type { OfferedTool } from '../session/offered-tool.js';
import { openSession, type OpenedSession } from '../session/open-session.js';
import type { SharedSkillOptions, SkillPorts } from '../session/skill-ports.js';
import { guardMastraTool, toMastraTool, type MastraTool, type ToolGuard } from './to-mastra-tool.js';

/** Our tools as a list, or tools by name: ours, and those of Mastra as they are. */
export type MastraTools = readonly Tool[] | Readonly<Record<string, Tool | MastraTool>>;

/** What skills take from their surroundings, and the tools of the agent. */
export interface MastraSkillPorts extends SkillPorts {
  /** Those of the agent itself, there from the beginning: hand them in here. @default none */
  readonly tools?: MastraTools | undefined;
  /** Those that are offered once a skill was read whose `allowed-tools` name them. @default none */
  readonly skillTools?: MastraTools | undefined;
  /** Those that are offered once the skill was read that they are listed under. @default none */
  readonly groupedTools?: Readonly<Record<string, MastraTools>> | undefined;
}

/** What goes into an `Agent` of Mastra, by `...`. */
export interface MastraSkillSettings {
  /** All tools; which of them a step offers, the processor says. */
  readonly tools: (call: { readonly requestContext: RequestContext }) => Record<string, MastraTool>;
  readonly inputProcessors: InputProcessor[];
  /** The skills of a conversation by its id: the ledger, what is switched off, and `call` for a person who names a skill. */
  readonly session: (id: string) => SkillSession;
}

/** The key of a request context under which the id of a conversation stands. */
export const conversationKey = 'skillpack.conversation';

type Conversation = OpenedSession<MastraTool>;

/**
 * Skills for an `Agent` of Mastra. A conversation is what has one id under `conversationKey` of the request context; a call
 * without one gets one that nobody else has. What needs a yes waits for it as `requireApproval` does: hand the same request
 * context in where you say yes or no, so that the conversation goes on.
 *
 * @throws `USAGE` where two tools have one name, and what `createSkillSession` throws.
 * @example
 * ```ts
 * const agent = new Agent({ id: 'helper', name: 'Helper', instructions: 'You help.', model, ...skillSettings(registry, { sha256, clock }) });
 * ```
 */
export function skillSettings(
  registry: SkillRegistry,
  ports: MastraSkillPorts,
  { maxConversations = 1_000, ...options }: SharedSkillOptions = {},
): MastraSkillSettings {
  const make = (): Conversation => openSession<MastraTool>(registry, { ...ports, bindInput: false }, options);
  make();
  const conversations = keepConversations(make, maxConversations);
  const conversationOf = (context: RequestContext): Conversation => {
    const known = context.get(conversationKey);
    const id = typeof known === 'string' ? known : crypto.randomUUID();
    context.set(conversationKey, id);
    return conversations(id);
  };
  const guardOf = (name: string, call: RequestContext): ToolGuard => ({
    requireApproval: async (input) => {
      const verdict = await conversationOf(call).gate.judge({ id: name, name, input });
      return verdict.kind === 'ask';
    },
    pass: async (input, { abortSignal: signal }) => conversationOf(call).gate.pass({ id: name, name, input, signal }),
  });
  return {
    session: (id) => conversations(id).session,
    tools: ({ requestContext }) => {
      const { own, brought, reading } = conversationOf(requestContext);
      const gated = (offered: OfferedTool<MastraTool>): readonly [string, MastraTool] => {
        const guard = guardOf(offered.name, requestContext);
        const { kind, name, tool } = offered;
        return [name, kind === 'ours' ? toMastraTool(name, tool, guard) : guardMastraTool(tool, guard)];
      };
      const readers = reading.map((tool) => [tool.name, toMastraTool(tool.name, tool)] as const);
      return Object.fromEntries([...brought.map(gated), ...readers, ...own.map(gated)]);
    },
    inputProcessors: [
      {
        id: 'skills',
        processInputStep: async ({ messages, systemMessages, requestContext, tools: all = {}, activeTools }) => {
          if (requestContext === undefined) throw new Error('A step of an agent has no request context.');
          const { session, own, brought, reading } = conversationOf(requestContext);
          const read = messages.map(({ role, content }) => ({ role, content: content.parts }));
          const { system, tools } = await session.prepare({ system: '', tools: own, messages: read });
          const known = new Set([...own, ...brought, ...reading].map(({ name }) => name));
          // Tools that come from elsewhere, such as those of a memory, are none of ours to hide.
          const others = (activeTools ?? Object.keys(all)).filter((name) => !known.has(name));
          const names = [...tools.map(({ name }) => name), ...others];
          return {
            activeTools: names,
            // Their order is that of the tools.
            tools: Object.fromEntries(names.map((name) => [name, all[name]])),
            ...(system === '' ? {} : { systemMessages: [...systemMessages, { role: 'system', content: system }] }),
          };
        },
      },
    ],
  };
}
