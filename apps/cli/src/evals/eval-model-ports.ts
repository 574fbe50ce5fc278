import type { Clock, SkillRegistry } from '@skillpack/core';
import type { EvalSuite } from '@skillpack/evals';
import type { ModelRun } from '../models/model-provider.js';
import type { AgentSettings } from '../settings/read-agent-settings.js';

/** What models of evals are chosen with. */
export interface EvalModelPorts {
  readonly settings: AgentSettings;
  /** The person's environment, which has their keys. */
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** The folder of the skills that come with the command. */
  readonly builtin: string;
  /** Whether code of the project may be loaded. */
  readonly trusted: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Where a skill is found, and where it lies; both absolute. */
export interface SkillPlace {
  readonly folder: string;
  readonly original: string;
}

/** What is known once the cases are read. */
export interface EvalModelPlaces {
  readonly suites: readonly EvalSuite[];
  readonly registry: SkillRegistry;
  /** Where skills are: that is called otherwise on another machine. */
  readonly skills: readonly SkillPlace[];
  /** Takes secrets out. */
  readonly redact: (text: string) => string;
}

/** The run of a model that serves many trials: it works in no workspace of its own. */
export function modelRunOf(context: EvalModelPorts & Pick<EvalModelPlaces, 'registry' | 'redact'>): ModelRun {
  const { settings, builtin, home, trusted, registry, redact, signal } = context;
  const { projectDir: workspace, skillsHome } = settings;
  return { trusted, registry, workspace, builtin, skillsHome, home, redact, signal };
}
