import { oddDelimiters } from './odd-skills/odd-delimiters.js';
import { oddEncodings } from './odd-skills/odd-encodings.js';
import type { OddSkill } from './odd-skills/odd-skill.js';
import { oddValues } from './odd-skills/odd-values.js';
import { oddYaml } from './odd-skills/odd-yaml.js';

/** Every odd SKILL.md that the tests know. */
export const oddSkills: readonly OddSkill[] = [...oddEncodings, ...oddDelimiters, ...oddYaml, ...oddValues];
