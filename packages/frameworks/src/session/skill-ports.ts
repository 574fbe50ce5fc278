import type { RiskClass, Sha256, SkillSessionOptions, SkillToolPreset } from '@skillpack/core';

/** What skills take from their surroundings, whatever agent they are in. */
export interface SkillPorts {
  readonly sha256: Sha256;
  readonly clock: {
    /** Milliseconds since 1970. */
    now(): number;
  };
  /** Tokens of a text. @default an estimate */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Told, in a sentence each, what a developer may want to log. @default nobody is told */
  readonly debug?: ((message: string) => void) | undefined;
}

/** What a tool of another framework does, which it does not say itself. */
export interface ToolRisk {
  readonly risk: RiskClass;
  /** Whether it starts programs of somebody else's choosing, as a shell does. @default false */
  readonly runsCode?: boolean | undefined;
  /** Whether what it starts is confined. @default false */
  readonly confined?: boolean | undefined;
}

/** How skills behave in an agent of another framework: as in a session, and besides. */
export interface SkillOptions extends Omit<SkillSessionOptions, 'readingTools'> {
  /** The names of the tools by which a model reads skills. @default 'registry' */
  readonly preset?: SkillToolPreset | undefined;
  /**
   * The risk of tools that are those of the framework, by name. Our own tools say theirs themselves.
   *
   * @default each is of medium risk: where no permissions say otherwise, a person is asked
   */
  readonly risks?: Readonly<Record<string, RiskClass | ToolRisk>> | undefined;
}

/** How skills behave in an agent that serves many conversations. */
export interface SharedSkillOptions extends SkillOptions {
  /**
   * How many conversations are kept; of more, that which lay still longest is forgotten: it begins anew, with no skill read.
   *
   * @default 1000
   */
  readonly maxConversations?: number | undefined;
}
