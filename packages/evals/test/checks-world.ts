import { createHash } from 'node:crypto';
import {
  createMemoryJournal,
  createSkillRegistry,
  memorySkills,
  startRun,
  type AgentAction,
  type AgentOptions,
  type AgentPorts,
  type ApprovalDecision,
  type Approver,
  type MemoryJournal,
  type RunEvent,
  type ScriptRunner,
  type Sha256,
  type Tool,
  type UserRequest,
} from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { scripted, type ScriptReply } from '@skillpack/model-adapters';
import { checkActions, type ActionRule, type CheckResult, type StepPattern } from '../src/index.js';

/** The real hash. */
export const sha256: Sha256 = (data) =>
  // Cast: the form of a digest is what this line builds.
  `sha256:${createHash('sha256').update(data).digest('hex')}` as ReturnType<Sha256>;

/** Skills of these tests: two that are worked with here, one that a run of its own works with. */
export const files: Readonly<Record<string, string>> = {
  'pdf/SKILL.md': skillText('pdf', { 'allowed-tools': 'Look Read' }),
  'pdf/guide.md': 'How to read a PDF.',
  'pdf/scripts/text.mjs': '',
  'docx/SKILL.md': skillText('docx'),
  'docx/guide.md': 'How to read a DOCX.',
  'docx/scripts/text.mjs': '',
  'survey/SKILL.md': skillText('survey', { 'run-mode': 'subagent' }),
  'survey/guide.md': 'How to count.',
  'survey/scripts/count.mjs': '',
};

function skillText(name: string, fields: Readonly<Record<string, string>> = {}): string {
  const rows = Object.entries({ name, description: `Works with ${name}.`, ...fields });
  return `---\n${rows.map(([key, value]) => `${key}: ${value}`).join('\n')}\n---\nText of ${name}.\n`;
}

export function select(...names: readonly string[]): ScriptReply {
  return act({ kind: 'select_skills', skills: names.map((name) => ({ name })), reason: 'It fits.' });
}

export function load(skill: string, path = 'guide.md'): ScriptReply {
  return act({ kind: 'load_resource', skill: { name: skill }, relative_path: path });
}

export function script(skill: string, path = 'scripts/text.mjs', ...args: readonly string[]): ScriptReply {
  return act({ kind: 'run_script', skill: { name: skill }, relative_path: path, args });
}

export function call(tool: string, input: Readonly<Record<string, string | number>> = {}): ScriptReply {
  return act({ kind: 'call_tool', tool, input });
}

export function answer(content: string): ScriptReply {
  return act({ kind: 'final_answer', content });
}

export function act(action: AgentAction): ScriptReply {
  return { action };
}

/** A runner that says how each script ended, without one. */
export function echoRunner(exitCode = 0): ScriptRunner {
  const nothing = { bytes: new Uint8Array(), size: 0 };
  return {
    run: async ({ path, args }) => ({
      runner: 'echo',
      command: ['node', path, ...args],
      exitCode,
      signal: undefined,
      timedOut: false,
      stdout: nothing,
      stderr: nothing,
    }),
  };
}

/** An approver that gives one answer after another, the last one for ever. */
export function approver(...decisions: readonly ApprovalDecision[]): Approver {
  let asked = 0;
  return {
    decide: async () => {
      const decision = decisions[Math.min(asked, decisions.length - 1)];
      asked += 1;
      if (decision === undefined) throw new Error('Nobody is there.');
      return decision;
    },
  };
}

export const yes: ApprovalDecision = { kind: 'approved', scope: 'once', by: 'test' };
export const yesForTheRun: ApprovalDecision = { kind: 'approved', scope: 'run', by: 'test' };
export const no: ApprovalDecision = { kind: 'denied', reason: 'Not now.', by: 'test' };

function echoTool(name: string, risk: Tool['risk'] = 'low'): Tool {
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object' },
    risk,
    run: async () => ({ ok: true, content: `${name} was called`, output: {}, started: 0, ended: 0, duration: 0 }),
  };
}

export interface WorldOptions {
  readonly ports?: Partial<AgentPorts>;
  readonly options?: Partial<AgentOptions>;
  readonly files?: Readonly<Record<string, string>>;
}

/** Everything an agent of core needs, in memory. */
export function agentPorts(
  replies: readonly ScriptReply[],
  world: WorldOptions = {},
): AgentPorts & { readonly journal: MemoryJournal } {
  return {
    registry: createSkillRegistry(memorySkills(world.files ?? files), { sha256 }),
    model: scripted(replies),
    clock: fakeClock(),
    sha256,
    runner: echoRunner(),
    approver: approver(yes),
    tools: [echoTool('Read'), echoTool('Write', 'medium')],
    skillTools: [echoTool('Look')],
    ...world.ports,
    journal: createMemoryJournal(sha256),
  };
}

/** What a real run of core records where its model says these things, one after another. */
export async function runOf(
  replies: readonly ScriptReply[],
  world: WorldOptions & { readonly requests?: readonly (string | UserRequest)[] } = {},
): Promise<readonly RunEvent[]> {
  const ports = agentPorts(replies, world);
  const run = await startRun(ports, { id: 'run', ...world.options });
  for (const request of world.requests ?? ['Do it.']) await run.ask(request);
  await run.finish();
  return ports.journal.events;
}

/** The `seq` of the event that began the n-th action of a kind, from 1. */
export function seqOf(events: readonly RunEvent[], kind: AgentAction['kind'], nth = 1): number {
  const started = events.filter((event) => event.type === 'action_started' && event.action.kind === kind);
  const event = started[nth - 1];
  if (event === undefined) throw new Error(`There is no ${kind} number ${nth}.`);
  return event.seq;
}

/** Whenever `next` happens, `first` was done before. */
export function before(first: StepPattern, next: StepPattern): ActionRule {
  // eslint-disable-next-line unicorn/no-thenable -- a pattern is no function, so nobody awaits it
  return { kind: 'before', first, then: next };
}

/** What comes of one rule. */
export function check(rule: ActionRule, events: readonly RunEvent[]): CheckResult {
  const [result] = checkActions([rule], events);
  if (result === undefined) throw new Error('A rule has a result.');
  return result;
}

export const loads = (skill: string): StepPattern => ({ action: 'load_resource', skill });
export const runs = (skill: string): StepPattern => ({ action: 'run_script', skill });
export const selects = (skill: string): StepPattern => ({ action: 'select_skills', skill });
export const loadBeforeRun = before(loads('$X'), runs('$X'));
