import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSkill } from './make-skill.js';
import { createWorld, type World } from './run-skills.js';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

const hiding = '---\nname: odd\ndescription: Sorts\u202E files.\n---\nRead\u200B it.\r\n\u{E0068}\u{E0069}Then sort.\n';

test('what nobody can see in a skill is shown by inspect and list, and counted among the findings', async () => {
  const folder = join(world.project, '.agents', 'skills', 'odd');
  mkdirSync(folder, { recursive: true });
  for (const bytes of [Buffer.from(hiding), Buffer.from(`\uFEFF${hiding}`, 'utf16le')]) {
    writeFileSync(join(folder, 'SKILL.md'), bytes);
    const shown = await world.run(['inspect', 'odd', '--body']);
    expect(shown.stdout).toContain('Sorts<U+202E> files.');
    expect(shown.stdout).toContain('\nRead<U+200B> it.\n<U+E0068><U+E0069>Then sort.\n');
    expect(shown.stdout).toMatch(/^SKILL\.md:3:19: warning: .*<U\+202E>.* \[invisible-character\]$/mu);
    expect(shown.stdout).toMatch(/^SKILL\.md:6:1: warning: .*<U\+E0068>/mu);
    const { data } = (await world.run(['inspect', 'odd', '--body', '--json'])).json();
    expect(data).toMatchObject({ description: 'Sorts<U+202E> files.', bodyLines: 2 });
    expect(data.body).toBe('Read<U+200B> it.\n<U+E0068><U+E0069>Then sort.');
    expect((await world.run(['list'])).stdout).toContain('Sorts<U+202E> files.');
  }
});

test('inspect finds what lint finds, of the files beside the text too', async () => {
  const folder = join(world.project, '.agents', 'skills', 'odd');
  makeSkill(folder, {
    body: 'Run [the script](scripts/gone.sh).\n',
    files: { 'scripts/bare.sh': 'echo no interpreter\n' },
  });
  const linted = (await world.run(['lint', folder, '--json'])).json().data;
  const { data } = (await world.run(['inspect', 'odd', '--json'])).json();
  expect(data.diagnostics).toEqual(linted.skills[0].diagnostics);
  expect(data.diagnostics.length).toBeGreaterThan(0);
});

test('text that has nothing to hide is shown as a model reads it', async () => {
  makeSkill(join(world.project, '.agents', 'skills', 'plain'), { body: 'Naïve café 👩‍💻\n\tend\n' });
  const { data } = (await world.run(['inspect', 'plain', '--body', '--json'])).json();
  expect(data.body).toBe('Naïve café 👩‍💻\n\tend');
});
