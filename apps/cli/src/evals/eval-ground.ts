import { createRedactor, secretValuesOf, type Clock, type SkillRegistry } from '@skillpack/core';
import type { OpenGround, OpenJob, TrialGround } from '@skillpack/evals';
import { temporaryWorkspaces, type TemporaryWorkspace } from '@skillpack/evals/node';
import type { AgentFlags } from '../agent/agent-options.js';
import { equipAgent, type Equipment } from '../agent/equip-agent.js';
import { scriptTimeoutOf } from '../agent/limits-of.js';
import { splitList } from '../agent/split-list.js';
import type { Reporter } from '../frame/reporter.js';
import { tellOnce } from '../frame/tell-once.js';
import type { AgentSettings } from '../settings/read-agent-settings.js';
import type { SettingsSource } from '../settings/settings-source.js';
import type { EvalFlags } from './eval-options.js';
import { runSuiteProgram, type SuiteFolders } from './run-suite-program.js';

/** What trials are equipped with. */
export interface EvalGroundPorts {
  readonly source: SettingsSource;
  readonly settings: AgentSettings;
  readonly clock: Clock;
  readonly reporter: Reporter;
  /** The keys that models may send: they stand in nothing that is kept. */
  readonly secrets: readonly string[];
  /** Where the programs of a suite start from, by its name. */
  readonly folders: ReadonlyMap<string, SuiteFolders>;
}

/** What `--approve` calls the programs of cases. */
const checks = 'run_check';

/**
 * Where trials take place: a workspace of each one's own in the system's folder for temporary files, with the tools, the
 * permissions and the sandbox that `skills run` has. Nobody is asked: what `--approve` does not name is refused.
 *
 * @throws `USAGE`, `TOOL_NOT_ALLOWED` for options that say what is not there, before anything is run.
 */
export async function openEvalGround(
  { approve, allow, sandbox, env }: Pick<EvalFlags, 'approve' | 'allow' | 'sandbox' | 'env'>,
  ports: EvalGroundPorts,
): Promise<TrialGround> {
  const entries = approve === undefined || approve === 'never' ? [] : splitList(approve);
  const own = entries.filter((entry) => entry !== checks);
  const reporter = toldOnce(ports.reporter);
  const shared: Shared = {
    ports: { ...ports, reporter, source: { ...ports.source, warn: reporter.warn } },
    flags: { approve: own.length === 0 ? 'never' : own.join(','), allow, sandbox, env },
    checked: entries.includes(checks),
  };
  const workspaces = temporaryWorkspaces();
  // What the options say wrong is said before anything is spent.
  {
    await using tried = await workspaces.open([]);
    await equip(tried.path, shared, { registry: noRegistry, read: new Set() });
  }
  return {
    open: async (job, { signal }) => {
      const workspace = await workspaces.open(job.case.files, { signal });
      try {
        return await openGround(job, workspace, shared);
      } catch (error) {
        await workspace[Symbol.asyncDispose]();
        throw error;
      }
    },
  };
}

interface Shared {
  readonly ports: EvalGroundPorts;
  readonly flags: AgentFlags;
  /** Whether programs of cases may be run. */
  readonly checked: boolean;
}

async function openGround(job: OpenJob, workspace: TemporaryWorkspace, shared: Shared): Promise<OpenGround> {
  const read = new Set<string>();
  const { ports, checked } = shared;
  const equipment = await equip(workspace.path, shared, { registry: () => job.registry, read });
  const { tools, permissions, approver, runner, sandbox, redact } = equipment;
  const { env: environment } = ports.source;
  const folders = ports.folders.get(job.job.suite);
  return {
    workspace,
    agent: { tools, approver, runner },
    options: { permissions, redact, scriptTimeout: scriptTimeoutOf({}, ports.settings.limits) },
    onEvent: (event) => {
      if (event.type === 'skill_activated') read.add(event.activation.location);
    },
    ...(checked && folders !== undefined
      ? {
          runCheck: async (request, { signal }) =>
            runSuiteProgram(request, { environment, sandbox, ...folders, workspace: workspace.path, signal }),
        }
      : {}),
    [Symbol.asyncDispose]: async () => workspace[Symbol.asyncDispose](),
  };
}

interface Offered {
  readonly registry: () => SkillRegistry;
  /** Folders of skills that were read. */
  readonly read: ReadonlySet<string>;
}

async function equip(workspace: string, { ports, flags }: Shared, { registry, read }: Offered): Promise<Equipment> {
  const settings = { ...ports.settings, projectDir: workspace, cwd: workspace, atHome: false };
  return equipAgent(
    flags,
    { ...ports, person: undefined, registry, folders: () => [...read] },
    { settings, stored: undefined, chat: false, secrets: ports.secrets },
  );
}

function noRegistry(): never {
  throw new Error('no skill is asked for before a trial');
}

/** Takes secrets out of what models are recorded with. */
export function evalRedactor(env: NodeJS.ProcessEnv, secrets: readonly string[]): (text: string) => string {
  return createRedactor({ values: [...secretValuesOf(env), ...secrets] });
}

/** Every trial would tell the same. */
function toldOnce(reporter: Reporter): Reporter {
  const { alert, warn, detail } = reporter;
  return { ...reporter, alert: tellOnce(alert), warn: tellOnce(warn), detail: tellOnce(detail) };
}
