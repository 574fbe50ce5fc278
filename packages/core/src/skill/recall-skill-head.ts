import { splitAllowedTools } from './allowed-tools.js';
import { isSurelyVisible } from './clean-text.js';
import type { SkillHead } from './skill.js';
import { defaultSkillLimits } from './skill-limits.js';
import { isSkillName } from './skill-name.js';

/** Where front matter stands. */
export interface RecalledPlace {
  /** The name of the folder that holds the file. */
  readonly folder: string;
  /** As {@link SkillHead.bodyLine}. */
  readonly bodyLine: number;
}

type Fields = Readonly<Record<string, unknown>>;

// What these say is more than their text.
const unusual = [
  'allowed_tools',
  'allowedTools',
  'disable-model-invocation',
  'user-invocable',
  'run-mode',
  '__proto__',
];
const longestDescription = 1024;
const longestCompatibility = 500;

/**
 * The head of a skill out of the `frontMatter` that reading its SKILL.md leniently gave before, in a tenth of the time.
 * Nothing is taken for granted of it: `undefined` for all but usual front matter, of visible text alone, within the
 * default limits, with the name of the folder and nothing to report. Keep front matter only when what this function
 * makes of it is the head that it came from.
 */
export function recallSkillHead(frontMatter: unknown, { folder, bodyLine }: RecalledPlace): SkillHead | undefined {
  if (!isMap(frontMatter) || !Number.isSafeInteger(bodyLine) || bodyLine < 1) return undefined;
  const { name, description: written, metadata: map = null, compatibility: needs } = frontMatter;
  const metadata = map ?? {};
  if (typeof name !== 'string' || name !== folder || !isSkillName(name)) return undefined;
  if (typeof written !== 'string' || !isMap(metadata)) return undefined;
  if (unusual.some((key) => Object.hasOwn(frontMatter, key)) || !isPlain(frontMatter, metadata)) return undefined;
  const description = written.trim();
  if (description === '' || description.length > longestDescription) return undefined;
  const tools = frontMatter['allowed-tools'];
  if (tools !== undefined && typeof tools !== 'string') return undefined;
  if (needs !== undefined && (typeof needs !== 'string' || needs.length > longestCompatibility)) return undefined;
  return {
    name,
    description,
    license: textOf(frontMatter['license']),
    compatibility: textOf(needs),
    metadata,
    allowedTools: tools === undefined ? undefined : splitAllowedTools(tools).tools,
    version: textOf(frontMatter['version']) ?? textOf(metadata['version']),
    author: textOf(frontMatter['author']) ?? textOf(metadata['author']),
    modelInvocable: true,
    userInvocable: true,
    runMode: 'inline',
    frontMatter,
    bodyLine,
  };
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether it is a map of words, numbers and visible text, but for its metadata, which is another. */
function isPlain(fields: Fields, metadata: Fields): boolean {
  const length = plainLength(fields, 'metadata');
  const inner = Object.hasOwn(metadata, '__proto__') ? undefined : plainLength(metadata);
  return length !== undefined && inner !== undefined && length + inner <= defaultSkillLimits.frontMatterBytes;
}

/** How long all keys and texts are; `undefined` when there are too many, or others than plain values and visible text. */
function plainLength(fields: Fields, except?: string): number | undefined {
  let length = 0;
  let keys = 0;
  for (const key in fields) {
    if (key === except) continue;
    const value = fields[key];
    if (!isSurelyVisible(key)) return undefined;
    if (typeof value === 'string') {
      if (!isSurelyVisible(value)) return undefined;
      length += value.length;
    } else if (value !== null && typeof value !== 'boolean' && !Number.isFinite(value)) return undefined;
    length += key.length;
    keys += 1;
  }
  return keys * 2 > defaultSkillLimits.keys ? undefined : length;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
