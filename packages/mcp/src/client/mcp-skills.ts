import type { Client } from '@modelcontextprotocol/client';
import {
  createSkillRegistry,
  quoted,
  SkillsError,
  type Clock,
  type IndexProblem,
  type Sha256,
  type SkillBackend,
  type SkillEntry,
  type SkillListing,
  type SkillRegistry,
  type SkillScope,
} from '@skillpack/core';
import { KeptContents } from './kept-contents.js';
import { listTold } from './list-told.js';
import { readTold } from './read-told.js';
import { takeTold } from './take-told.js';
import type { ToldSkill } from './told-skill.js';
import { watchTold } from './watch-told.js';
import { withGrantedTools, withoutTools } from './with-granted-tools.js';

/** What skills of a server are read with. */
export interface McpSkillsPorts {
  readonly sha256: Sha256;
  readonly clock: Clock;
}

/** How skills of a server are taken. */
export interface McpSkillsOptions {
  /**
   * What you call the server, as `github`: the names of its skills begin with it, `github/pull-requests`. What a server
   * calls itself says nothing: a letter or digit, then letters, digits, `.`, `_` and `-`, 64 at most.
   */
  readonly origin: string;
  /** @default 'other' */
  readonly scope?: SkillScope | undefined;
  /** Skills that the server serves and does not list, by the addresses of their SKILL.md. @default [] */
  readonly addresses?: readonly string[] | undefined;
  /**
   * Whether the `allowed-tools` of a skill count, as a person said: where they do not, the skill has none. Where they do,
   * permissions decide what they are worth. @default those of no skill
   */
  readonly grant?: ((skill: SkillEntry) => boolean) | undefined;
  /** Skills that are taken of the server at most; the rest is a problem. @default 10000 */
  readonly mostSkills?: number | undefined;
  /** Milliseconds that one answer of the server may take; a whole list may take ten times as long. @default 30000 */
  readonly timeout?: number | undefined;
  /** Bytes of files that stay in memory; each was verified. @default 16 MiB */
  readonly memoryBytes?: number | undefined;
  /**
   * Whether the registry watches: it then takes the client's handler for `notifications/resources/list_changed`.
   * @default false
   */
  readonly watch?: boolean | undefined;
}

const longestFreshness = 300_000;

/**
 * The skills of a server of the Model Context Protocol that has the extension for skills, as a registry. Listing reads
 * entries and no file; each file is read when it is asked for, and is held to the size and the digest that its entry
 * told. None of that says that a skill can be trusted: entries and files come from the same server.
 *
 * The registry lists anew when it is reloaded, unless the server said how long its list holds, at most 5 minutes.
 *
 * @param client connected by you, over whatever transport; it stays yours.
 * @throws `USAGE` for an origin that no name can begin with. Its calls throw `REGISTRY_ERROR` for a server without the
 * extension or one that answers otherwise than it has to, `INTEGRITY_MISMATCH` for a file that is not the one its entry
 * told of, `TIMEOUT`, and `NETWORK_ERROR` for a connection that is gone.
 * @example
 * ```ts
 * const registry = mcpSkills(client, { sha256, clock }, { origin: 'github' });
 * const review = await registry.get('github/review');
 * ```
 * @see https://modelcontextprotocol.io/seps/2640-skills-extension
 */
export function mcpSkills(client: Client, ports: McpSkillsPorts, options: McpSkillsOptions): SkillRegistry {
  const { origin } = options;
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$/u.test(origin)) {
    throw new SkillsError('USAGE', `No name of a skill can begin with the origin ${quoted(origin)}.`, {
      hint: 'Give the server a name such as github or acme-docs.',
      data: { origin },
    });
  }
  const { backend, granted } = makeBackend(client, ports, options);
  return withGrantedTools(createSkillRegistry(backend, ports), granted);
}

interface McpBackend {
  readonly backend: SkillBackend;
  /** Whether the allowed tools of the skill at a location count. */
  granted(location: string): boolean;
}

function makeBackend(client: Client, ports: McpSkillsPorts, options: McpSkillsOptions): McpBackend {
  const { origin, scope = 'other', mostSkills = 10_000, timeout = 30_000, memoryBytes = 16 * 1024 * 1024 } = options;
  const server = { client, origin, timeout };
  const contents = new KeptContents(memoryBytes);
  let told: ReadonlyMap<string, ToldSkill> = new Map();
  let granted: ReadonlySet<string> = new Set();
  let kept: { readonly listing: SkillListing; readonly until: number } | undefined;
  const find = ({ name, location }: SkillEntry): ToldSkill => {
    const found = told.get(location);
    if (found !== undefined) return found;
    throw new SkillsError(
      'SKILL_NOT_FOUND',
      `The server ${origin} does not offer the skill ${quoted(name)} (any more).`,
    );
  };
  const backend: SkillBackend = {
    kind: 'mcp',
    list: async ({ signal }) => {
      if (kept !== undefined && ports.clock.now() < kept.until) return kept.listing;
      const { addresses = [] } = options;
      const answer = await listTold(server, ports, { mostSkills, addresses, signal });
      const { skills: next, problems } = takeTold(answer.entries, { origin, scope, sha256: ports.sha256 });
      const entries = [...next.values()].map(({ entry }) => entry);
      const own = new Set(entries.filter((entry) => options.grant?.(entry) === true));
      told = next;
      granted = new Set([...own].map(({ location }) => location));
      const skills = entries.map((entry) => (own.has(entry) ? entry : { ...entry, head: withoutTools(entry.head) }));
      const listing = { skills, problems: bounded([...answer.problems, ...problems], origin) };
      kept = { listing, until: ports.clock.now() + Math.min(answer.ttlMs, longestFreshness) };
      return listing;
    },
    files: async (skill) => [...find(skill).files].map(([path, { size }]) => ({ path, size, executable: false })),
    bytes: async (skill, path, { maxBytes, signal }) => {
      const wanted = { skill: find(skill), path };
      try {
        return await readTold({ server, contents, sha256: ports.sha256 }, wanted, { maxBytes, signal });
      } catch (error) {
        // However long the list was to hold: who reads the index again learns what is so now.
        if (!SkillsError.is(error, 'INTERRUPTED')) kept = undefined;
        throw error;
      }
    },
    ...(options.watch === true
      ? {
          watch: async (changed: () => void) =>
            watchTold(client, () => {
              kept = undefined;
              changed();
            }),
        }
      : {}),
  };
  return { backend, granted: (location) => granted.has(location) };
}

const mostProblems = 100;

function bounded(problems: readonly IndexProblem[], origin: string): readonly IndexProblem[] {
  if (problems.length <= mostProblems) return problems;
  const message = `There are ${problems.length - mostProblems} more problems with skills of this server.`;
  return [...problems.slice(0, mostProblems), { code: 'refused', location: `mcp://${origin}`, message }];
}
