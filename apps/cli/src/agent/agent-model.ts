import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { quoted, SkillsError, type ModelAdapter } from '@skillpack/core';
import type { RecordedModel } from '@skillpack/model-adapters';
import type { StoredRun } from '@skillpack/runs-fs';
import { chooseModel } from '../models/choose-model.js';
import type { ChosenModel, ModelPlace, ModelRun } from '../models/model-provider.js';
import { tellThoughts } from '../models/tell-thoughts.js';
import type { AgentSettings } from '../settings/read-agent-settings.js';
import type { SettingsSource } from '../settings/settings-source.js';
import type { AgentFlags } from './agent-options.js';
import { answersSoFar } from './answers-so-far.js';
import { shellLine } from './approving-command.js';
import type { OfferedSkills, OfferPorts } from './offer-skills.js';

/** What is known when a model is chosen. */
export interface ModelSources {
  readonly settings: AgentSettings;
  /** The run that goes on. @default a new one */
  readonly stored: StoredRun | undefined;
  /** The person's environment, which has their keys. */
  readonly env: NodeJS.ProcessEnv;
}

/** Chooses the model that decides; that of a run that goes on is the one it had. @throws as {@link chooseModel} does. */
export async function chooseAgentModel(flags: AgentFlags, sources: ModelSources): Promise<ChosenModel> {
  const [spec, place] = namedModel(flags, sources);
  if (flags.record !== undefined && spec?.startsWith('recorded:') === true) {
    throw new SkillsError('USAGE', '--record keeps what a model answers, and this one plays what was kept.', {
      hint: 'Name the model that is to be recorded by --model, or leave --record out.',
    });
  }
  return chooseModel(spec, place);
}

function namedModel(
  flags: AgentFlags,
  { settings, stored, env }: ModelSources,
): readonly [spec: string | undefined, place: ModelPlace] {
  const { cwd, projectDir, skillsHome, model, modelDir, modelConfigured, models } = settings;
  const events = stored?.events ?? [];
  const [first] = events;
  const place = { projectDir, skillsHome, answered: answersSoFar(events), env, models };
  if (flags.model !== undefined) return [flags.model, { ...place, cwd, configured: false, recorded: false }];
  if (first?.type === 'run_started' && first.model !== model)
    return [first.model, { ...place, cwd: projectDir, configured: false, recorded: true }];
  return [model, { ...place, cwd: modelDir, configured: modelConfigured, recorded: false }];
}

/** The model of an agent, and what its calls are recorded by. */
export interface AgentModel {
  readonly model: ModelAdapter;
  /** The file that its calls go to, where they are recorded. */
  readonly recording: ModelRecording | undefined;
}

/** A recording that is made. */
export interface ModelRecording extends Pick<RecordedModel, 'close' | 'discard'> {
  readonly path: string;
}

/** What the model of an agent is opened with. */
export interface ModelPorts extends Pick<OfferPorts, 'builtin' | 'reporter' | 'signal'> {
  readonly source: Pick<SettingsSource, 'home'>;
}

/** How a model is opened. */
export interface OpenModelOptions extends Pick<ModelRun, 'redact'> {
  readonly settings: AgentSettings;
  readonly offered: Pick<OfferedSkills, 'registry' | 'trusted'>;
  /** The file of a recording. @default nothing is recorded */
  readonly record?: string | undefined;
  /** Told of each line that the model thinks. @default the person is told who wants every detail */
  readonly onThought?: ((line: string) => void) | undefined;
}

/** Opens a model, and begins to record it where that is wanted. @throws what either does. */
export async function openAgentModel(
  chosen: ChosenModel,
  { builtin, reporter, signal, source }: ModelPorts,
  { settings, offered, redact, record, onThought }: OpenModelOptions,
): Promise<AgentModel> {
  const { projectDir: workspace, skillsHome, cwd } = settings;
  const run: ModelRun = { ...offered, workspace, builtin, skillsHome, home: source.home, redact, signal };
  const opened = await chosen.open(run);
  const told = (model: ModelAdapter): ModelAdapter =>
    tellThoughts(model, { redact, tell: onThought ?? ((line) => reporter.detail(`thinks: ${line}`)) });
  if (record === undefined) return { model: told(opened), recording: undefined };
  const { recordModel } = await import('../models/record-model.js');
  const path = resolve(cwd, record);
  expectFolder(dirname(path));
  const recording = await recordModel(opened, path, run);
  return {
    model: told(recording),
    recording: { path, close: async () => recording.close(), discard: async () => recording.discard() },
  };
}

/** A model may cost something: what it says is not to be lost for want of a folder. */
function expectFolder(path: string): void {
  if (existsSync(path)) return;
  throw new SkillsError('FILE_NOT_FOUND', `There is no folder ${quoted(path)} for the recording.`, {
    hint: `Make it first: ${shellLine(['mkdir', '-p', path])}`,
    data: { path },
  });
}
