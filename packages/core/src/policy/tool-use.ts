import type { RiskClass } from './risk-class.js';

/** A skill whose `allowed-tools` may count. */
export interface PolicySkill {
  readonly name: string;
  /** Its folder, absolute, or a URL. */
  readonly location: string;
  /** The pack that brought it: `org/pdf`. */
  readonly pack: string | undefined;
  readonly scope: 'project' | 'other' | 'user' | 'builtin';
  /** As it declares them; `undefined` where it says nothing of tools. */
  readonly allowedTools: readonly string[] | undefined;
  /** Whether it was switched off since: then it still restricts, and grants nothing any more. @default false */
  readonly disabled?: boolean | undefined;
}

/** A tool, as it is judged before its input is known. */
export interface JudgedTool {
  /** Whether a script is run or a tool called: a tool may have any name, `run_script` too. */
  readonly action: 'run_script' | 'call_tool';
  /** `run_script`, or the name of the tool. */
  readonly tool: string;
  readonly risk: RiskClass;
  /** The skill whose script it is, or that unlocked the tool. @default undefined: the tool was there from the beginning */
  readonly onBehalfOf?: PolicySkill | undefined;
}

/** A script of a skill. */
export interface JudgedScript {
  /** Relative to the skill, with `/`. */
  readonly path: string;
  /** The skill's folder, absolute. */
  readonly folder: string;
  readonly args: readonly string[];
}

/** What is about to be done: a tool with its input, or a script with its arguments. */
export interface ToolUse extends JudgedTool {
  /** As the model gave it, unchecked. */
  readonly input: unknown;
  /** Whether it starts programs of somebody else's choosing. */
  readonly runsCode: boolean;
  /** Whether what it starts is confined. */
  readonly confined: boolean;
  /** @default undefined: it is no script */
  readonly script?: JudgedScript | undefined;
}
