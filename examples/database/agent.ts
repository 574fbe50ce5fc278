/*
 * An agent whose skills lie in a database: SQLite here, by the module that comes with Node; any other goes the same
 * way, since a registry is three functions (`database-skills.ts`). A skill that somebody adds is there after the next
 * `reload`. `node --disable-warning=ExperimentalWarning examples/database/agent.ts`, with Node 22.19 or newer, after
 * `npx -y pnpm@12 build`.
 *
 * The model searches by words here. A real one is one line: `openaiCompatible({ baseURL, apiKey, model: 'gpt-…' })`.
 */
import { DatabaseSync } from 'node:sqlite';
import { createMemoryJournal, createSkillRegistry, runAgent } from '@skillpack/core';
import { scripted, searchAndAnswer } from '@skillpack/model-adapters';
import { sha256, systemClock } from '@skillpack/runs-fs';
import { databaseSkills, schemaOfSkills } from './database-skills.ts';

const database = new DatabaseSync(':memory:');
database.exec(schemaOfSkills);
const registry = createSkillRegistry(databaseSkills(database), { sha256 });

saveSkill('refunds', { 'SKILL.md': skillText('refunds', 'When and how a customer is refunded.', 'Within 30 days.') });
await registry.reload();
console.log(await ask('How is a customer refunded?'));

saveSkill('shipping', {
  'SKILL.md': skillText('shipping', 'What shipping costs, and how long it takes.', 'Two days.'),
});
await registry.reload();
console.log(await ask('How long does shipping take?'));
database.close();

/** All of a skill or nothing of it: an agent that reads meanwhile sees no half. */
function saveSkill(name: string, files: Readonly<Record<string, string>>): void {
  const add = database.prepare('INSERT INTO files VALUES (?, ?, ?)');
  database.exec('BEGIN');
  database.prepare('INSERT INTO skills VALUES (?, ?)').run(name, '1.0.0');
  for (const [path, text] of Object.entries(files)) add.run(name, path, new TextEncoder().encode(text));
  database.exec('COMMIT');
}

function skillText(name: string, description: string, body: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
}

async function ask(request: string): Promise<string> {
  const [model, journal] = [scripted(searchAndAnswer), createMemoryJournal(sha256)];
  const { text } = await runAgent(request, { registry, model, journal, sha256, clock: systemClock }, { id: 'ask' });
  return text;
}
