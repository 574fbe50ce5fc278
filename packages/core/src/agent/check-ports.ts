import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { expectRegistry } from '../registry/expect-registry.js';
import { checkToolParts } from '../tool/make-tool.js';
import type { Tool } from '../tool/tool.js';
import type { AgentPorts } from './agent-run.js';

/**
 * Whoever calls may write in a language without types.
 *
 * @throws `USAGE` for a port that is not there, or is something else.
 */
export function checkPorts(ports: AgentPorts): void {
  const given = fieldsOf(ports);
  expectRegistry(given['registry']);
  for (const [port, methods, hint] of needed) expectMethods(port, { value: given[port], methods, hint });
  if (typeof given['sha256'] !== 'function') throw notThere('sha256', 'It is a function; @skillpack/runs-fs has one.');
  for (const [port, methods, hint] of possible) {
    if (given[port] !== undefined) expectMethods(port, { value: given[port], methods, hint });
  }
  if (given['measureSkill'] !== undefined && typeof given['measureSkill'] !== 'function')
    throw notThere('measureSkill', 'It is a function; leave it out to measure by the registry.');
  for (const name of ['tools', 'skillTools'] as const) expectTools(name, given[name] ?? []);
  for (const [skill, tools] of Object.entries(fieldsOf(given['groupedTools']))) {
    expectTools(`groupedTools[${quoted(skill)}]`, tools);
  }
}

type Needed = readonly [port: string, methods: readonly string[], hint: string];

const needed: readonly Needed[] = [
  ['model', ['decide'], 'Hand in a ModelAdapter, such as scripted of @skillpack/model-adapters makes.'],
  ['journal', ['append', 'keep', 'sync'], 'openRunFolder of @skillpack/runs-fs makes one; createMemoryJournal, too.'],
  ['clock', ['now'], 'systemClock of @skillpack/runs-fs is one; { now: () => Date.now() }, too.'],
];

const possible: readonly Needed[] = [
  ['approver', ['decide'], 'Leave it out where nobody can be asked.'],
  ['runner', ['run'], 'createProcessRunner of @skillpack/tools-shell makes one; without one, no script is run.'],
];

interface Expected {
  readonly value: unknown;
  readonly methods: readonly string[];
  readonly hint: string;
}

function expectMethods(port: string, { value, methods, hint }: Expected): void {
  const fields = fieldsOf(value);
  for (const method of methods) {
    if (typeof fields[method] !== 'function') throw notThere(port, hint, method);
  }
}

function expectTools(port: string, tools: unknown): void {
  if (!Array.isArray(tools)) throw notThere(port, 'It is a list of tools.');
  for (const tool of tools) {
    expectMethods(port, { value: tool, methods: ['run'], hint: 'Make each tool with defineTool.' });
    const { name, inputSchema }: Readonly<Record<string, unknown>> = tool as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || name === '')
      throw new SkillsError('USAGE', `A tool of the port ${port} has no name.`);
    checkToolParts(tool as Tool);
    if (typeof inputSchema === 'object' && inputSchema !== null) continue;
    throw new SkillsError('USAGE', `The tool ${quoted(name)} has no inputSchema.`, {
      hint: 'Make each tool with defineTool.',
    });
  }
}

function notThere(port: string, hint: string, method?: string): SkillsError {
  const what = method === undefined ? 'is missing or something else' : `has no function ${quoted(method)}`;
  return new SkillsError('USAGE', `The port ${port} of the agent ${what}.`, { hint });
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
