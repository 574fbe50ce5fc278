import { visibleText } from '../errors/visible-text.js';
import type { RiskClass } from '../policy/risk-class.js';
import type { Confinement, ScriptRunner } from '../tool/script-runner.js';
import type { Tool, ToolDescription } from '../tool/tool.js';
import type { AgentPorts } from './agent-run.js';
import type { RunSettings } from './run-settings.js';

/** A tool, without what it does. */
export interface RecordedTool extends ToolDescription {
  readonly risk: RiskClass;
  /** @default false */
  readonly runsCode?: boolean | undefined;
  /** @default false */
  readonly confined?: boolean | undefined;
}

/** What runs scripts, without doing so. */
export interface RecordedRunner {
  /** What keeps scripts from harm. @default nothing does */
  readonly confinement?: Confinement | undefined;
  /** What scripts can do that a sandbox would keep from them. */
  readonly leaves: readonly string[];
}

/**
 * What of ports and options a run depends on, besides what events hold. `run_started` names it in `options.setup`, as
 * kept canonical JSON: with it a run can be made again without them.
 */
export interface RecordedSetup {
  readonly settings: Omit<RunSettings, 'id' | 'system' | 'limits' | 'project'>;
  readonly registry: {
    readonly kind: string;
    readonly loadInstructions: string | undefined;
    readonly promptTemplate: string | undefined;
  };
  /** Whether the model's adapter handed the tools to its provider, so that no prompt lists them. */
  readonly nativeTools: boolean;
  readonly tools: readonly RecordedTool[];
  readonly skillTools: readonly RecordedTool[];
  /** By the name of the skill. */
  readonly groupedTools: Readonly<Record<string, readonly RecordedTool[]>>;
  /** Whether there was one. */
  readonly approver: boolean;
  /** `undefined` where there was none. */
  readonly runner: RecordedRunner | undefined;
}

/** What a run depends on. */
export function recordedSetup(
  ports: AgentPorts,
  { id: _, system: __, limits: ___, project: ____, ...settings }: RunSettings,
): RecordedSetup {
  const { kind, loadInstructions, promptTemplate } = ports.registry;
  const grouped = Object.entries(ports.groupedTools ?? {}).map(
    ([skill, tools]) => [skill, tools.map(describe)] as const,
  );
  return {
    settings,
    registry: { kind, loadInstructions, promptTemplate },
    nativeTools: ports.model.nativeTools === true,
    tools: (ports.tools ?? []).map(describe),
    skillTools: (ports.skillTools ?? []).map(describe),
    groupedTools: Object.fromEntries(grouped),
    approver: ports.approver !== undefined,
    runner: ports.runner && describeRunner(ports.runner),
  };
}

function describe({ name, description, inputSchema, risk, runsCode, confined }: Tool): RecordedTool {
  return { name, description, inputSchema, risk, runsCode, confined };
}

/** What a runner says of itself; it may be written in a language without types. */
function describeRunner({ confinement, leaves }: ScriptRunner): RecordedRunner {
  const name: unknown = confinement?.name;
  // What has no name confines nothing that anybody could know of.
  const named = typeof name === 'string' && name !== '' ? { name, leaves: textsOf(confinement?.leaves) } : undefined;
  return { confinement: named, leaves: leaves === undefined ? (named?.leaves ?? []) : textsOf(leaves) };
}

/** What keeps scripts from harm, in a word. */
export function confinementOf(runner: ScriptRunner | undefined): string | undefined {
  const name = runner && describeRunner(runner).confinement?.name;
  return name === undefined ? undefined : visibleText(name);
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** The names of all tools that a run can have, each once, in order. */
export function toolNames({ tools = [], skillTools = [], groupedTools = {} }: AgentPorts): readonly string[] {
  const all = [...tools, ...skillTools, ...Object.values(groupedTools).flat()];
  return [...new Set(all.map(({ name }) => name))];
}
