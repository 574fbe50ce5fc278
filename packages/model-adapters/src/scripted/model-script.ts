import type { AgentActionKind, Decision, ErrorCode, ModelAnswer, ModelRequest, ModelUsage } from '@skillpack/core';
import type { Conversation } from './read-conversation.js';

/** What a scripted model tells besides its text. */
export interface ScriptExtras {
  /** What it thought; told in pieces, before the text. @default nothing */
  readonly reasoning?: string | undefined;
  /** What the call took, as far as it is not to be counted. @default counted: see `countTokens` */
  readonly usage?: { readonly [Name in keyof ModelUsage]?: ModelUsage[Name] | undefined } | undefined;
}

/** What a scripted model answers in one turn. */
export type ScriptReply =
  | Decision
  /** A decision with what comes along with it. */
  | ({ readonly decide: Decision } & ScriptExtras)
  /** Exactly this text, whatever it is: how a model that answers badly is played. */
  | ({ readonly say: string; readonly finish?: ModelAnswer['finish'] | undefined } & ScriptExtras)
  /** The call fails. */
  | { readonly fail: ErrorCode; readonly message?: string | undefined };

/** What a text has to be like: it contains these words, in whatever case, or the expression matches. */
export type TextPattern = string | RegExp;

/** When a rule fits. All that is named has to hold; nothing named always holds. */
export interface RuleCondition {
  /** The newest request of the person. */
  readonly request?: TextPattern | undefined;
  /** The observation that the model is to act on; there is none in the first turn of a request. */
  readonly observation?: TextPattern | undefined;
  /** Any observation since the newest request. */
  readonly saw?: TextPattern | undefined;
  /** The system text, the catalogue of skills in it included. */
  readonly system?: TextPattern | undefined;
  /** Whether what was done last succeeded. */
  readonly ok?: boolean | undefined;
  /** The turn within the request, from 1. Every answer counts, those that were refused too. */
  readonly turn?: number | undefined;
  /** What was decided last, in this request. */
  readonly after?: AgentActionKind | undefined;
  /** A skill that the model has read in this conversation. */
  readonly skillActive?: string | undefined;
  /** A skill that it has not read. */
  readonly skillInactive?: string | undefined;
  readonly toolOffered?: string | undefined;
  readonly toolNotOffered?: string | undefined;
  readonly actionOffered?: AgentActionKind | undefined;
}

/** One rule of a script. */
export interface ScriptRule {
  /** What errors call it. @default its number */
  readonly name?: string | undefined;
  /** @default always */
  readonly when?: RuleCondition | undefined;
  /**
   * What is answered. In its texts `$1` and `${name}` stand for what the expressions of `when` captured, and `$$` for a
   * dollar; numbers count in the first expression of observation, saw, request and system, in this order.
   */
  readonly reply: ScriptReply;
  /** How often it may be used. @default Infinity */
  readonly times?: number | undefined;
}

/** Answers by a program. */
export type ScriptFunction = (conversation: Conversation, request: ModelRequest) => ScriptReply | Promise<ScriptReply>;

/** What a scripted model goes by: one reply a call, in order; rules, of which the first that fits counts; or a function. */
export type ModelScript = readonly ScriptReply[] | { readonly rules: readonly ScriptRule[] } | ScriptFunction;
