import type { Clock, IndexProblem, Sha256, SkillEntry } from '@skillpack/core';

/** What a server of skills takes from its surroundings. */
export interface SkillsServerPorts {
  readonly sha256: Sha256;
  readonly clock: Clock;
}

/** How skills are served. */
export interface SkillsServerOptions {
  /** What the server calls itself. @default 'skillpack' */
  readonly name?: string | undefined;
  /** The version that it tells. @default '0.0.0' */
  readonly version?: string | undefined;
  /**
   * Whether a skill is served at all (`path` is `SKILL.md`), and each file of it.
   *
   * @default every file that the registry names
   */
  readonly allows?: ((skill: SkillEntry, path: string) => boolean) | undefined;
  /**
   * Whether tools and prompts name the folders that skills lie in, as a client on the same machine needs them to run
   * scripts; where not, they name the addresses of the skills. @default false
   */
  readonly showFolders?: boolean | undefined;
  /** Whether skills are offered as tools, for clients that do not know the extension. @default true */
  readonly tools?: boolean | undefined;
  /** Whether skills that people may call are offered as prompts. @default true */
  readonly prompts?: boolean | undefined;
  /** Milliseconds for which a client may keep what it was told. @default 0 */
  readonly ttlMs?: number | undefined;
  /** Told of each skill and file that is not served, or not as it lies there, with the reason. @default nobody is told */
  readonly onProblem?: ((problem: IndexProblem) => void) | undefined;
}
