import type { RiskClass } from './risk-class.js';
import type { CommandPattern } from './command-pattern.js';
import type { DomainPattern } from './domain-pattern.js';
import type { PathGlob } from './path-glob.js';
import type { SkillPattern } from './skill-pattern.js';

/** What a rule says of the input of a tool, or of the skill on whose behalf it is used. */
export type RulePattern =
  | { readonly kind: 'command'; readonly command: CommandPattern }
  | { readonly kind: 'path'; readonly glob: PathGlob }
  | { readonly kind: 'domain'; readonly domain: DomainPattern }
  | { readonly kind: 'skill'; readonly skill: SkillPattern };

/** Which uses of tools are meant. */
export type ToolRule =
  /** `*`: every use of every tool. */
  | { readonly kind: 'all' }
  /** `risk:low`: every use of the tools of that class. */
  | { readonly kind: 'risk'; readonly risk: RiskClass }
  /** `Bash(git:*)`: uses of some tools, all of them or those that the pattern fits. */
  | {
      readonly kind: 'tool';
      /** As it is written: `Bash`. */
      readonly name: string;
      /** `undefined`: every use. */
      readonly pattern: RulePattern | undefined;
    }
  /** `mcp__server`: every use of the tools of that server. */
  | { readonly kind: 'server'; readonly prefix: string }
  /** It allows nothing; where something is denied, it denies all that it could mean. */
  | {
      readonly kind: 'unreadable';
      /** Where its pattern is all that cannot be read. @default undefined: it may mean anything */
      readonly name?: string | undefined;
      /** What is wrong, and what would do, in words for a person. */
      readonly problem: string;
    };
