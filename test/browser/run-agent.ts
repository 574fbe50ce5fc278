import { sha256 as sha256Of } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import {
  createMemoryJournal,
  createSkillRegistry,
  defineTool,
  memorySkills,
  replayRun,
  runAgent,
} from '@skillpack/core';
import type { Clock, Sha256 } from '@skillpack/core';
import { openaiCompatible } from '@skillpack/model-adapters';
import * as z from 'zod/mini';

/*
 * An agent in a page: skills in memory, a tool, a model that is reached by fetch where the page came from, and a record
 * that is replayed. It tells on the console what came of it.
 */
const sha256: Sha256 = (data) =>
  // Cast: a digest is written so.
  `sha256:${bytesToHex(sha256Of(typeof data === 'string' ? utf8ToBytes(data) : data))}` as ReturnType<Sha256>;
const clock: Clock = { now: () => Date.now() };

const tea = '---\nname: tea\ndescription: Makes tea.\n---\nPour at 95 °C; wait four minutes.\n';
const registry = createSkillRegistry(memorySkills({ 'tea/SKILL.md': tea }), { sha256 });
const timer = defineTool(
  {
    name: 'timer',
    description: 'Waits for so many minutes.',
    input: z.object({ minutes: z.number() }),
    risk: 'low',
    run: ({ minutes }) => ({ content: `Waited for ${minutes} minutes.` }),
  },
  { clock },
);
const model = openaiCompatible({ baseURL: new URL('/v1', import.meta.url).href, model: 'small' });
const journal = createMemoryJournal(sha256);
const ports = { registry, tools: [timer], model, journal, sha256, clock };

const { text, state } = await runAgent('Make tea.', ports, { id: 'tea' });
const record = { events: journal.events, kept: async (digest: ReturnType<Sha256>) => journal.kept.get(digest) };
const { same } = await replayRun(record, { sha256 });
const done = state.audit.map(({ action, ok }) => `${action.kind} ${ok === true ? 'done' : 'failed'}`);
console.log(JSON.stringify({ text, done, same }));
