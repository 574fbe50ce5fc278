import type { Client } from '@modelcontextprotocol/client';
import type { Clock, Sha256, SkillBackend, SkillScope } from '@skillpack/core';

/** What skills of a server are read with. */
export interface McpSkillsPorts {
  readonly sha256: Sha256;
  readonly clock: Clock;
}

/** How skills of a server are taken. */
export interface McpSkillsOptions {
  /** What you call the server, as `github`: names of its skills begin with it, `github/pull-requests`. */
  readonly origin: string;
  /** @default 'other' */
  readonly scope?: SkillScope | undefined;
}

/** The skills of a server, as a place that a registry is made of. */
export declare function mcpSkills(client: Client, ports: McpSkillsPorts, options: McpSkillsOptions): SkillBackend;
