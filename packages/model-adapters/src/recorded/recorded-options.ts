import type { Digest, ModelAdapter } from '@skillpack/core';
import type { ChunkOptions } from '../scripted/chunk-text.js';

/** A text that stands for another one, so that a recording fits wherever it is replayed. */
export interface ReplacedText {
  /** What it is here, such as the folder of the workspace: `/home/ada/project`. */
  readonly from: string;
  /** What is recorded instead, the same everywhere, and found in no other text: `{workspace}`. */
  readonly to: string;
}

/** Digests of skills by their names. */
export type SkillDigests = Readonly<Record<string, Digest>>;

/** How model calls are recorded and replayed. */
export interface RecordedOptions {
  /**
   * `replay`: no model is asked; what was not recorded fails. `record`: the model is asked each time, and the new recording
   * takes the place of the old one at `close`. `record-missing`: the model is asked for what was not recorded, which is added.
   *
   * @default 'replay'
   */
  readonly mode?: 'replay' | 'record' | 'record-missing' | undefined;
  /** Texts that differ from one machine to another. @default [] */
  readonly replace?: readonly ReplacedText[] | undefined;
  /**
   * Takes secrets out of all that is written, and that is looked up: `createRedactor({ values: secretValuesOf(process.env) })`.
   *
   * @default tokens and private keys that are told by their shape, and credentials of URLs
   */
  readonly redact?: ((text: string) => string) | undefined;
  /**
   * The skills of the run. They are recorded, and on replay compared: with other ones a recording says nothing of what
   * would happen now.
   *
   * @default nothing is recorded or compared
   */
  readonly skills?: SkillDigests | (() => SkillDigests | Promise<SkillDigests>) | undefined;
  /** Whether a recording that was made with other skills is refused. @default 'refuse' */
  readonly stale?: 'refuse' | 'allow' | undefined;
  /** Whether a recording answers for a model of another name. @default false */
  readonly anyModel?: boolean | undefined;
  /** How recorded text arrives. @default seed 1, at most 12 code points a piece */
  readonly chunks?: ChunkOptions | undefined;
}

/** A model whose calls are recorded or replayed. */
export interface RecordedModel extends ModelAdapter {
  /**
   * Ends a recording that is worth keeping: of the mode `record`, it takes the place of the old one. Has nothing to do on
   * replay. A recording that ends otherwise leaves the old one as it was.
   *
   * @throws `IO_ERROR` where something could not be written; then the old recording is left as it was.
   */
  close(): Promise<void>;
  /** Ends a recording that is not: of the mode `record`, the old one is left as it was. */
  discard(): Promise<void>;
}
