import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSkill } from './make-skill.js';
import { createWorld, type World } from './run-skills.js';

let world: World;

beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

test('verify and list tell of the journal of an install that it cannot read, though every file is as installed', async () => {
  makeSkill(world.path('tool'), {});
  const installed = await world.run(['install', world.path('tool')]);
  expect(installed.exitCode, installed.stderr).toBe(0);
  expect((await world.run(['verify'])).stderr).not.toContain('journal');
  const journal = join(world.project, '.agents/skills/.skillpack/.transaction.json');
  writeFileSync(journal, '{"formatVersion":9}');
  const { exitCode, stderr } = await world.run(['verify']);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    `${journal}: The journal of an install cannot be read. Run \`skills doctor --repair\`: it puts it aside`,
  );
  expect((await world.run(['list'])).stderr).toContain('was interrupted; `skills doctor` tells');
  expect((await world.run(['doctor', '--repair'])).exitCode).toBe(0);
  expect((await world.run(['list'])).stderr).toBe('');
  expect((await world.run(['verify'])).stderr).not.toContain('journal');
});

test.each(['verify', 'outdated', 'install --dry-run', 'update --dry-run'])(
  '%s carries out no journal that came with a project, and tells that it removed it',
  async (command) => {
    makeSkill(world.path('tool'), {});
    expect((await world.run(['install', world.path('tool')])).exitCode).toBe(0);
    const settings = join(world.project, 'skillpack.json');
    const text = readFileSync(settings, 'utf8');
    const journal = {
      formatVersion: 1,
      id: '0123456789abcdef',
      staging: '12',
      moves: [],
      links: [{ kind: 'make', path: '.claude/skills/tool', skill: 'tool' }],
      texts: [
        {
          file: 'project',
          before: createHash('sha256').update(text).digest('hex'),
          after: '{"targets":["claude-code"]}',
        },
      ],
    };
    writeFileSync(join(world.project, '.agents/skills/.skillpack/.transaction.json'), JSON.stringify(journal));
    const { stderr } = await world.run(command.split(' '));
    expect(stderr).toContain('What an interrupted change had left was removed first.');
    expect(readFileSync(settings, 'utf8')).toBe(text);
    expect(existsSync(join(world.project, '.claude'))).toBe(false);
  },
);
