import type { AgentAction } from '../../model/action.js';
import { excerptOutput } from '../../tool/skill-output.js';
import { renderExcerpt } from '../context/render-excerpt.js';
import { selectedPart } from '../context/selected-part.js';
import type { ActionContext, Observation } from '../run-scope.js';
import { activeFile } from './active-skill.js';
import { activeSkills } from './active-skills.js';

type LoadResource = AgentAction & { readonly kind: 'load_resource' };

/** Reads a file of an activated skill, or a part of it; the whole file is in the record. */
export async function loadResource(action: LoadResource, { scope }: ActionContext): Promise<Observation> {
  const { activation, entry, path } = await activeFile(activeSkills(scope), action.skill, action.relative_path);
  const selection = selectedPart({ section: action.section_hint, fromLine: action.from_line });
  const excerpt = await scope.library.view.read(entry, path, { selection });
  const { name, location } = activation;
  const { contextTokens } = scope.state();
  return {
    ok: true,
    content: renderExcerpt({ ...entry, name }, excerpt, { sectionField: 'section_hint', contextTokens }),
    output: { skill: name, location, ...excerptOutput(excerpt) },
    kept: [{ name: excerpt.path, digest: excerpt.digest, size: excerpt.size }],
  };
}
