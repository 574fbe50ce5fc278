import type { Client } from '@modelcontextprotocol/client';
import {
  createSkillRegistry,
  quoted,
  SkillsError,
  type Clock,
  type Sha256,
  type SkillBackend,
  type SkillEntry,
  type SkillRegistry,
  type SkillScope,
} from '@skillpack/core';
import type { AskedServer } from './ask-server.js';
import { KeptContents } from './kept-contents.js';
import { readTold } from './read-told.js';
import { ToldIndex } from './told-index.js';
import { watchTold } from './watch-told.js';
import { withGrantedTools } from './with-granted-tools.js';

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
  const { scope = 'other', mostSkills = 10_000, timeout = 30_000, addresses = [], grant = () => false } = options;
  const server = { client, origin, timeout };
  const index = new ToldIndex({ server, ...ports }, { scope, mostSkills, addresses, grant });
  const backend = makeBackend({ server, index, sha256: ports.sha256 }, options);
  return withGrantedTools(createSkillRegistry(backend, ports), (location) => index.granted(location));
}

interface BackendParts {
  readonly server: AskedServer;
  readonly index: ToldIndex;
  readonly sha256: Sha256;
}

function makeBackend({ server, index, sha256 }: BackendParts, options: McpSkillsOptions): SkillBackend {
  const { memoryBytes = 16 * 1024 * 1024, watch = false } = options;
  const contents = new KeptContents(memoryBytes);
  return {
    kind: 'mcp',
    list: async ({ signal }) => index.list(signal),
    files: async (skill) => [...index.find(skill).files].map(([path, { size }]) => ({ path, size, executable: false })),
    bytes: async (skill, path, { maxBytes, signal }) => {
      const wanted = { skill: index.find(skill), path };
      try {
        return await readTold({ server, contents, sha256 }, wanted, { maxBytes, signal });
      } catch (error) {
        // Who reads the index again learns what is so now.
        if (!SkillsError.is(error, 'INTERRUPTED')) index.doubt();
        throw error;
      }
    },
    ...(watch
      ? {
          watch: async (changed: () => void) =>
            watchTold(server, () => {
              index.doubt();
              changed();
            }),
        }
      : {}),
  };
}
