import { SKILLS_EXTENSION_ID, SKILLS_GET_METHOD, SKILLS_LIST_METHOD } from '@modelcontextprotocol/client/ext/skills';
import { skillsCapabilityOf } from '@modelcontextprotocol/core/ext/skills';
import { SkillsError, visibleText, type Clock, type IndexProblem } from '@skillpack/core';
import * as z from 'zod/mini';
import { askServer, type AskedServer } from './ask-server.js';
import { addressIn, isShallow } from './told-skill.js';
import { weightOf } from './weight-of.js';

/** What of a server is listed. */
export interface ListToldOptions {
  readonly mostSkills: number;
  readonly addresses: readonly string[];
  readonly signal: AbortSignal | undefined;
}

/** What a server told of its skills, entry by entry and unchecked. */
export interface ToldList {
  readonly entries: readonly { readonly value: unknown; readonly index: number }[];
  readonly problems: readonly IndexProblem[];
  /** Milliseconds for which it holds, as the server says. */
  readonly ttlMs: number;
}

const mostPages = 1_000;
const mostCharacters = 64 * 1024 * 1024;
const listFactor = 10;

const freshness = { ttlMs: z.optional(z.number()) };
const pageSchema = z.looseObject({
  skills: z.array(z.unknown()),
  nextCursor: z.optional(z.string()),
  ...freshness,
});
const skillSchema = z.looseObject({ skill: z.unknown(), ...freshness });

/**
 * Asks a server for all its skills, page by page, and for those it does not list. A list that does not end, or has more
 * than is taken, is cut, which is a problem of it.
 *
 * @throws `REGISTRY_ERROR` for a server without the extension; what {@link askServer} throws.
 */
export async function listTold(
  server: AskedServer,
  { clock }: { readonly clock: Clock },
  { mostSkills, addresses, signal }: ListToldOptions,
): Promise<ToldList> {
  expectExtension(server);
  const pages = await readPages(server, clock, { mostSkills, signal });
  const named = await readNamed(server, { addresses, signal });
  const { entries, clashes } = withoutCopies([...pages.values, ...named.values]);
  const problems = [...pages.problems, ...named.problems, ...clashes].map((message): IndexProblem => ({
    code: 'ignored',
    location: `mcp://${server.origin}`,
    message,
  }));
  return { entries, problems, ttlMs: Math.min(pages.ttlMs, named.ttlMs) };
}

interface Answers {
  readonly values: readonly unknown[];
  /** In words. */
  readonly problems: readonly string[];
  readonly ttlMs: number;
}

async function readPages(
  server: AskedServer,
  clock: Clock,
  { mostSkills, signal }: Pick<ListToldOptions, 'mostSkills' | 'signal'>,
): Promise<Answers> {
  const end = clock.now() + listFactor * server.timeout;
  const values: unknown[] = [];
  let characters = 0;
  const cursors = new Set<string>();
  let ttlMs = Infinity;
  let cursor: string | undefined;
  do {
    const page = await readPage(server, { cursor, signal });
    ttlMs = Math.min(ttlMs, freshnessOf(page));
    characters += page.nextCursor?.length ?? 0;
    for (const value of page.skills) {
      if (values.length >= mostSkills) {
        return { values, problems: [`The server has more than ${mostSkills} skills; so many are offered.`], ttlMs };
      }
      characters += weightOf(value, mostCharacters);
      if (characters > mostCharacters) return { values, problems: [tooLong(values.length)], ttlMs };
      values.push(value);
    }
    if (characters > mostCharacters) return { values, problems: [tooLong(values.length)], ttlMs };
    cursor = page.nextCursor;
    if (cursor !== undefined && (cursors.has(cursor) || cursors.size >= mostPages)) {
      return { values, problems: ['The list of skills does not end; what was told of is offered.'], ttlMs };
    }
    if (cursor !== undefined) cursors.add(cursor);
    if (cursor !== undefined && clock.now() >= end) {
      const message = `The server ${server.origin} did not tell its skills within ${listFactor * server.timeout} ms.`;
      throw new SkillsError('TIMEOUT', message);
    }
  } while (cursor !== undefined);
  return { values, problems: [], ttlMs };
}

function tooLong(offered: number): string {
  return `The list of skills has more than ${mostCharacters} characters; ${offered} are offered.`;
}

async function readPage(
  server: AskedServer,
  { cursor, signal }: { readonly cursor: string | undefined; readonly signal: AbortSignal | undefined },
): Promise<z.infer<typeof pageSchema>> {
  const params = cursor === undefined ? {} : { cursor };
  return askServer(server, { what: 'its skills', signal }, async (options) =>
    server.client.request({ method: SKILLS_LIST_METHOD, params }, pageSchema, options),
  );
}

async function readNamed(
  server: AskedServer,
  { addresses, signal }: Pick<ListToldOptions, 'addresses' | 'signal'>,
): Promise<Answers> {
  const values: unknown[] = [];
  const problems: string[] = [];
  let ttlMs = Infinity;
  for (const address of addresses) {
    try {
      const told = await askServer(server, { what: address, signal }, async (options) =>
        server.client.request({ method: SKILLS_GET_METHOD, params: { uri: address } }, skillSchema, options),
      );
      ttlMs = Math.min(ttlMs, freshnessOf(told));
      if (addressIn(told.skill) === address) values.push(told.skill);
      else problems.push(`Asked for ${visibleText(address)}, the server answered with another skill.`);
    } catch (error) {
      if (!SkillsError.is(error, 'FILE_NOT_FOUND') && !SkillsError.is(error, 'REGISTRY_ERROR')) throw error;
      problems.push(error.message);
    }
  }
  return { values, problems, ttlMs };
}

function freshnessOf({ ttlMs = 0 }: { readonly ttlMs?: number | undefined }): number {
  return Math.max(0, ttlMs);
}

function expectExtension({ client, origin }: AskedServer): void {
  const capabilities = client.getServerCapabilities();
  if (capabilities === undefined) {
    throw new SkillsError('NETWORK_ERROR', `There is no connection to the server ${origin}.`, {
      hint: 'Connect the client first.',
    });
  }
  const { extensions } = capabilities;
  if (extensions !== undefined && skillsCapabilityOf({ extensions }) !== undefined) return;
  throw new SkillsError('REGISTRY_ERROR', `The server ${origin} offers no skills: it lacks ${SKILLS_EXTENSION_ID}.`, {
    hint: 'Ask for a server that has the extension, or use its tools.',
  });
}

/** The same entry again, as a list has it that changes between two pages, is one; of two other ones neither is taken. */
function withoutCopies(values: readonly unknown[]): {
  readonly entries: ToldList['entries'];
  readonly clashes: readonly string[];
} {
  const byAddress = new Map<string, string>();
  const clashing = new Set<string>();
  const entries: { readonly value: unknown; readonly index: number }[] = [];
  for (const [index, value] of values.entries()) {
    const address = addressIn(value);
    // What is nested too deeply is refused later.
    const json = isShallow(value) ? JSON.stringify(value) : '';
    const first = address === undefined ? undefined : byAddress.get(address);
    if (address !== undefined && first !== undefined && first !== json) clashing.add(address);
    if (first !== undefined) continue;
    if (address !== undefined) byAddress.set(address, json);
    entries.push({ value, index });
  }
  return {
    entries: entries.filter(({ value }) => !clashing.has(addressIn(value) ?? '')),
    clashes: [...clashing].map(
      (address) => `${visibleText(address.slice(0, 300))} was told in two ways; neither is taken.`,
    ),
  };
}
