import type { SandboxMode } from '../settings/sandbox-mode.js';
import { agentOptions } from '../agent/agent-options.js';

/** What reports are called on a command line. */
export const reporterNames = ['console', 'json', 'junit', 'markdown', 'html', 'agentskills', 'skill-creator'] as const;

/** The option that says where results go. */
export const evalOutOption = {
  out: {
    kind: 'value',
    placeholder: 'dir',
    description: 'where results and reports go (default: .agents/evals of the project)',
  },
} as const;

/** The option that says how results are told. */
export const reporterOption = {
  reporter: {
    kind: 'value',
    placeholder: 'names',
    description: `how it is told: ${reporterNames.join(', ')}; html=page.html names the file (default: console)`,
    repeated: true,
  },
} as const;

/** The option that says where the cases of results lie. */
export const casesOption = {
  cases: {
    kind: 'value',
    placeholder: 'paths',
    description: 'where the cases lie: for their titles, and for agentskills and skill-creator',
    repeated: true,
  },
} as const;

/** The option that says what a skill may lose of its ranks. */
export const maxLostOption = {
  maxLost: {
    kind: 'number',
    placeholder: 'percent',
    least: 0,
    most: 100,
    description: 'of the requests of each skill, those that a search may find it first for no more (default: 10)',
  },
} as const;

/** The options that say when the answer is no. */
export const gateOptions = {
  baseline: {
    kind: 'value',
    placeholder: 'dir or file',
    description: 'earlier results: exit code 1 if it is worse than these, more so than chance explains',
  },
  minPassRate: {
    kind: 'number',
    placeholder: 'percent',
    least: 0,
    most: 100,
    description: 'of the trials of tasks that have to pass (default: 100, of cases that the baseline does not have)',
  },
  minRecall: {
    kind: 'number',
    placeholder: 'percent',
    least: 0,
    most: 100,
    description: 'of the trials that want a skill: those that have to choose it',
  },
  minSpecificity: {
    kind: 'number',
    placeholder: 'percent',
    least: 0,
    most: 100,
    description: 'of the trials that want none: those that have to choose none',
  },
  ...maxLostOption,
} as const;

/** The options that say which cases are run, and with what. */
export const caseOptions = {
  model: {
    kind: 'value',
    placeholder: 'provider:name',
    description:
      'a model, as of skills run, or recorded:<dir>; several with commas (default: scripted, the cases that have a script)',
    repeated: true,
  },
  judge: {
    kind: 'value',
    placeholder: 'provider:name',
    description: 'a model that judges what a rubric says (default: such checks are not judged)',
  },
  trials: {
    kind: 'number',
    placeholder: 'n',
    least: 1,
    most: 1000,
    description: 'how often each case is run that does not say so itself (default: 1)',
  },
  arms: {
    kind: 'value',
    placeholder: 'words',
    description: 'with, without, old: with the skills, without them, with an older version (default: with)',
    repeated: true,
  },
  old: { kind: 'value', placeholder: 'dir', description: 'the folder of that older version of the skills' },
  catalogue: {
    kind: 'value',
    placeholder: 'dirs',
    description: 'further folders of skills to choose from, besides those that are tested',
    repeated: true,
  },
  filter: {
    kind: 'value',
    placeholder: 'words',
    description: 'only cases with one of these words in suite/case',
    repeated: true,
  },
  tag: { kind: 'value', placeholder: 'words', description: 'only cases with one of these tags', repeated: true },
  ranksOnly: { kind: 'flag', description: 'only rank the queries by a search, without any model' },
} as const;

/** The options that bound what it takes, and say how it is spread. */
export const spendingOptions = {
  budget: {
    kind: 'value',
    placeholder: 'dollars',
    description: 'what it may cost in all; a model of a provider is not asked without this or --max-calls',
  },
  maxCalls: {
    kind: 'number',
    placeholder: 'n',
    least: 1,
    most: 10_000_000,
    description: 'model calls in all, the judge’s included',
  },
  concurrency: {
    kind: 'number',
    placeholder: 'n',
    least: 1,
    most: 256,
    description: 'trials at the same time (default: 4)',
  },
  rpm: {
    kind: 'number',
    placeholder: 'n',
    least: 1,
    most: 1_000_000,
    description: 'calls of each model that begin in a minute (default: as many as there are)',
  },
  retries: {
    kind: 'number',
    placeholder: 'n',
    least: 0,
    most: 20,
    description: 'how often a trial is begun again that failed for want of its model (default: 2)',
  },
  shard: { kind: 'value', placeholder: 'i/n', description: 'run this part of n; eval merge puts them together' },
  durations: {
    kind: 'value',
    placeholder: 'dir or file',
    description: 'earlier results, by whose durations parts are made equal',
  },
  record: {
    kind: 'value',
    placeholder: 'dir',
    description: 'keep the model calls of each trial, which --model recorded:<dir> plays again',
  },
  fresh: { kind: 'flag', description: 'run everything anew, also what earlier results answer' },
  watch: { kind: 'flag', description: 'stay, and run again what a change of a file concerns' },
} as const;

/** The options that say what an agent may do. Nobody is asked. */
export const trialOptions = {
  approve: {
    kind: 'value',
    placeholder: 'never|list',
    description:
      'what is a yes, as nobody is asked: run_script, run_script(pdf); run_check for programs of cases (default: never)',
  },
  allow: agentOptions.allow,
  sandbox: agentOptions.sandbox,
  env: agentOptions.env,
} as const;

/** What the command line says of a run of evals. */
export interface EvalFlags extends GateFlags {
  readonly paths: readonly string[];
  readonly model?: string | undefined;
  readonly judge?: string | undefined;
  readonly trials?: number | undefined;
  readonly arms?: string | undefined;
  readonly old?: string | undefined;
  readonly catalogue?: string | undefined;
  readonly filter?: string | undefined;
  readonly tag?: string | undefined;
  readonly ranksOnly?: boolean | undefined;
  readonly budget?: string | undefined;
  readonly maxCalls?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly rpm?: number | undefined;
  readonly retries?: number | undefined;
  readonly shard?: string | undefined;
  readonly durations?: string | undefined;
  readonly record?: string | undefined;
  readonly fresh?: boolean | undefined;
  readonly watch?: boolean | undefined;
  readonly approve?: string | undefined;
  readonly allow?: string | undefined;
  readonly sandbox?: SandboxMode | undefined;
  readonly env?: string | undefined;
  readonly out?: string | undefined;
  readonly reporter?: string | undefined;
}

/** What a command line says of when the answer is no. */
export interface GateFlags {
  readonly baseline?: string | undefined;
  readonly minPassRate?: number | undefined;
  readonly minRecall?: number | undefined;
  readonly minSpecificity?: number | undefined;
  readonly maxLost?: number | undefined;
}
