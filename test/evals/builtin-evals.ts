import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSkillRegistry, type SkillRegistry } from '@skillpack/core';
import type { EvalCase, EvalPorts, ModelSource, OpenJob, TrialGround } from '@skillpack/evals';
import { memoryResults } from '@skillpack/evals';
import { readSuite, temporaryWorkspaces, type ReadSuite } from '@skillpack/evals/node';
import { parseScript, recorded, scripted, searchAndAnswer } from '@skillpack/model-adapters';
import { cassetteFile } from '@skillpack/model-adapters/node';
import { folderSkills, sha256 } from '@skillpack/registry-fs';
import { systemClock } from '@skillpack/runs-fs';
import { createProcessRunner, createReadTools, createWriteTools } from '@skillpack/tools-shell';

const root = join(import.meta.dirname, '..', '..');

export const builtinFolder = join(root, 'skills-builtin');
/** Skills that have nothing to do with those under test: something else to choose. */
const distractorFolder = join(root, 'test/fixtures/sample-skills');
const recordings = join(import.meta.dirname, 'recordings');

/** What the recordings were made with: no model, but the search that `searchAndAnswer` goes by. */
export const chooser = 'search-and-answer';

/** Every suite of the builtin skills, by file. */
export async function builtinSuites(kind: 'triggers' | 'tasks'): Promise<readonly ReadSuite[]> {
  const paths = globSync(`*/evals/${kind}.yaml`, { cwd: builtinFolder }).toSorted();
  return Promise.all(paths.map(async (path) => readSuite(join(builtinFolder, path))));
}

/** The builtin skills among others. `instead`: a folder of skills that come before those of the same name. */
export function catalogue(instead: readonly string[] = []): SkillRegistry {
  const roots = [
    ...instead.map((path) => ({ path, scope: 'project' as const })),
    ...[builtinFolder, distractorFolder].map((path) => ({ path, scope: 'builtin' as const })),
  ];
  return createSkillRegistry(folderSkills(roots, performance), { sha256 });
}

/** Each case by the script that stands in it. */
export const scriptedModels: ModelSource = {
  open: async ({ case: opened }) => ({
    model: scripted(parseScript(JSON.stringify(opened.script), { fileName: `${opened.id}.json` })),
  }),
};

/** What the search chooses, recorded anew. */
export function recordingModels(suites: readonly ReadSuite[]): ModelSource & AsyncDisposable {
  const tapes = new Map(
    suites.map(({ suite: { name } }) => [
      name,
      recorded(scripted(searchAndAnswer, { name: chooser }), cassetteFile(join(recordings, `${name}.jsonl`)), {
        mode: 'record',
      }),
    ]),
  );
  return {
    open: async ({ job }: OpenJob) => ({ model: await expectTape(tapes, job.suite) }),
    [Symbol.asyncDispose]: async () => {
      for (const tape of tapes.values()) await (await tape).close();
    },
  };
}

/** What the search chose when it was recorded. What was not recorded is an error. */
export function replayedModels(suites: readonly ReadSuite[]): ModelSource {
  const tapes = new Map(
    suites.map(({ suite: { name } }) => [
      name,
      recorded(undefined, cassetteFile(join(recordings, `${name}.jsonl`)), { mode: 'replay' }),
    ]),
  );
  return { open: async ({ job }) => ({ model: await expectTape(tapes, job.suite) }) };
}

async function expectTape<Tape>(tapes: ReadonlyMap<string, Promise<Tape>>, suite: string): Promise<Tape> {
  const tape = await tapes.get(suite);
  if (tape === undefined) throw new Error(`There is no recording of the suite ${suite}.`);
  return tape;
}

/** Real workspaces, tools and scripts; every question is answered with yes. */
function realGround(suites: readonly ReadSuite[]): TrialGround {
  const workspaces = temporaryWorkspaces();
  const folders = new Map(suites.map(({ suite, folder }) => [suite.name, folder]));
  return {
    open: async ({ job, case: opened }, { signal }) => {
      const workspace = await workspaces.open(opened.files, { signal });
      const { path } = workspace;
      const folder = folders.get(job.suite) ?? '';
      return {
        workspace,
        agent: {
          tools: [
            ...createReadTools({ clock: systemClock }, { workspace: path }),
            ...createWriteTools({ clock: systemClock }, { workspace: path }),
          ],
          runner: createProcessRunner({ environment: process.env }, { workspace: path }),
          approver: { decide: async () => ({ kind: 'approved', scope: 'once', by: 'test' }) },
        },
        options: { permissions: { configured: { ask: ['*'], deny: [] } } },
        runCheck: async ({ script, args, answer }) => runCheck(join(folder, script), args, { path, answer }),
        [Symbol.asyncDispose]: async () => workspace[Symbol.asyncDispose](),
      };
    },
  };
}

async function runCheck(
  script: string,
  args: readonly string[],
  { path, answer }: { readonly path: string; readonly answer: string },
): Promise<{ readonly exitCode: number | undefined; readonly output: string }> {
  const own = join(path, `.answer-${randomUUID()}`);
  await mkdir(own);
  await writeFile(join(own, 'answer.txt'), answer);
  try {
    return await new Promise((resolve) => {
      const env = { ...process.env, EVAL_ANSWER_FILE: join(own, 'answer.txt') };
      execFile(process.execPath, [script, ...args], { cwd: path, env, encoding: 'utf8' }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined;
        resolve({ exitCode: code, output: stdout + stderr });
      });
    });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

export function builtinPorts(suites: readonly ReadSuite[], models: ModelSource, registry = catalogue()): EvalPorts {
  return { registry, models, ground: realGround(suites), clock: systemClock, sha256, results: memoryResults() };
}

/** Cases with a tag. */
export function tagged(cases: readonly EvalCase[], tag: string): readonly EvalCase[] {
  return cases.filter(({ tags }) => tags.includes(tag));
}
