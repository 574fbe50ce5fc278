import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runAgent, type AgentAction, type RunState } from '@skillpack/core';
import { scripted, type ModelScript } from '@skillpack/model-adapters';
import { openRunFolder, systemClock } from '@skillpack/runs-fs';
import { createProcessRunner, createReadTools } from '@skillpack/tools-shell';
import { expect, test } from 'vitest';
import { agentGround, type AgentGround } from './agent-ground.js';

const answer = (content: string): { readonly action: AgentAction } => ({ action: { kind: 'final_answer', content } });
const select = (...names: readonly string[]): { readonly action: AgentAction } => ({
  action: { kind: 'select_skills', skills: names.map((name) => ({ name })), reason: 'It fits.' },
});

async function runWith(ground: AgentGround, task: string, script: ModelScript): Promise<Run> {
  const model = scripted(script);
  const journal = await openRunFolder(ground.runs).create('sample');
  const { text, state } = await runAgent(task, { ...ground.ports(journal), model }, { id: 'sample' });
  await journal.finish();
  return { text, state, last: model.requests.at(-1)?.messages.at(-1)?.content ?? '' };
}

interface Run {
  readonly text: string;
  readonly state: RunState;
  /** The last message that the model was shown. */
  readonly last: string;
}

test('AGIO-22: a skill that is a text alone is read and answered from', async () => {
  const { text, state, last } = await runWith(agentGround(), 'A haiku about rain, please.', [
    select('haiku'),
    answer('Autumn rain again'),
  ]);
  expect(text).toBe('Autumn rain again');
  expect(last).toContain('five, seven and five syllables');
  expect(state.activations).toMatchObject([{ name: 'haiku', scope: 'user', lines: { shown: 4, total: 4 } }]);
});

test('SAA-25: among 300 skills, one names two others, whose files are reached by the absolute folders that their texts name', async () => {
  const ground = agentGround(300);
  const { text, state } = await runWith(ground, 'Plan two days in the mountains.', {
    rules: [
      {
        when: { saw: /PACK: (?<pack>[\w, ]+)/u, observation: /STAGE 2: (?<end>hut \d)/u },
        reply: answer('Carry ${pack}; you end at ${end}.'),
      },
      {
        when: { saw: /`(?<script>\/\S+\/route\.mjs) DAYS`/u, observation: 'PACK: ' },
        reply: {
          action: { kind: 'run_script', skill: { name: 'trail-route' }, relative_path: '${script}', args: ['2'] },
        },
      },
      {
        when: { saw: /`(?<list>\/\S+\/alpine\.txt)`/u },
        // Whose file it is, its absolute path says.
        reply: { action: { kind: 'load_resource', skill: { name: 'expedition' }, relative_path: '${list}' } },
      },
      {
        when: { saw: /skill `(?<first>[\w-]+)` for what[^`]+`(?<second>[\w-]+)`/u },
        reply: {
          action: {
            kind: 'select_skills',
            skills: [{ name: '${first}' }, { name: '${second}' }],
            reason: 'Its text names them.',
          },
        },
      },
      { when: { turn: 1 }, reply: select('expedition') },
    ],
  });
  expect(text).toBe('Carry rope, stove, map; you end at hut 2.');
  expect(state.activations.map(({ name, turn }) => [name, turn])).toEqual([
    ['expedition', 1],
    ['packing-list', 2],
    ['trail-route', 2],
  ]);
  const home = join(ground.folder, 'home/.agents/skills');
  expect(state.resources).toMatchObject([{ location: join(home, 'packing-list'), path: 'lists/alpine.txt' }]);
  expect(ground.asked).toMatchObject([{ skill: { location: join(home, 'trail-route') } }]);
});

test('SAA-26: scripts and reading tools work in the folder that they were given, whatever the folder of the process', async () => {
  const ground = agentGround();
  const other = join(ground.folder, 'elsewhere');
  mkdirSync(other);
  writeFileSync(join(other, 'notes.txt'), 'heron\n');
  const journal = await openRunFolder(ground.runs).create('sample');
  const skill = { name: 'field-survey' };
  const model = scripted([
    select('field-survey'),
    {
      action: { kind: 'run_script', skill, relative_path: 'scripts/tally.mjs', args: ['notes.txt', 'heron'] },
    },
    { action: { kind: 'call_tool', tool: 'read_file', input: { path: 'notes.txt' } } },
    answer('One.'),
  ]);
  const ports = {
    ...ground.ports(journal),
    model,
    runner: createProcessRunner({ environment: process.env }, { workspace: other }),
    tools: createReadTools({ clock: systemClock }, { workspace: other }),
  };
  const { state } = await runAgent('Count them.', ports, { id: 'sample' });
  await journal.finish();
  expect(state.audit.map(({ ok }) => ok)).toEqual([true, true, true, true]);
  const [, , tallied, read] = model.requests.map(({ messages }) => messages.at(-1)?.content);
  expect(tallied).toContain(`tally of heron: 1\nin ${other}\n`);
  expect(read).toContain('heron');
  expect(read).not.toContain('asleep');
});
