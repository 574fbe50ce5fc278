import { fileURLToPath } from 'node:url';
import {
  createSkillRegistry,
  memorySkills,
  type ModelAdapter,
  type ModelRequest,
  type SkillRegistry,
} from '@skillpack/core';
import { fakeClock, type FakeClock } from '@skillpack/core/testing';
import { parseScript, scripted, type ModelScript } from '@skillpack/model-adapters';
import { folderSkills, sha256 } from '@skillpack/registry-fs';
import { systemClock } from '@skillpack/runs-fs';
import { createProcessRunner, createReadTools, createWriteTools } from '@skillpack/tools-shell';
import type { EvalCase, EvalPorts, EvalSuite, ModelSource, TrialGround } from '../src/index.js';
import { memoryResults } from '../src/index.js';
import { temporaryWorkspaces, type TemporaryWorkspacesOptions } from '../src/node.js';

export { sha256 };

/** The skills that come with skillpack, as they lie on the disk. */
export function builtinSkills(): SkillRegistry {
  const folder = fileURLToPath(new URL('../../../skills-builtin', import.meta.url));
  return createSkillRegistry(folderSkills([{ path: folder, scope: 'builtin' }], performance), { sha256 });
}

/** A line of a body that stands in no description: whoever sees it has seen a body. */
export const secretLine = 'This sentence stands in the body of a skill and nowhere else.';

/** Three skills in memory, each with a body that can be told. */
export function smallCatalogue(files: Readonly<Record<string, string>> = {}): SkillRegistry {
  const skill = (name: string, description: string): string =>
    `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n\n${secretLine}\n`;
  return createSkillRegistry(
    memorySkills({
      'pdf/SKILL.md': skill('pdf', 'Read and merge PDF files.'),
      'pdf/reference.md': `# Reference\n\n${secretLine}\n`,
      'docx/SKILL.md': skill('docx', 'Write Word documents.'),
      'table/SKILL.md': skill('table', 'Work on CSV tables.'),
      ...files,
    }),
    { sha256 },
  );
}

/** A case, of the kind `task` where nothing else is said. */
export function makeCase(given: Partial<EvalCase> & { readonly id: string }): EvalCase {
  const { expected, offer, ...rest } = given;
  return {
    kind: 'task',
    tags: [],
    conversation: [{ input: `Do ${given.id}.` }],
    files: [],
    limits: {},
    ...rest,
    offer: { distractors: [], preload: [], ...offer },
    expected: { actions: [], output: [], disclosure: true, approvals: true, ...expected },
  };
}

export function triggerCase(
  id: string,
  skills: EvalCase['expected']['skills'],
  more: Partial<EvalCase> = {},
): EvalCase {
  return makeCase({
    id,
    kind: 'trigger',
    ...more,
    expected: { skills, actions: [], output: [], disclosure: true, approvals: true },
  });
}

export function makeSuite(cases: readonly EvalCase[], more: Partial<EvalSuite> = {}): EvalSuite {
  return { name: 'pdf', skills: ['pdf'], cases, ...more };
}

/** Workspaces on the disk, the workspace tools, scripts as processes; everything is approved. */
export function diskGround(options: TemporaryWorkspacesOptions = {}): TrialGround {
  const workspaces = temporaryWorkspaces(options);
  return {
    open: async ({ case: { files } }, { signal }) => {
      const workspace = await workspaces.open(files, { signal });
      const { path } = workspace;
      return {
        workspace,
        agent: {
          tools: [
            ...createReadTools({ clock: systemClock }, { workspace: path }),
            ...createWriteTools({ clock: systemClock }, { workspace: path }),
          ],
          runner: createProcessRunner({ environment: process.env }, { workspace: path }),
          approver: { decide: async () => ({ kind: 'approved', scope: 'once', by: 'the test' }) },
        },
        options: { permissions: { configured: { ask: ['*'], deny: [] } } },
        [Symbol.asyncDispose]: async () => workspace[Symbol.asyncDispose](),
      };
    },
  };
}

/** A workspace that is empty, and an agent that has nothing: for trials whose place does not matter. */
export function bareGround(more: Partial<Awaited<ReturnType<TrialGround['open']>>> = {}): TrialGround {
  return {
    open: async () => ({
      workspace: {
        path: '/nowhere',
        files: async () => [],
        read: async () => new Uint8Array(),
      },
      agent: {},
      [Symbol.asyncDispose]: async () => undefined,
      ...more,
    }),
  };
}

export interface SeenModels extends ModelSource {
  /** Every request that any model got. */
  readonly requests: ModelRequest[];
  opened: number;
}

/** A model of each trial by the script of its case, or by the one that is given. */
export function scriptedModels(script?: ModelScript | (() => ModelAdapter)): SeenModels {
  const requests: ModelRequest[] = [];
  const source: SeenModels = {
    requests,
    opened: 0,
    open: async ({ case: evalCase }) => {
      source.opened += 1;
      const model =
        typeof script === 'function' && script.length === 0
          ? (script as () => ModelAdapter)()
          : scripted((script as ModelScript | undefined) ?? scriptOf(evalCase));
      return {
        model: {
          ...model,
          decide: async (request, options) => {
            requests.push(request);
            return model.decide(request, options);
          },
        },
      };
    },
  };
  return source;
}

function scriptOf({ script }: EvalCase): ModelScript {
  return parseScript(JSON.stringify(script), { fileName: 'script.json' });
}

export function makePorts(more: Partial<EvalPorts> = {}): EvalPorts & { readonly clock: FakeClock } {
  return {
    registry: smallCatalogue(),
    models: scriptedModels(),
    ground: bareGround(),
    clock: fakeClock(),
    sha256,
    results: memoryResults(),
    ...more,
  } as EvalPorts & { readonly clock: FakeClock };
}

export const choose = (...names: string[]) =>
  ({ action: { kind: 'select_skills', skills: names.map((name) => ({ name })), reason: 'It fits.' } }) as const;

export const answer = (content: string) => ({ action: { kind: 'final_answer', content } }) as const;
