import {
  createRedactor,
  judgeToolUse,
  namedTools,
  secretValuesOf,
  type Clock,
  type Permissions,
  type ScriptRunner,
  type SkillEntry,
  type SkillRegistry,
  type Tool,
  type ToolUse,
} from '@skillpack/core';
import { createProcessRunner, type Sandbox } from '@skillpack/tools-shell';
import type { StoredRun } from '@skillpack/runs-fs';
import type { Reporter } from '../frame/reporter.js';
import type { AgentSettings } from '../settings/read-agent-settings.js';
import type { SettingsSource } from '../settings/settings-source.js';
import type { AgentFlags } from './agent-options.js';
import { agentPermissions } from './agent-permissions.js';
import { agentTools, usableTools } from './agent-tools.js';
import { approvedEntries } from './approval-entry.js';
import { chooseApprover } from './choose-approver.js';
import { chooseSandbox, howToConfine, reasonsOf, whyUnconfined, type ChosenSandbox } from './choose-sandbox.js';
import { someOf } from '../render/some-of.js';
import { rememberOpenQuestion, type RememberingApprover } from './open-question.js';
import { passedVariables } from './passed-variables.js';
import type { Person } from './person.js';
import { recordedTerms } from './recorded-terms.js';
import { refuseAtHome } from './refuse-at-home.js';

/** What an agent may do, with what, and who is asked. */
export interface Equipment {
  readonly tools: readonly Tool[];
  readonly permissions: Permissions;
  readonly runner: ScriptRunner;
  readonly approver: RememberingApprover;
  /** Where programs run. @default nothing confines them */
  readonly sandbox: Sandbox | undefined;
  /** Names of tools that start programs, besides `run_script`. */
  readonly programs: readonly string[];
  readonly redact: ReturnType<typeof createRedactor>;
}

/** What an agent is equipped with. */
export interface EquipPorts {
  readonly source: SettingsSource;
  readonly clock: Pick<Clock, 'now'>;
  readonly reporter: Reporter;
  readonly person: Person | undefined;
  /** Where skills come from; not asked before somebody is. */
  readonly registry: () => SkillRegistry;
  /** Folders of the skills that were read. */
  readonly folders: () => readonly string[];
}

/** Which agent it is. */
export interface EquipOptions {
  readonly settings: AgentSettings;
  /** What stands in nothing that is told or kept, besides the secrets of the environment. */
  readonly secrets: readonly string[];
  /** The run that goes on. @default a new one */
  readonly stored: StoredRun | undefined;
  /** Whether it is a chat. @default false */
  readonly chat: boolean | undefined;
}

/**
 * Chooses the tools of an agent, what they may be used for, where scripts run and who says yes. Where scripts may run
 * without a question and without a sandbox, a warning says what they can do.
 *
 * @throws `USAGE`, `TOOL_NOT_ALLOWED`.
 */
export async function equipAgent(flags: AgentFlags, ports: EquipPorts, options: EquipOptions): Promise<Equipment> {
  const { source, clock, reporter, person, registry, folders } = ports;
  const { settings, stored, chat, secrets } = options;
  const { projectDir: workspace, runsDir, skillsHome, dirs } = settings;
  const redact = createRedactor({ values: [...secretValuesOf(source.env), ...secrets] });
  const { env: environment, platform } = source;
  const variables = passedVariables(flags.env, settings.env, { environment, warn: source.warn });
  const recorded = (stored && (await recordedTerms(stored)).confinement) ?? undefined;
  const chosen = await chooseSandbox(settings.sandbox, { environment, platform, workspace, recorded });
  const guarded = [runsDir, skillsHome, ...dirs.dirs];
  const { sandbox } = chosen;
  const keep = sandbox === undefined ? {} : { protected: () => guarded };
  const runner = createProcessRunner({ environment }, { workspace, variables, sandbox, ...keep });
  const places = { workspace, folders, environment, variables, sandbox };
  const all = agentTools({ clock, redact }, { ...places, protected: guarded });
  const permissions = agentPermissions(flags, { settings, tools: all });
  const tools = usableTools(all, permissions);
  const starting = tools.filter(({ runsCode }) => runsCode === true).map(({ name }) => name);
  const asked = chooseApprover(flags.approve, {
    tools: ['run_script', ...all.filter(({ risk }) => risk !== 'low').map(({ name }) => name)],
    person,
    programs: starting,
    workspace,
    leaves: runner.leaves,
    unconfined: sandbox === undefined ? whyUnconfined(settings.sandbox.mode, chosen, platform) : undefined,
    chat,
    originOf: async (location) => originOf(await registry().getByPath(location)),
  });
  const atHome = workspace === source.home;
  const warn = (message: string): void => reporter.warn(message);
  const approver = rememberOpenQuestion(refuseAtHome(asked, { atHome, programs: starting, warn }));
  if (sandbox === undefined) {
    tellFreedom(
      { runner, chosen, platform, mode: settings.sandbox.mode, unasked: runsUnasked(flags, permissions) },
      reporter,
    );
  }
  return { tools, permissions, runner, approver, sandbox, programs: starting, redact };
}

/** `acme/pdf 1.2.0` */
function originOf(entry: SkillEntry | undefined): string | undefined {
  if (entry?.pack === undefined) return undefined;
  return entry.packVersion === undefined ? entry.pack : `${entry.pack} ${entry.packVersion}`;
}

/** Whether a program may be run without a question at the terminal, which would say that nothing confines it. */
function runsUnasked({ approve }: AgentFlags, permissions: Permissions): boolean {
  const names = programs.map(({ tool }) => tool);
  return (
    approvedEntries(approve).some(({ tool }) => names.includes(tool)) ||
    programs.some((use) => judgeToolUse(use, { permissions, skills: [] }).kind === 'allow') ||
    (permissions.configured?.allow ?? []).some((rule) => namedTools(rule, ['run_command']).length > 0)
  );
}

/** What starts programs, without what would be started. */
const programs: readonly ToolUse[] = [
  { action: 'run_script', tool: 'run_script', risk: 'medium', input: {}, runsCode: true, confined: false },
  {
    action: 'call_tool',
    tool: 'run_command',
    risk: 'high',
    input: { command: 'true' },
    runsCode: true,
    confined: false,
  },
];

interface Freedom {
  readonly runner: ScriptRunner;
  readonly chosen: ChosenSandbox;
  readonly platform: NodeJS.Platform;
  readonly mode: AgentSettings['sandbox']['mode'];
  readonly unasked: boolean;
}

/** How many abilities a line has room for. */
const mostNamed = 3;

function tellFreedom({ runner, chosen, platform, mode, unasked }: Freedom, reporter: Reporter): void {
  const { leaves = [] } = runner;
  const why = mode === 'off' ? 'No sandbox is used' : 'No sandbox works here';
  if (unasked) {
    reporter.alert(
      `${why}: a script that is run can do what you can: ${someOf(leaves, mostNamed)}. \`skills runs show\` lists all.${mode === 'off' ? '' : ` ${howToConfine(chosen.problems, platform)}`}`,
    );
  }
  const reasons = reasonsOf(chosen.problems);
  reporter.detail(`${why}. ${reasons === '' ? '' : `${reasons} `}A script can ${leaves.join('; ')}.`);
}
