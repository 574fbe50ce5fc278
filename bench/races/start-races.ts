import type { Race } from '../measure/contestant.ts';
import type { BenchWorld } from './bench-world.ts';
import { skillsProject } from './skills-project.ts';

/** `skills --version`: what every command pays before it does anything. */
export async function versionRace(world: BenchWorld): Promise<Race> {
  const base = world.folder('disk', 'version');
  const project = skillsProject(base, world.command);
  await project.reset({});
  return {
    job: '`skills --version`',
    ours: {
      name: 'skills',
      script: project.line('--version'),
      cwd: project.folder,
      env: project.env,
      check: async (output) => {
        if (!/^\d+\.\d+\.\d+/u.test(output)) throw new Error(`--version printed ${output}`);
      },
    },
    rivals: [{ contestant: emptyNode(project.folder), bar: 1.3, aim: 1.15 }],
  };
}

/** `node -e 0`: a Node that does nothing. */
export function emptyNode(cwd: string): { readonly name: string; readonly script: string; readonly cwd: string } {
  return { name: '`node -e 0`', script: '"$NODE" -e 0', cwd };
}
