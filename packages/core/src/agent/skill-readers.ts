import { readFileToolNames } from '../tool/read-file-tool.js';
import { fileRule, type CatalogueRules } from './context/catalogue-style.js';
import type { RestReader } from './context/render-skill-body.js';
import type { NamedTool } from './unlocked-tools.js';

/** The tools by which a loop of somebody's own reads skills, and the words that name them: nothing is named that is not there. */
export interface SkillReaders<Item extends NamedTool> {
  readonly tools: readonly Item[];
  /** How a skill is loaded. */
  readonly loadInstructions: string;
  /** How skills are found that are not listed; `undefined` as the catalogue has it, empty where they cannot be. */
  readonly searchInstructions: string | undefined;
  /** How files are read and scripts run. */
  readonly rules: CatalogueRules;
  /** What reads the rest of a long body. */
  readonly restBy: RestReader;
  /** What to do with a skill that is not active. */
  readonly loadFirst: string;
  /** How the text of a skill is had again. */
  readonly again: string;
}

// Nobody knows what else the loop can do.
const ownFiles =
  'Where you can read files, read one of a skill, such as one in `references/`, when the step at hand needs it, and of a long one only the section.';
const ownScripts = 'Where you can run scripts, run them and do not read them: what they print is what counts.';

/** The words for these tools, of which the first one loads a skill. */
export function skillReaders<Item extends NamedTool>(tools: readonly Item[]): SkillReaders<Item> {
  const names = tools.map(({ name }) => name);
  const [loader] = names;
  const file = readFileToolNames.find((name) => names.includes(name));
  const whole =
    loader === undefined
      ? 'Read its `SKILL.md` again for its instructions'
      : `Use \`${loader}\` again for its instructions`;
  return {
    tools,
    loadInstructions:
      loader === undefined
        ? 'To load a skill, read the `SKILL.md` in its folder.'
        : `Use the \`${loader}\` tool to load the full content of a skill when you need it.`,
    searchInstructions: names.includes('search_skills') ? undefined : '',
    rules: { files: file === undefined ? ownFiles : fileRule(`\`${file}\``), scripts: ownScripts },
    restBy: file === undefined ? 'path' : { tool: file },
    loadFirst: loader === undefined ? 'Load it first.' : `Load it first with \`${loader}\`.`,
    again: file === undefined ? `${whole}.` : `${whole}, or \`${file}\` for a section of its \`SKILL.md\`.`,
  };
}
