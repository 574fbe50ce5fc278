import type { SkillEntry } from '../registry/skill-entry.js';
import type { SkillFile } from '../registry/skill-backend.js';
import type { SkillMeasure } from '../registry/skill-measure.js';
import type { PolicySkill } from '../policy/tool-use.js';
import type { SkillText } from '../registry/skill-registry.js';
import type { AgentPorts } from './agent-run.js';
import type { EarlyStopReason, StopReason } from './budget.js';
import type { KeptText, RecordedError } from './run-event.js';
import type { Patience } from './patience.js';
import type { RunRecorder } from './run-recorder.js';
import type { RunSettings } from './run-settings.js';
import type { RunState } from './run-state.js';
import type { SkillLibrary } from './skill-library.js';
import type { JsonObject } from '../json/json-value.js';

/** One run or child run, as everything that works on it knows it. */
export interface RunScope {
  readonly id: string;
  readonly ports: AgentPorts;
  readonly settings: RunSettings;
  readonly recorder: RunRecorder;
  readonly library: SkillLibrary;
  /** The text of each skill that is active, by location. */
  readonly bodies: Map<string, SkillText>;
  /** Grants of the run that started this one, for the skill that this one is about. */
  readonly inherited: RunState['grants'];
  /** What the skills of the runs above this one declare, which can only take away here. */
  readonly above: readonly PolicySkill[];
  /** Locations of the skills whose texts this process has read, those of child runs included. */
  readonly read: Set<string>;
  /** What each skill was when somebody said yes to something on its behalf, by location; child runs have the same. */
  readonly approved: Map<string, SkillMeasure>;
  /** 1, and one more for each run above it. */
  readonly depth: number;
  /** Ids that were given away, those of events that do not count any more included. */
  readonly counters: { actions: number; children: number };
  /** Of now. */
  state(): RunState;
  /** Lets another run do the work of a skill. */
  runChild(child: ChildRequest, options: { readonly signal: AbortSignal | undefined }): Promise<ChildOutcome>;
}

/** A skill whose text was read, before anything follows from that. */
export interface ReadSkill {
  readonly entry: SkillEntry;
  readonly text: SkillText;
  readonly files: readonly SkillFile[];
}

/** What a child run is to do. */
export interface ChildRequest {
  /** The action that wants it. */
  readonly action: string;
  /** Its skill, as the run read it that wants it. */
  readonly skill: ReadSkill;
  readonly task: string;
}

/** What came of it. */
export interface ChildOutcome {
  readonly run: string;
  readonly text: string;
  readonly stop: StopReason;
  readonly degraded: boolean;
  readonly resources: RunState['resources'];
  readonly kept: readonly (KeptText & { readonly name: string })[];
}

/** An action that is being carried out. */
export interface ActionContext {
  readonly scope: RunScope;
  readonly id: string;
  readonly patience: Patience;
  /** Whether it is done because a run goes on with what was refused for want of a yes, and no model decided on it now. @default false */
  readonly repeated?: boolean | undefined;
}

/** What is told of an action; the fields are those of `observation_recorded`. */
export interface Observation {
  readonly ok: boolean;
  readonly content: string;
  /** Bodies of skills, as they were rendered: they follow the content, of which no tag of the prompt is left then. @default [] */
  readonly bodies?: readonly string[] | undefined;
  readonly contentForUser?: string | undefined;
  readonly output: JsonObject;
  readonly error?: RecordedError | undefined;
  readonly kept?: readonly (KeptText & { readonly name: string })[] | undefined;
  /** Ends the request. */
  readonly stop?: EarlyStopReason | undefined;
}
