import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findBreaches } from '../../src/agent/record/find-breaches.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { startRun } from '../../src/agent/start-run.js';
import type { RunEvent } from '../../src/agent/run-event.js';
import type { AgentAction } from '../../src/model/action.js';
import type { AllowedToolsMode, Permissions, ToolRules } from '../../src/policy/permissions.js';
import type { RiskClass } from '../../src/policy/risk-class.js';
import type { ApprovalDecision } from '../../src/policy/approver.js';
import { createSkillRegistry } from '../../src/registry/create-skill-registry.js';
import { memorySkills } from '../../src/registry/memory-skills.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, echoTool, named, skillFile, type Reply } from './agent-world.js';
import { echoRunner } from './scripts-world.js';

const risks: Readonly<Record<string, RiskClass>> = {
  look: 'low',
  step: 'medium',
  wipe: 'high',
  Put: 'high',
  Get: 'low',
  run_script: 'medium',
};
const beginning = ['look', 'step', 'wipe'];
const brought = ['Put', 'Get'];
const skillNames = ['one', 'two', 'three', 'child'];

const rule = fc.constantFrom('*', 'risk:low', 'risk:medium', 'risk:high', ...Object.keys(risks));
const rules: fc.Arbitrary<ToolRules> = fc.record(
  {
    allow: fc.array(rule, { maxLength: 4 }),
    ask: fc.array(rule, { maxLength: 3 }),
    deny: fc.array(fc.constantFrom(...Object.keys(risks)), { maxLength: 1 }),
  },
  { requiredKeys: [] },
);
const mode = fc.constantFrom<AllowedToolsMode>('grant', 'restrict', 'ignore');
const permissions: fc.Arbitrary<Permissions> = fc.record(
  {
    configured: fc.oneof(
      { weight: 3, arbitrary: fc.constant({ allow: ['risk:low'], ask: ['risk:medium', 'risk:high'] }) },
      rules,
    ),
    run: fc.oneof({ weight: 3, arbitrary: fc.constant({ allow: ['*'] }) }, rules),
    allowedTools: fc.oneof(mode, fc.dictionary(fc.constantFrom(...skillNames, 'org/*'), mode)),
  },
  { requiredKeys: [] },
);
/** What a skill declares; `undefined`: nothing. */
const declared = fc.option(
  fc.array(fc.constantFrom(...Object.keys(risks), 'Bash', '*', 'risk:high'), { maxLength: 4 }),
  {
    nil: undefined,
  },
);
const pack = fc.option(fc.constantFrom('org/tools', 'else/tools'), { nil: undefined });
const skills = fc.tuple(...skillNames.map(() => fc.record({ declared, pack })));

const name = fc.constantFrom(...skillNames);
const action: fc.Arbitrary<AgentAction> = fc.oneof(
  {
    weight: 3,
    arbitrary: name.map((skill): AgentAction => ({ kind: 'select_skills', skills: [{ name: skill }], reason: 'So.' })),
  },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom(...beginning, ...brought)
      .map((tool): AgentAction => ({ kind: 'call_tool', tool, input: {} })),
  },
  {
    weight: 3,
    arbitrary: name.map((skill): AgentAction => ({
      kind: 'run_script',
      skill: { name: skill },
      relative_path: 'go.mjs',
      args: [],
    })),
  },
  name.map((skill): AgentAction => ({ kind: 'disable_skill', skill: { name: skill } })),
  name.map((skill): AgentAction => ({ kind: 'enable_skill', skill: { name: skill } })),
  fc.constant<AgentAction>(answer('Child is done.')),
);
const decision = fc.constantFrom<ApprovalDecision>(
  { kind: 'approved', scope: 'once', by: 'test' },
  { kind: 'approved', scope: 'run', by: 'test' },
  { kind: 'denied', reason: 'No.', by: 'test' },
);

type Level = 'allow' | 'ask' | 'refuse';

/** Said apart from the code that judges: without patterns, rules are sets. */
function levelOf(rulesOfLayer: ToolRules, tool: string): Level {
  const names = (list: readonly string[] = []): boolean =>
    list.includes('*') || list.includes(tool) || list.includes(`risk:${risks[tool]}`);
  if (names(rulesOfLayer.deny)) return 'refuse';
  if (names(rulesOfLayer.ask)) return 'ask';
  return names(rulesOfLayer.allow) ? 'allow' : 'refuse';
}

