import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { suggestNames } from '../errors/suggest-names.js';
import { visibleText } from '../errors/visible-text.js';
import type { SkillEntry } from '../registry/skill-entry.js';
import { findSkill, offeredToModels } from './find-skill.js';
import { makeTool, type DefineToolPorts, type ToolOutcome } from './make-tool.js';
import { manageSkillTools } from './manage-skill-tools.js';
import { ofRegistry } from './of-registry.js';
import { plainInput } from './plain-input.js';
import { readFileTool } from './read-file-tool.js';
import { skillOutput } from './skill-output.js';
import type { SkillToolSession } from './skill-tool-session.js';
import type { Tool } from './tool.js';

/**
 * Under which names a model reaches skills:
 *
 * - `registry`: `read_skill`, `read_skill_file`, `search_skills`, `disable_skill` and `enable_skill`;
 * - `skill`: `Skill` and `SkillFile`;
 * - `use_skill`: `use_skill` and `read_skill_file`.
 *
 * The first of each loads a skill, the second reads a file of one that was loaded. All of them do the same; models and prompts that are used to one of them need not learn another.
 */
export type SkillToolPreset = 'registry' | 'skill' | 'use_skill';

const presets: readonly SkillToolPreset[] = ['registry', 'skill', 'use_skill'];

/** How the tools are made. */
export interface SkillToolsOptions {
  readonly preset: SkillToolPreset;
  /**
   * The skills that there are now: the tools take no other name, and without a skill there is no tool.
   *
   * @default any name is taken, and judged when a tool is called
   */
  readonly skills?: readonly SkillEntry[] | undefined;
}

// A longer list costs a model more than a search does.
const mostNames = 200;

/**
 * Tools by which any agent reads skills, whatever its loop is. A skill that cannot be read is a result that says why and
 * which skills there are, so that a model can help itself.
 *
 * @throws `USAGE` for a preset that there is not.
 * @example
 * ```ts
 * const session = createSkillSession(registry, { sha256 }, {
 *   readingTools: (own, { skills }) => createSkillTools(own, { clock }, { preset: 'registry', skills }),
 * });
 * ```
 */
export function createSkillTools(
  session: SkillToolSession,
  ports: DefineToolPorts,
  { preset, skills }: SkillToolsOptions,
): readonly Tool[] {
  expectPreset(preset);
  const names = skills === undefined ? undefined : offeredToModels(skills).map(({ name }) => name);
  if (names?.length === 0) return [];
  const nameInput = skillNameInput(names);
  switch (preset) {
    case 'registry':
      return [
        readSkillTool(session, ports, nameInput),
        readFileTool(session, ports, { name: 'read_skill_file' }),
        ...manageSkillTools(session, ports),
      ];
    case 'skill':
      return [
        loadTool(session, ports, {
          name: 'Skill',
          nameInput,
          description:
            'Activates a skill: gives you its instructions. Call it when a task fits the description of a skill, before you begin.',
        }),
        readFileTool(session, ports, { name: 'SkillFile' }),
      ];
    case 'use_skill':
      return [
        loadTool(session, ports, {
          name: 'use_skill',
          nameInput,
          description: 'Loads the full content of a skill. Call it when a skill fits the task.',
        }),
        readFileTool(session, ports, { name: 'read_skill_file' }),
      ];
  }
}

/**
 * The tools for the skills that there are now, by name: none where there is no skill. To be asked for before each request
 * to a model, since skills come and go.
 *
 * @throws `USAGE` for a preset that there is not; what `SkillRegistry.index` throws.
 */
export async function offerSkillTools(
  session: SkillToolSession,
  ports: DefineToolPorts,
  options: Pick<SkillToolsOptions, 'preset'>,
): Promise<readonly Tool[]> {
  return createSkillTools(session, ports, { ...options, skills: await session.view.entries() });
}

/** Whoever calls may write in a language without types: an agent without reading tools would have a catalogue in vain. */
function expectPreset(preset: unknown): asserts preset is SkillToolPreset {
  if (presets.some((one) => one === preset)) return;
  const given = typeof preset === 'string' ? quoted(preset, 100) : String(preset);
  const what = preset === undefined ? 'The preset of the reading tools is missing.' : `There is no preset ${given}.`;
  const near = typeof preset === 'string' ? suggestNames(preset, presets) : presets;
  throw new SkillsError('USAGE', what, { hint: `There is ${near.join(', ')}.`, data: { near } });
}

/** A name of a skill, as a model gives it. */
interface NameInput {
  readonly kind: 'text';
  readonly most: number;
  readonly names?: readonly string[] | undefined;
}

function skillNameInput(names: readonly string[] | undefined): NameInput {
  const shown = names?.filter((name) => visibleText(name) === name) ?? [];
  const complete = shown.length > 0 && shown.length === names?.length && shown.length <= mostNames;
  // Named in the schema alone: a name that is not there gets an answer that helps more than that of a schema.
  return { kind: 'text', most: 500, ...(complete ? { names: shown } : {}) };
}

function readSkillTool(session: SkillToolSession, ports: DefineToolPorts, nameInput: NameInput): Tool {
  return makeTool(
    {
      name: 'read_skill',
      description:
        'Reads the instructions of a skill, by name, by path, or by both where they are those of one skill. Call it when a task fits the description of a skill, before you begin.',
      ...plainInput({
        skill_name: { ...nameInput, optional: true },
        skill_path: { kind: 'text', most: 4_096, optional: true },
      }),
      risk: 'low',
      run: async (wanted, { signal }) =>
        readSkillFor(session, await findSkill(session.view, wanted, { signal }), { tool: 'read_skill', signal }),
    },
    ports,
  );
}

function loadTool(
  session: SkillToolSession,
  ports: DefineToolPorts,
  {
    name,
    description,
    nameInput,
  }: { readonly name: string; readonly description: string; readonly nameInput: NameInput },
): Tool {
  return makeTool(
    {
      name,
      description,
      ...plainInput({ skill_name: nameInput }),
      risk: 'low',
      run: async (wanted, { signal }) =>
        readSkillFor(session, await findSkill(session.view, wanted, { signal }), { tool: name, signal }),
    },
    ports,
  );
}

async function readSkillFor(
  session: SkillToolSession,
  entry: SkillEntry,
  { tool, signal }: { readonly tool: string; readonly signal: AbortSignal },
): Promise<ToolOutcome> {
  const { text, alreadyActive } = await ofRegistry(`The skill ${quoted(entry.name)}`, async () =>
    session.activate(entry, { by: 'model', reason: `asked for with ${tool}`, signal }),
  );
  const done = alreadyActive ? 'is active already' : 'has been activated';
  return {
    content: text,
    contentForUser: `The skill ${quoted(entry.name)} ${done}.`,
    output: { ...skillOutput(entry), success: true, already_active: alreadyActive },
  };
}
