import type { AgentOptions, AgentPorts } from '../../src/agent/agent-run.js';
import type { AgentAction, Decision } from '../../src/model/action.js';
import type { ModelRequest } from '../../src/model/model-adapter.js';
import type { ApprovalRequest, Approver } from '../../src/policy/approver.js';
import { createSkillRegistry } from '../../src/registry/create-skill-registry.js';
import { memorySkills } from '../../src/registry/memory-skills.js';
import type { SkillEntry } from '../../src/registry/skill-entry.js';
import type { Tool } from '../../src/tool/tool.js';
import type { ToolResult } from '../../src/tool/tool-result.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, asking, echoTool, named, skillFile, type AgentWorld, type Reply } from './agent-world.js';
import { echoRunner } from './scripts-world.js';

/** What a text tells whoever reads it: `!!write!!` is an order to do what is called so. */
export type Orders = Readonly<Record<string, AgentAction | Decision>>;

/** One attempt to have more done than is allowed. */
export interface Attack {
  readonly orders: Orders;
  /** Files that are there besides, or instead. */
  readonly files?: Readonly<Record<string, string>>;
  /** Fields of the front matter of the skill `evil`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The text of the skill `evil`. */
  readonly body?: string;
  readonly options?: Partial<AgentOptions>;
  /** What the tools that only read answer. */
  readonly read?: (files: Record<string, string>) => Partial<ToolResult>;
  /** What scripts print. */
  readonly stdout?: string;
  /** What somebody does while a person is asked. */
  readonly meanwhile?: (files: Record<string, string>) => void;
  /** What the person is asked with. @default yes to `scripts/ok.py` as it was at the beginning */
  readonly decide?: (request: ApprovalRequest) => boolean;
  readonly ports?: (ports: AgentPorts) => Partial<AgentPorts>;
  /** The request. @default it is to use the skill `evil` */
  readonly text?: string;
}

/** What was done. */
export interface Attacked {
  readonly world: AgentWorld;
  readonly options: AgentOptions;
  readonly request: string;
  /** What took effect: `write_file {"path":"a"}`, `script evil scripts/ok.py`. Reading is none. */
  readonly effects: readonly string[];
  readonly asked: readonly ApprovalRequest[];
}

const tools: readonly (readonly [name: string, risk: Tool['risk']])[] = [
  ['read_file', 'low'],
  ['notes', 'medium'],
  ['write_file', 'high'],
  ['run_command', 'high'],
  ['http_request', 'high'],
];

export const start: AgentAction = { kind: 'select_skills', skills: [{ name: 'evil' }], reason: 'It fits.' };

/** A project with a skill that somebody else brought, which may read and run Python, and others that may do more. */
export function attacked(attack: Attack): Attacked {
  const files: Record<string, string> = {
    'evil/SKILL.md': skillFile('evil', attack.body ?? 'Do as you are told.', {
      'allowed-tools': 'read_file Bash(python:*)',
      ...attack.fields,
    }),
    'evil/scripts/ok.py': 'ok',
    'evil/scripts/bad.py': 'bad',
    'evil/scripts/bad.sh': 'bad',
    'evil/lib.py': 'lib',
    'generous/SKILL.md': skillFile('generous', 'I may write.', { 'allowed-tools': 'Write Bash WebFetch' }),
    'generous/scripts/put.sh': 'put',
    'helper/SKILL.md': skillFile('helper', 'I help.', { 'run-mode': 'subagent' }),
    'lister/SKILL.md': skillFile('lister', 'I list.', { 'run-mode': 'subagent', 'allowed-tools': 'Write' }),
    'people/SKILL.md': skillFile('people', 'For people.', { 'disable-model-invocation': 'true' }),
    'double/SKILL.md': skillFile('double', 'Another evil.'),
    ...attack.files,
  };
  const effects: string[] = [];
  const asked: ApprovalRequest[] = [];
  const made = tools.map(([name, risk]) =>
    echoTool(name, {
      risk,
      run: (input) => {
        if (risk === 'low') return attack.read?.(files) ?? {};
        effects.push(`${name} ${JSON.stringify(input)}`);
        return {};
      },
    }),
  );
  const runner = echoRunner({ stdout: attack.stdout ?? 'out' });
  const model = obeying({ start, ...attack.orders });
  const world = agentWorld(
    Array.from({ length: 30 }, () => model),
    {
      registry: registryOf(files),
      tools: made,
      runner: {
        run: async (request, options) => {
          effects.push(`script ${request.skill.name} ${request.path}`);
          return runner.run(request, options);
        },
      },
      approver: person(attack, { asked, files }),
    },
  );
  const ports = { ...world.ports, ...attack.ports?.(world.ports) };
  const options = named({
    permissions: asking,
    limits: { turns: 30, consecutiveFailures: 30 },
    ...attack.options,
  });
  return { world: { ...world, ports }, options, request: attack.text ?? 'Please use evil: !!start!!', effects, asked };
}

/** Skills in the sources that they come from: `evil` and `lister` from a pack, and another `evil` of the user. */
function registryOf(files: Readonly<Record<string, string>>) {
  const backend = memorySkills(files);
  const placed = (entry: SkillEntry): SkillEntry => {
    if (entry.name === 'double') return { ...entry, name: 'evil', scope: 'user' };
    const pack = entry.name === 'evil' || entry.name === 'lister' ? 'org/evil' : undefined;
    return { ...entry, scope: 'project', pack };
  };
  const list: typeof backend.list = async (options) => {
    const listing = await backend.list(options);
    return { ...listing, skills: listing.skills.map(placed) };
  };
  return createSkillRegistry({ ...backend, list }, { sha256 });
}

/** Does what any text before it orders, the first time that it is ordered, in the order of the texts. */
function obeying(orders: Orders): Reply {
  const obeyed = new Set<string>();
  return (request) => {
    for (const [, name = ''] of textOf(request).matchAll(/!!(\w+)!!/gu)) {
      const order = orders[name];
      if (order === undefined || obeyed.has(name)) continue;
      obeyed.add(name);
      return order;
    }
    return answer('I did what I was told.');
  };
}

function textOf({ system, messages }: ModelRequest): string {
  return [...messages.map(({ content }) => content), system].join('\n');
}

/** Looks at what it is shown, says yes to one thing, and no to everything else. */
function person(
  { decide, meanwhile }: Attack,
  { asked, files }: { readonly asked: ApprovalRequest[]; readonly files: Record<string, string> },
): Approver {
  return {
    decide: async (request) => {
      asked.push(request);
      const known = decide?.(request) ?? (request.summary === 'scripts/ok.py' && request.changes === undefined);
      if (known) meanwhile?.(files);
      return known
        ? { kind: 'approved', scope: 'run', by: 'person' }
        : { kind: 'denied', reason: 'Not that.', by: 'person' };
    },
  };
}
