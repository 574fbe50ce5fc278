/*
 * An agent that may read everything, writes notes once you say yes, and nothing else: what is allowed is data, and each
 * yes is yours. `node examples/permissions.ts`, with Node 22.19 or newer, after `npx -y pnpm@12 build`; it asks on the
 * terminal.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  checkPermissions,
  createSkillRegistry,
  memorySkills,
  rememberApprovals,
  runAgent,
  type Approver,
} from '@skillpack/core';
import { scripted, type ScriptRule } from '@skillpack/model-adapters';
import { openRunFolder, sha256, systemClock } from '@skillpack/runs-fs';
import { createReadTools, createWriteTools } from '@skillpack/tools-shell';

const folder = await mkdtemp(join(tmpdir(), 'skillpack-example-'));
const workspace = join(folder, 'work');
const journal = await openRunFolder(join(workspace, 'runs')).create('notes');

const permissions = checkPermissions({
  configured: { allow: ['risk:low'], ask: ['write_file(notes/**)', 'write_file(todo.md)'], deny: ['delete_file'] },
});

const lines = createInterface({ input: process.stdin });
const typed = lines[Symbol.asyncIterator]();
const approver: Approver = rememberApprovals({
  async decide({ tool, risk, summary }) {
    console.log(`${tool} (${risk} risk) asks to do this: ${summary}`);
    console.log('Allow it? [y]es, [a]lways, anything else is a no:');
    const answer: unknown = (await typed.next()).value;
    if (answer === 'y' || answer === 'a') {
      return { kind: 'approved', scope: answer === 'a' ? 'session' : 'once', by: 'terminal' };
    }
    return { kind: 'denied', reason: 'The person said no.', by: 'terminal' };
  },
});

const write = (path: string): ScriptRule['reply'] => ({
  action: { kind: 'call_tool', tool: 'write_file', input: { path, content: 'Water the plants.\n' } },
});
const model = scripted({
  rules: [
    { when: { turn: 1 }, reply: write('notes/monday.md') },
    { when: { turn: 2 }, reply: write('todo.md') },
    { when: { turn: 3 }, reply: write('src/main.ts') },
    { reply: { action: { kind: 'final_answer', content: 'That is all that I could do.' } } },
  ],
});

const clock = systemClock;
const ports = {
  registry: createSkillRegistry(memorySkills({}), { sha256 }),
  tools: [
    ...createReadTools({ clock }, { workspace }),
    ...createWriteTools({ clock }, { workspace, protected: () => [join(workspace, 'runs')] }),
  ],
  model,
  approver,
  journal,
  clock,
  sha256,
};
const { text, state } = await runAgent('Write down what is to be done.', ports, { id: journal.id, permissions });
lines.close();

for (const { action, ok, error } of state.audit) {
  if (action.kind !== 'call_tool') continue;
  console.log(`${JSON.stringify(action.input)}: ${ok === true ? 'done' : `${error?.code}: ${error?.message}`}`);
}
console.log(text);
console.log(
  `There now: ${(await readdir(workspace, { recursive: true })).filter((path) => path.endsWith('.md')).join(', ')}`,
);
await rm(folder, { recursive: true });
