import { createHash } from 'node:crypto';
import {
  createMemoryJournal,
  createSkillRegistry,
  memorySkills,
  startRun,
  type Digest,
  type ModelMessage,
} from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { expect, test } from 'vitest';
import { scripted } from './scripted.js';
import { readConversation } from './read-conversation.js';

const sha256 = (bytes: Uint8Array | string): Digest =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}` as Digest; // the form of a digest
const skill = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: What ${name} is for.\n---\n${body}\n`;

test('the request is what the person said, also where a long skill, a called one or a changed one stands before it', async () => {
  const files = {
    'long/SKILL.md': skill('long', Array.from({ length: 3000 }, (_, line) => `Line ${line}.`).join('\n')),
    'short/SKILL.md': skill('short', 'Once.'),
  };
  const seen: string[] = [];
  const model = scripted((conversation) => {
    seen.push(conversation.request);
    return conversation.request === 'read' && conversation.turn === 1
      ? { action: { kind: 'select_skills', skills: [{ name: 'short' }], reason: 'It fits.' } }
      : { action: { kind: 'final_answer', content: 'Done.' } };
  });
  const ports = {
    registry: createSkillRegistry(memorySkills(files), { sha256 }),
    model,
    journal: createMemoryJournal(sha256),
    clock: fakeClock(),
    sha256,
  };
  const run = await startRun(ports, { id: 'run', preload: ['long'], autoReload: true });
  await run.ask('order 5');
  await run.ask({ text: 'order 6', skill: 'long' });
  await run.ask({ text: 'order 7', skill: 'long' });
  await run.ask('read');
  files['short/SKILL.md'] = skill('short', 'Twice.');
  await run.ask('order 8');
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('This is the beginning:');
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('was changed since it was loaded');
  expect(seen).toEqual(['order 5', 'order 6', 'order 7', 'read', 'read', 'order 8']);
});

test('what a person writes behind a short skill is theirs, whatever it looks like', () => {
  const body = '<skill_body name="a" truncated="false">\nText.\n</skill_body>';
  const messages: readonly ModelMessage[] = [
    { role: 'user', content: `${body}\n\nThis is the beginning: 3 lines. For more, ask.` },
  ];
  expect(readConversation(messages).request).toBe('This is the beginning: 3 lines. For more, ask.');
});
