import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareTrees } from '../fixtures/compare-trees.ts';
import { smallPacks } from '../fixtures/pack-registry.ts';
import type { Absent, Contestant, Race } from '../measure/contestant.ts';
import { sized, type BenchWorld, type Place } from './bench-world.ts';
import { notInstalled } from './npm-rivals.ts';
import { skillsProject } from './skills-project.ts';

/** 200 skills of 20 files from a folder into a project, by us and by other programs that install skills. */
export async function othersRace(world: BenchWorld, place: Place): Promise<Race> {
  const offer = await smallPacks(sized(500, world), world);
  const names = offer.packs.slice(0, sized(200, world)).map(({ name }) => name);
  const source = world.folder(place, 'others-source');
  for (const name of names) await cp(join(offer.skills, name), join(source, name), { recursive: true });
  const project = skillsProject(world.folder(place, 'others-skillpack'), world.command);
  const given = { world, place, source };
  return {
    job: `${names.length} skills of 20 files from a folder`,
    ours: {
      name: '`skills install ./folder`',
      script: project.line(`install '${source}'`),
      cwd: project.folder,
      env: project.env,
      prepare: () => project.reset({}),
      check: () => project.check(source),
    },
    rivals: [
      {
        contestant: other(given, {
          name: '`skills add --copy` (npm `skills` 1.7.4)',
          program: 'skills',
          words: `add '${source}' --skill '*' --agent universal -y --copy`,
          root: '.agents/skills',
          lacks: 'one hash of each skill is locked; nothing is flushed',
        }),
      },
      {
        contestant: other(given, {
          name: '`openskills install` 1.5.0',
          program: 'openskills',
          words: `install '${source}' -y --universal`,
          root: '.agent/skills',
          adds: '.openskills.json',
          lacks: 'nothing is locked or flushed',
        }),
      },
      {
        contestant: other(given, {
          name: '`dotagents install` 1.19.0',
          program: 'dotagents',
          words: 'install',
          root: '.agents/skills',
          lacks: 'sources are locked, without digests; nothing is flushed',
          // It takes folders inside of the project only.
          async prepare(folder) {
            await cp(source, join(folder, 'vendor'), { recursive: true });
            await writeFile(
              join(folder, 'agents.toml'),
              'version = 1\nagents = []\n\n[[skills]]\nname = "*"\nsource = "path:vendor"\n',
            );
          },
        }),
      },
    ],
  };
}

interface Other {
  readonly name: string;
  readonly program: string;
  readonly words: string;
  /** Where it puts skills, below the project. */
  readonly root: string;
  /** A file that it adds to each skill. */
  readonly adds?: string;
  readonly lacks: string;
  readonly prepare?: (project: string) => Promise<void>;
}

function other(
  { world, place, source }: { readonly world: BenchWorld; readonly place: Place; readonly source: string },
  { name, program, words, root, adds, lacks, prepare }: Other,
): Contestant | Absent {
  const path = join(world.tools, 'node_modules', '.bin', program);
  if (!existsSync(path)) return notInstalled(name);
  const base = world.folder(place, `others-${program}`);
  const project = join(base, 'project');
  return {
    name,
    script: `"$NODE" '${path}' ${words}`,
    cwd: project,
    env: { HOME: base, CI: 'true', DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' },
    lacks,
    async prepare() {
      await rm(base, { recursive: true, force: true });
      await mkdir(join(project, '.git'), { recursive: true });
      await prepare?.(project);
    },
    check: () => compareTrees(source, join(project, root), adds === undefined ? {} : { ignore: adds }),
  };
}
