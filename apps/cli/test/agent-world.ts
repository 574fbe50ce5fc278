import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeSkill } from './make-skill.js';
import { createWorld, type World } from './run-skills.js';

/** A rule of a script. */
export interface ScriptedRule {
  readonly when?: Readonly<Record<string, unknown>>;
  readonly decide: { readonly action: Readonly<Record<string, unknown>> };
}

/** Decisions that read a skill, run a script of it, and answer. */
export function rulesFor(skill: string, script: string, args: readonly string[] = []): readonly ScriptedRule[] {
  const named = { name: skill };
  const run = { kind: 'run_script', skill: named, relative_path: script, args };
  return [
    {
      when: { skillInactive: skill },
      decide: { action: { kind: 'select_skills', skills: [named], reason: 'It fits.' } },
    },
    { when: { after: 'select_skills' }, decide: { action: run } },
    { decide: { action: { kind: 'final_answer', content: 'All is done.\nIn two lines.' } } },
  ];
}

/** Writes a script of a model into the project. @returns what `--model` takes. */
export function writeScript(world: World, rules: readonly ScriptedRule[], name = 'model.json'): string {
  writeFileSync(join(world.project, name), JSON.stringify({ formatVersion: 1, rules }));
  return `scripted:${name}`;
}

/** Writes a file into the project. */
export function writeInProject({ project }: World, path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

/** A world whose person has the skill `greet`, and whose project has the skill `local`, each with a script. */
export function createAgentWorld(): World {
  const world = createWorld();
  const script = '#!/bin/sh\necho "hello $1"\n';
  makeSkill(join(world.home, '.agents', 'skills', 'greet'), {
    body: 'Greet kindly.\n',
    files: { 'scripts/hello.sh': script },
  });
  makeSkill(join(world.project, '.agents', 'skills', 'local'), {
    body: 'Secret of the project.\n',
    files: { 'scripts/hello.sh': script },
  });
  return world;
}
