import { SkillsError } from '@skillpack/core';
import { findSandbox, type Environment, type Sandbox, type SandboxProblem } from '@skillpack/tools-shell';
import type { AgentSettings } from '../settings/read-agent-settings.js';

/** Where programs are to be confined. */
export interface SandboxPlace {
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  /** The folder that they may write to. */
  readonly workspace: string;
  /** What confined the run up to now; `undefined` where nothing did, and for a new one. */
  readonly recorded: string | undefined;
}

/** The sandbox of a run. */
export interface ChosenSandbox {
  /** @default scripts are not confined */
  readonly sandbox?: Sandbox | undefined;
  /** Why others, or all, do not work. */
  readonly problems: readonly SandboxProblem[];
}

/**
 * The sandbox that scripts run in. A run that was confined goes on confined, unless the command line says otherwise.
 *
 * @throws `TOOL_NOT_ALLOWED` where there has to be one and none works, with the reason of each.
 */
export async function chooseSandbox(
  { mode, origin }: AgentSettings['sandbox'],
  { environment, platform, workspace, recorded }: SandboxPlace,
): Promise<ChosenSandbox> {
  const kept = recorded !== undefined && origin !== 'flag';
  if (mode === 'off' && !kept) return { problems: [] };
  const { sandbox, problems } = await findSandbox({ environment }, { workspace });
  if (sandbox !== undefined || (mode !== 'required' && !kept)) return { sandbox, problems };
  const why = kept ? `The run ran its scripts in a sandbox up to now (${recorded})` : 'Scripts are to run in a sandbox';
  throw new SkillsError('TOOL_NOT_ALLOWED', `${why}, and none works here. ${reasonsOf(problems)}`, {
    hint: `Nothing was run. ${toInstall(platform)} To do without: --sandbox auto, and each script can do what you can.`,
    data: { problems },
  });
}

/** Why nothing confines scripts, and what a person does about that, in sentences. */
export function whyUnconfined(
  mode: AgentSettings['sandbox']['mode'],
  { problems }: ChosenSandbox,
  platform: NodeJS.Platform,
): string {
  if (mode === 'off') return 'No sandbox is used, since --sandbox or your settings say off.';
  return `No sandbox works here. ${howToConfine(problems, platform)}`;
}

/** Why no sandbox works, and what a person does to have one. */
export function howToConfine(problems: readonly SandboxProblem[], platform: NodeJS.Platform): string {
  return [...problems.map(reasonOf), toInstall(platform)].join(' ');
}

/** What a person does to have one. */
function toInstall(platform: NodeJS.Platform): string {
  return platform === 'linux'
    ? 'Install bubblewrap (`apt install bubblewrap`, `dnf install bubblewrap`).'
    : 'Install `@anthropic-ai/sandbox-runtime` beside this command, or use Linux with bubblewrap.';
}

/** Why no sandbox works, in a sentence each. */
export function reasonsOf(problems: readonly SandboxProblem[]): string {
  return problems.map(reasonOf).join(' ');
}

function reasonOf({ name, problem }: SandboxProblem): string {
  return problem.includes(name) ? problem : `${name}: ${problem}`;
}
