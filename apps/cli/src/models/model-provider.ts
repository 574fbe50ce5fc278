import type { ModelAdapter, SkillRegistry } from '@skillpack/core';

/** Where a model is named. */
export interface ModelPlace {
  /** Relative files start from here. */
  readonly cwd: string;
  /** What a record calls a file of the project is relative to it. */
  readonly projectDir: string;
  /** The folder of the person's own configuration. */
  readonly skillsHome: string;
  /** Whether the person's own configuration file names it. */
  readonly configured: boolean;
  /** How many answers of a script were given before the run was cut off. */
  readonly answered: number;
  /** Whether a record names it, and the person nothing of the kind. */
  readonly recorded: boolean;
  /** The person's environment, which has their keys. */
  readonly env: NodeJS.ProcessEnv;
  /** What the person's own configuration says of models: a table, or the file that has one. @default nothing */
  readonly models: string | object | undefined;
}

/** The run that a model decides for. */
export interface ModelRun {
  /** Whether code of the project may be loaded. */
  readonly trusted: boolean;
  readonly registry: SkillRegistry;
  /** The folder that it works in. */
  readonly workspace: string;
  /** The folders whose names differ from one machine to another. */
  readonly builtin: string;
  readonly skillsHome: string;
  readonly home: string;
  /** Takes secrets out. */
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
}

/** A model that somebody named, of which everything is there that can be looked at before a run begins. */
export interface ChosenModel {
  /** The keys that it may send: they stand in nothing that is told or kept, whatever they look like. */
  readonly secrets: readonly string[];
  /** @throws what keeps it from being asked at all. */
  open(run: ModelRun): Promise<ModelAdapter>;
}

/** Brings the models behind one word. */
export interface ModelProvider {
  /**
   * @param name what stands behind the colon; `undefined` where there is none.
   * @throws `USAGE` for a name that is none; `UNAUTHORIZED` without a key; `FILE_NOT_FOUND`, `INVALID_CONFIG`.
   */
  choose(name: string | undefined, place: ModelPlace): ChosenModel;
}
