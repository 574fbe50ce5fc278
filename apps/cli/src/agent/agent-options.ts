import { skillScopes, type SkillScope } from '@skillpack/core';
import { sandboxModes, type SandboxMode } from '../settings/sandbox-mode.js';

/** The option that says where records are. */
export const runsDirOption = {
  runsDir: {
    kind: 'value',
    placeholder: 'dir',
    description: 'where runs are recorded (default: SKILLS_RUNS_DIR, else .agents/runs of the project)',
  },
} as const;

/** The options that say who decides for an agent, and what it may do. */
export const agentOptions = {
  model: {
    kind: 'value',
    placeholder: 'provider:name',
    description:
      'the model that decides: openai:…, anthropic:…, openai-compatible:<url>#…, ai-sdk:<package>#…, recorded:<file>, scripted (default: SKILLS_MODEL, else `model` of your config.json)',
  },
  approve: {
    kind: 'value',
    placeholder: 'never|ask|list',
    description:
      'what happens where a yes is needed: run_script approves scripts, run_script(pdf) those of one skill (default: ask on a terminal, else never)',
  },
  allow: {
    kind: 'value',
    placeholder: 'rules',
    description: 'tools that are on for this run, after a yes: write_file, "run_command(git:*)", separated by commas',
    repeated: true,
  },
  sandbox: {
    kind: 'choice',
    words: sandboxModes,
    description: 'whether scripts run in a sandbox: only there, where one works, or not (default: auto)',
  },
  env: {
    kind: 'value',
    placeholder: 'names',
    description: 'variables of your environment that scripts are handed, separated by commas',
    repeated: true,
  },
  trustProject: {
    kind: 'flag',
    description: 'offer the skills and the AGENTS.md of this project, this once',
  },
  ...runsDirOption,
} as const;

/** The option that records what a model is asked, and answers. */
export const recordOption = {
  record: {
    kind: 'value',
    placeholder: 'file',
    description: 'keep the model calls in a cassette, which --model recorded:<file> plays again without a provider',
  },
} as const;

/** The options that bound what one request may take. */
export const limitOptions = {
  maxTurns: { kind: 'number', placeholder: 'n', least: 1, most: 10_000, description: 'model calls (default: 12)' },
  maxToolCalls: {
    kind: 'number',
    placeholder: 'n',
    least: 0,
    most: 100_000,
    description: 'actions, scripts included (default: 30)',
  },
  maxScripts: { kind: 'number', placeholder: 'n', least: 0, most: 100_000, description: 'scripts (default: 10)' },
  maxTokens: {
    kind: 'number',
    placeholder: 'n',
    least: 1,
    most: 1_000_000_000_000,
    description: 'tokens in and out of the model (default: no limit)',
  },
  timeout: {
    kind: 'number',
    placeholder: 'seconds',
    least: 1,
    most: 1_000_000,
    description: 'how long a request may take (default: 600)',
  },
  scriptTimeout: {
    kind: 'number',
    placeholder: 'seconds',
    least: 1,
    most: 1_000_000,
    description: 'how long a script may take (default: 30)',
  },
} as const;

/** As {@link limitOptions}, for a run that goes on: what is left out is as it was. */
export const laterLimitOptions = {
  maxTurns: { ...limitOptions.maxTurns, description: 'model calls in all (default: as before)' },
  maxToolCalls: { ...limitOptions.maxToolCalls, description: 'actions in all (default: as before)' },
  maxScripts: { ...limitOptions.maxScripts, description: 'scripts in all (default: as before)' },
  maxTokens: { ...limitOptions.maxTokens, description: 'tokens in all (default: as before)' },
  timeout: { ...limitOptions.timeout, description: 'how long the request may take in all (default: as before)' },
  scriptTimeout: limitOptions.scriptTimeout,
} as const;

/** The option that says which skills are offered. */
export const scopeOption = {
  scope: {
    kind: 'choice',
    words: skillScopes,
    description: 'offer the skills of this scope alone: project makes a recording that replays on other machines',
  },
} as const;

/** The option that names skills to begin with. */
export const skillOption = {
  skill: {
    kind: 'value',
    placeholder: 'names',
    description: 'skills to begin with, separated by commas, or each with the option',
    repeated: true,
  },
} as const;

/** What the command line says of an agent. What is left out is as the settings say, else as usual. */
export interface AgentFlags {
  readonly model?: string | undefined;
  readonly record?: string | undefined;
  readonly approve?: string | undefined;
  readonly allow?: string | undefined;
  readonly sandbox?: SandboxMode | undefined;
  readonly env?: string | undefined;
  readonly trustProject?: boolean | undefined;
  readonly runsDir?: string | undefined;
  readonly skill?: string | undefined;
  readonly scope?: SkillScope | undefined;
  readonly maxTurns?: number | undefined;
  readonly maxToolCalls?: number | undefined;
  readonly maxScripts?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly timeout?: number | undefined;
  readonly scriptTimeout?: number | undefined;
}
