import { parseSkill, type Skill } from '@skillpack/core';
import { SkillCatalogError, skillEntry, type SkillFrontmatter } from '@modelcontextprotocol/server/ext/skills';

/** A SKILL.md as the extension allows it, or why there is none. */
export type ConformingSkill =
  | {
      readonly kind: 'skill';
      readonly bytes: Uint8Array;
      readonly frontMatter: SkillFrontmatter;
      /** Why its front matter was written anew; `undefined` where the file is served as it lies there. */
      readonly mended: string | undefined;
    }
  | { readonly kind: 'refused'; readonly reason: string };

const longestCompatibility = 500;

/**
 * A SKILL.md that every client of the extension takes. Clients hold the front matter to the specification of Agent
 * Skills and read a part of YAML; where a file has more than that, its front matter is written anew with the same values,
 * and its body stays byte for byte.
 *
 * @param name what the skill is called in the protocol.
 * @see https://modelcontextprotocol.io/seps/2640-skills-extension
 */
export async function conformingSkill(bytes: Uint8Array, name: string): Promise<ConformingSkill> {
  const asWritten = await readStrictly(bytes, name);
  if (asWritten.kind === 'skill') return { ...asWritten, bytes, mended: undefined };
  const parse = parseSkill(bytes, { folder: name });
  if (parse.kind === 'refused') return { kind: 'refused', reason: asWritten.reason };
  if (parse.skill.description === undefined) return { kind: 'refused', reason: 'it has no description' };
  for (const body of [rawBody(bytes, parse.skill), parse.skill.body]) {
    if (body === undefined) continue;
    const mended = new TextEncoder().encode(`---\n${frontMatterLines(parse.skill, name)}---\n${body}`);
    const again = parseSkill(mended, { folder: name });
    const read = await readStrictly(mended, name);
    if (read.kind === 'skill' && again.kind === 'skill' && again.skill.body === parse.skill.body) {
      return { ...read, bytes: mended, mended: asWritten.reason };
    }
  }
  return { kind: 'refused', reason: asWritten.reason };
}

type StrictReading =
  | { readonly kind: 'skill'; readonly frontMatter: SkillFrontmatter }
  | { readonly kind: 'refused'; readonly reason: string };

async function readStrictly(bytes: Uint8Array, name: string): Promise<StrictReading> {
  try {
    const { frontmatter } = await skillEntry(name, { 'SKILL.md': bytes });
    return { kind: 'skill', frontMatter: frontmatter };
  } catch (error) {
    if (!SkillCatalogError.isInstance(error)) throw error;
    return { kind: 'refused', reason: error.problems.map(({ message }) => message).join('; ') };
  }
}

/** The text after the front matter as it stands in the file; `undefined` where its bytes are no UTF-8. */
function rawBody(bytes: Uint8Array, { bodyLine }: Skill): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    let start = 0;
    for (let line = 1; line < bodyLine; line += 1) {
      const end = text.indexOf('\n', start);
      if (end === -1) return undefined;
      start = end + 1;
    }
    return text.slice(start);
  } catch {
    return undefined;
  }
}

function frontMatterLines({ frontMatter, description, compatibility }: Skill, name: string): string {
  const metadata = stringMap(frontMatter['metadata']);
  const fields: Readonly<Record<string, unknown>> = {
    ...frontMatter,
    name,
    description,
    compatibility: compatibility === undefined ? undefined : [...compatibility].slice(0, longestCompatibility).join(''),
    metadata,
  };
  return Object.entries(fields)
    .filter(([key, value]) => value !== undefined && key !== '__proto__')
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}\n`)
    .join('');
}

function stringMap(value: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, typeof inner === 'string' ? inner : JSON.stringify(inner)]),
  );
}
