import type { AgentOptions, AgentPorts } from '../../src/agent/agent-run.js';
import type { RunEvent } from '../../src/agent/run-event.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import type { AgentAction, Decision } from '../../src/model/action.js';
import type { ModelAdapter, ModelRequest, ModelUsage } from '../../src/model/model-adapter.js';
import type { Permissions } from '../../src/policy/permissions.js';
import { createSkillRegistry } from '../../src/registry/create-skill-registry.js';
import { memorySkills } from '../../src/registry/memory-skills.js';
import { fakeClock, type FakeClock } from '../../src/testing/fake-clock.js';
import { createMemoryJournal } from '../../src/agent/memory-journal.js';
import { failableJournal, type FailableJournal } from './failable-journal.js';
import type { Tool, ToolContext } from '../../src/tool/tool.js';
import type { ToolResult } from '../../src/tool/tool-result.js';
import { sha256 } from '../sha256.js';

/** What a model of a test says in one turn: an action, a decision, any text, an error; or what makes one of them. */
export type Reply =
  | AgentAction
  | Decision
  | string
  | Error
  | ((request: ModelRequest, signal: AbortSignal) => Reply | Promise<Reply>);

export interface RepliesModel extends ModelAdapter {
  /** What it was asked, in order. */
  readonly requests: readonly ModelRequest[];
}

/** A model that says one thing after another. */
function repliesModel(
  replies: readonly Reply[],
  options: { readonly usage?: Partial<ModelUsage>; readonly contextTokens?: number } = {},
): RepliesModel {
  const requests: ModelRequest[] = [];
  return {
    name: 'test:replies',
    contextTokens: options.contextTokens ?? 100_000,
    requests,
    decide: async (request, { signal }) => {
      let reply = replies[requests.length];
      requests.push(structuredClone(request));
      while (typeof reply === 'function') reply = await reply(request, signal);
      if (reply === undefined) throw new SkillsError('MODEL_ERROR', 'The test has no further reply.');
      if (reply instanceof Error) throw reply;
      const text = typeof reply === 'string' ? reply : JSON.stringify('kind' in reply ? { action: reply } : reply);
      return { text, usage: { inputTokens: 10, outputTokens: 5, ...options.usage }, finish: 'stop' };
    },
  };
}

export interface AgentWorld {
  readonly ports: AgentPorts;
  readonly journal: FailableJournal;
  readonly clock: FakeClock;
  readonly model: RepliesModel;
  readonly events: readonly RunEvent[];
  /** The types of the events, in order. */
  types(): readonly string[];
  /** The events of one type. */
  of<Type extends RunEvent['type']>(type: Type): readonly (RunEvent & { readonly type: Type })[];
}

export type WorldOptions = Partial<AgentPorts> & {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly usage?: Partial<ModelUsage>;
  readonly contextTokens?: number;
};

/** Everything an agent needs, in memory. */
export function agentWorld(replies: readonly Reply[], options: WorldOptions = {}): AgentWorld {
  const { files = {}, usage, contextTokens, ...ports } = options;
  const journal = failableJournal(createMemoryJournal(sha256));
  const clock = fakeClock();
  const model = repliesModel(replies, { ...(usage && { usage }), ...(contextTokens && { contextTokens }) });
  const registry = createSkillRegistry(memorySkills(files), { sha256 });
  return {
    ports: { registry, model, journal, clock, sha256, ...ports },
    journal,
    clock,
    model,
    events: journal.events,
    types: () => journal.events.map(({ type }) => type),
    of: (type) =>
      journal.events.filter((event): event is RunEvent & { readonly type: typeof type } => event.type === type),
  };
}

/** A SKILL.md. */
export function skillFile(name: string, body: string, fields: Readonly<Record<string, string>> = {}): string {
  const rows = Object.entries({ name, description: `What ${name} is for.`, ...fields });
  return `---\n${rows.map(([key, value]) => `${key}: ${value}`).join('\n')}\n---\n${body}\n`;
}

export function select(...names: readonly string[]): AgentAction {
  return { kind: 'select_skills', skills: names.map((name) => ({ name })), reason: 'It fits.' };
}

export function answer(content: string): AgentAction {
  return { kind: 'final_answer', content };
}

/** A tool that says what it was given. */
export function echoTool(
  name: string,
  options: {
    readonly risk?: Tool['risk'];
    readonly run?: (input: unknown, context: ToolContext) => Partial<ToolResult>;
  } = {},
): Tool & { readonly calls: readonly unknown[] } {
  const calls: unknown[] = [];
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object' },
    risk: options.risk ?? 'low',
    calls,
    run: async (input, context) => {
      calls.push(input);
      const result = options.run?.(input, context) ?? {};
      return { ok: true, content: `${name} was called`, output: {}, started: 0, ended: 0, duration: 0, ...result };
    },
  };
}

/** Permissions by which what is of high risk is not off, but asked for. */
export const asking: Permissions = { configured: { allow: ['risk:low'], ask: ['risk:medium', 'risk:high'] } };

/** Options of a run that tests call `run`. */
export function named(options: Partial<AgentOptions> = {}): AgentOptions {
  return { id: 'run', ...options };
}
