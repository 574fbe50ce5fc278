import type { JsonObject } from '../json/json-value.js';
import type { RiskClass } from '../policy/risk-class.js';
import type { ToolResult } from './tool-result.js';

/** What a tool is given besides its input. */
export interface ToolContext {
  /** Aborted when the run is cancelled or its time is up. */
  readonly signal: AbortSignal;
  /** The run that the action belongs to: a child run has an id of its own. @default a tool that no run calls has none */
  readonly run?: string | undefined;
  /** Of the action, unique in that run. */
  readonly id: string;
}

/** What a model is told of a tool. */
export interface ToolDescription {
  /** 1 to 64 of letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 2020-12) of the input: an object. */
  readonly inputSchema: JsonObject;
}

/** Something that an agent can do. */
export interface Tool extends ToolDescription {
  readonly risk: RiskClass;
  /** Whether it starts programs of somebody else's choosing, as a shell does. @default false */
  readonly runsCode?: boolean | undefined;
  /** Whether what it starts is confined. @default false */
  readonly confined?: boolean | undefined;
  /**
   * Judges an input without doing anything, before anybody is asked whether it may be done.
   *
   * @param input what the model gave, unchecked.
   * @throws `INVALID_INPUT`, with what does not fit.
   * @default any input is taken
   */
  readonly check?: ((input: unknown) => void) | undefined;
  /**
   * Does it. What goes wrong is a result, not an exception: only a defect or an aborted signal throws.
   *
   * @param input what the model gave, unchecked.
   */
  run(input: unknown, context: ToolContext): Promise<ToolResult>;
}
