import type { AgentAction } from '../../model/action.js';
import { matchDescription } from '../../registry/match-description.js';
import { escapeXml } from '../../errors/escape-xml.js';
import type { ActionContext, Observation } from '../run-scope.js';
import { isOffered } from './offered-skills.js';

type SearchSkills = AgentAction & { readonly kind: 'search_skills' };

const mostMatches = 10;

/** Finds skills by words, those that are not in the catalogue too. */
export async function searchForSkills({ query }: SearchSkills, { scope }: ActionContext): Promise<Observation> {
  const found = await scope.library.view.search(query, { limit: 2 * mostMatches });
  const state = scope.state();
  const matches = found.filter(({ entry }) => isOffered(entry, state)).slice(0, mostMatches);
  const rows = matches.map(
    ({ entry }) => `- ${escapeXml(entry.name)} (${entry.scope}): ${matchDescription(entry).toWellFormed()}`,
  );
  return {
    ok: true,
    content:
      rows.length === 0
        ? 'No skill matches. Try other words, or go on without one.'
        : `Skills, the best match first; select_skills loads one:\n${rows.join('\n')}`,
    output: { query, skills: matches.map(({ entry }) => ({ name: entry.name, source: entry.scope })) },
  };
}
