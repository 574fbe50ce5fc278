import type { ErrorCode } from '../errors/codes.js';
import type { JsonObject } from '../json/json-value.js';

/** What a tool made that is too much for a context: kept in the record, referred to by digest. */
export interface ToolOutput {
  /** What it is: `stdout`, `report.json`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What came of a tool. It has two channels: `content` is for the model, `contentForUser` for a person. */
export interface ToolResult {
  readonly ok: boolean;
  /** What the model reads. */
  readonly content: string;
  /** What a person is shown instead; no model ever reads it. @default `content` */
  readonly contentForUser?: string | undefined;
  /** What programs read: `skill_name`, `exit_code`. */
  readonly output: JsonObject;
  /** Where `ok` is false. */
  readonly error?: { readonly code: ErrorCode; readonly message: string } | undefined;
  /** Milliseconds since 1970. */
  readonly started: number;
  /** Milliseconds since 1970. */
  readonly ended: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly outputs?: readonly ToolOutput[] | undefined;
}