interface Skill {
  readonly declared: readonly string[] | undefined;
  readonly pack: string | undefined;
}

function modeOf(skill: string, { pack: from }: Skill, { allowedTools }: Permissions): AllowedToolsMode {
  const own = from === undefined ? 'grant' : 'restrict';
  if (allowedTools === undefined) return own;
  if (typeof allowedTools === 'string') return allowedTools;
  const byName = allowedTools[skill];
  if (byName === 'restrict' || (byName !== undefined && own === 'grant')) return byName;
  return (from === 'org/tools' ? allowedTools['org/*'] : undefined) ?? own;
}

function lists(tool: string, { declared: list = [] }: Skill): boolean {
  return list.includes(tool) || (tool === 'run_script' && list.includes('Bash'));
}

/** Everything that was done, by the action that it was done for. */
interface Done {
  readonly run: string;
  readonly id: string;
  readonly tool: string;
  readonly skill: string | undefined;
}

test(
  'PSA-12: whatever permissions, skills, modes and answers there are, and whatever a model tries, nothing outside of what configuration, run and skills all allow is done, nor without the yes that it needs',
  { timeout: 120_000 },
  async () => {
    const ran = new Map<string, number>();
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          permissions,
          skills,
          actions: fc.array(action, { minLength: 4, maxLength: 24 }),
          decisions: fc.array(decision, { minLength: 1, maxLength: 6 }),
          confined: fc.boolean(),
        }),
        async (given) => {
          const done: Done[] = [];
          const events: RunEvent[] = [];
          const bySkill = new Map(skillNames.map((skill, at) => [skill, given.skills[at]!]));
          const world = worldOf(given, { done, events, bySkill });
          const options = named({
            permissions: given.permissions,
            limits: { turns: 60, consecutiveFailures: 99, toolCalls: 99, scripts: 99 },
            bodiesPerTurn: 4,
            onEvent: (event) => void events.push(event),
          });
          const run = await startRun(world.ports, options);
          await run.ask('Do it.');
          await run.finish();
          for (const one of done) judge(one, { given, events, bySkill });
          for (const { tool } of done) ran.set(tool, (ran.get(tool) ?? 0) + 1);
          refused += events.filter((event) => event.type === 'tool_judged' && event.verdict === 'refuse').length;
          const kept = async (digest: Parameters<typeof world.journal.kept.get>[0]) => world.journal.kept.get(digest);
          expect(await replayRun({ events, kept }, { sha256 })).toMatchObject({ same: true });
          expect(findBreaches(events)).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
    // Neither is everything refused, nor is everything done.
    for (const tools of [...beginning.map((tool) => [tool]), ['run_script'], brought]) {
      expect(
        tools.reduce((sum, tool) => sum + (ran.get(tool) ?? 0), 0),
        tools.join(),
      ).toBeGreaterThan(0);
    }
    expect(refused).toBeGreaterThan(20);
  },
);

interface Given {
  readonly permissions: Permissions;
  readonly actions: readonly AgentAction[];
  readonly decisions: readonly ApprovalDecision[];
  readonly confined: boolean;
}

interface Watching {
  readonly done: Done[];
  readonly events: readonly RunEvent[];
  readonly bySkill: ReadonlyMap<string, Skill>;
}

