import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import {
  createSkillRegistry,
  memorySkills,
  type IndexProblem,
  type SkillEntry,
  type SkillRegistry,
} from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { onTestFinished } from 'vitest';
import { createSkillsServer } from '../src/server/create-skills-server.js';
import type { SkillsServerOptions } from '../src/server/skills-server-options.js';
import { sha256 } from './sha256.js';

export type Files = Record<string, string | Uint8Array>;

/** A server of skills in memory, and the official client connected to it. */
export interface Ground {
  readonly client: Client;
  readonly registry: SkillRegistry;
  /** What the server told of skills that it does not serve, or not as they are. */
  readonly problems: readonly IndexProblem[];
  close(): Promise<void>;
}

/** Serves files, or a registry, to a client of its own. */
export async function serve(skills: Files | SkillRegistry, options: SkillsServerOptions = {}): Promise<Ground> {
  const registry = isRegistry(skills) ? skills : createSkillRegistry(memorySkills(skills), { sha256 });
  const problems: IndexProblem[] = [];
  const server = createSkillsServer(
    registry,
    { sha256, clock: fakeClock() },
    { onProblem: (problem) => problems.push(problem), ...options },
  );
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(near);
  const close = async (): Promise<void> => {
    await client.close();
    await server[Symbol.asyncDispose]();
  };
  return { client, registry, problems, close };
}

/** The same, closed when the test ends. */
export async function ground(skills: Files | SkillRegistry, options: SkillsServerOptions = {}): Promise<Ground> {
  const made = await serve(skills, options);
  onTestFinished(async () => made.close());
  return made;
}

function isRegistry(skills: Files | SkillRegistry): skills is SkillRegistry {
  return typeof skills['index'] === 'function';
}

/** A SKILL.md. */
export function skillText(name: string, lines: readonly string[] = [], body: string = `# ${name}\n`): string {
  return ['---', `name: ${name}`, `description: What ${name} does.`, ...lines, '---', '', body].join('\n');
}

/** The first text of a result of a tool. */
export function textOf(result: Awaited<ReturnType<Client['callTool']>>): string {
  const [content] = result.content;
  return content?.type === 'text' ? content.text : '';
}

/** The skill of a name. */
export async function skillOf(registry: SkillRegistry, name: string): Promise<SkillEntry> {
  return present(await registry.get(name));
}

/** What is there. */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('It is not there.');
  return value;
}