function worldOf(given: Given, { done, events, bySkill }: Watching) {
  const files = Object.fromEntries(
    [...bySkill].flatMap(([skill, { declared: list }]) => [
      [
        `${skill}/SKILL.md`,
        skillFile(skill, 'TEXT', {
          ...(list === undefined ? {} : { 'allowed-tools': list.length === 0 ? '""' : `"${list.join(' ')}"` }),
          ...(skill === 'child' ? { 'run-mode': 'subagent' } : {}),
        }),
      ],
      [`${skill}/go.mjs`, ''],
    ]),
  );
  const backend = memorySkills(files);
  const packed: typeof backend.list = async (options) => {
    const listing = await backend.list(options);
    return { ...listing, skills: listing.skills.map((entry) => ({ ...entry, pack: bySkill.get(entry.name)?.pack })) };
  };
  const registry = createSkillRegistry({ ...backend, list: packed }, { sha256 });
  const tool = (toolName: string) =>
    echoTool(toolName, {
      ...(risks[toolName] && { risk: risks[toolName] }),
      run: (_input, { run = '', id }) => {
        done.push({ run, id, tool: toolName, skill: undefined });
        return {};
      },
    });
  const runner = echoRunner();
  let asked = 0;
  // What ends a child run is no end of its parent.
  const replies = given.actions.map(
    (wanted): Reply =>
      ({ actions }) =>
        wanted.kind === 'final_answer' && actions.includes('ask_user') ? { kind: 'search_skills', query: 'x' } : wanted,
  );
  return agentWorld([...replies, answer('Done.'), answer('Done.')], {
    registry,
    tools: beginning.map(tool),
    skillTools: brought.map(tool),
    runner: {
      ...(given.confined && { confinement: { name: 'box', leaves: [] } }),
      run: async (request, options) => {
        const started = events.findLast((event) => event.type === 'action_started')!;
        const id = started.type === 'action_started' ? started.id : '';
        done.push({ run: started.run, id, tool: 'run_script', skill: request.skill.name });
        return runner.run(request, options);
      },
    },
    approver: { decide: async () => given.decisions[asked++ % given.decisions.length]! },
  });
}

function judge(one: Done, { given, events, bySkill }: Omit<Watching, 'done'> & { readonly given: Given }): void {
  const { tool } = one;
  const { configured, run: forRun } = given.permissions;
  const levels = [
    levelOf({ allow: ['risk:low'], ask: ['risk:medium'], ...configured }, tool),
    levelOf({ allow: ['*'], ...forRun }, tool),
  ];
  expect(levels, tool).not.toContain('refuse');
  const at = events.findIndex(
    (event) => event.type === 'action_started' && event.run === one.run && event.id === one.id,
  );
  const before = events.slice(0, at);
  const inline = (run: string): readonly string[] => [
    ...new Set(
      before.flatMap((event) =>
        event.type === 'skill_activated' && event.run === run && event.activation.runMode === 'inline'
          ? [event.activation.name]
          : [],
      ),
    ),
  ];
  const here = inline(one.run);
  const modeFor = (skill: string) => modeOf(skill, bySkill.get(skill)!, given.permissions);
  const restricts = (skill: string): boolean =>
    bySkill.get(skill)!.declared !== undefined && modeFor(skill) === 'restrict';
  const listed = (skill: string): boolean => lists(tool, bySkill.get(skill)!);
  const concerned = one.skill === undefined ? here : [one.skill];
  if (one.skill !== undefined) expect(!restricts(one.skill) || listed(one.skill), `script of ${one.skill}`).toBe(true);
  else if (brought.includes(tool)) expect(here.some(listed), tool).toBe(true);
  else {
    const above = one.run === 'run' || here.some(listed) ? [] : inline('run');
    expect(
      [...here, ...above].filter((skill) => restricts(skill) && !listed(skill)),
      tool,
    ).toEqual([]);
  }
  if (!levels.includes('ask')) return;
  const grants = concerned.some((skill) => modeFor(skill) === 'grant' && listed(skill));
  const byName = [configured, forRun].some((layer) => layer?.ask?.includes(tool) === true);
  if (grants && !byName && (tool !== 'run_script' || given.confined)) return;
  const about = events.slice(at).filter((event) => event.run === one.run);
  const decided = about.find((event) => event.type === 'approval_decided' && event.id === one.id);
  const judged = about.find((event) => event.type === 'tool_judged' && event.id === one.id);
  if (decided?.type === 'approval_decided') return expect(decided.decision.kind).toBe('approved');
  expect(judged).toMatchObject({ verdict: 'allow', by: 'grant' });
  const requests = before.flatMap((event) => (event.type === 'approval_requested' ? [event] : []));
  const earlier = requests.some(({ run, request }) => {
    const answered = before.find(
      (event) => event.type === 'approval_decided' && event.run === run && event.id === request.id,
    );
    return (
      request.tool === tool &&
      (one.skill === undefined || request.skill?.name === one.skill) &&
      answered?.type === 'approval_decided' &&
      answered.decision.kind === 'approved' &&
      answered.decision.scope === 'run'
    );
  });
  expect(earlier, tool).toBe(true);
}
