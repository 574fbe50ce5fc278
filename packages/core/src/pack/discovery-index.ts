import * as z from 'zod/mini';
import { SkillsError } from '../errors/skills-error.js';
import { digestSchema } from '../digest/digest-schema.js';
import type { Digest } from '../digest/is-digest.js';
import { isPackNamePart } from './pack-name-part.js';
import { readJson, writeDocument } from '../json/json-document.js';
import { comparePaths } from '../digest/compare-paths.js';
import { describeIssue, forDescription, issuePath } from '../json/schema-issue.js';

/** Where a host offers its discovery index, below its base URL. Source: Agent Skills Discovery, draft 0.2.0. */
export const discoveryIndexPath = '.well-known/agent-skills/index.json';

/** The `$schema` of a discovery index of draft 0.2.0: an identifier, not an address to fetch. */
export const discoverySchemaId = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

/** One skill that a host offers to any client. */
export interface DiscoverySkill {
  readonly name: string;
  /** `skill-md`: the artifact is a SKILL.md. `archive`: a `.tar.gz` or `.zip` with SKILL.md at its root. */
  readonly type: 'skill-md' | 'archive';
  readonly description: string;
  /** Of the artifact, relative to the index (RFC 3986) or absolute. */
  readonly url: string;
  /** Of the artifact's bytes as they travel. */
  readonly digest: Digest;
}

/** An entry of a discovery index that cannot be used. */
export interface SkippedDiscoverySkill {
  /** In the document, from 0. */
  readonly position: number;
  /** Its name, where it has one. */
  readonly name: string | undefined;
  readonly reason: string;
}

/** What came of reading a discovery index. */
export interface DiscoveryIndex {
  readonly skills: readonly DiscoverySkill[];
  /** Entries of an unknown type, malformed ones, and second ones of a name. */
  readonly skipped: readonly SkippedDiscoverySkill[];
}

const discoverySkillSchema = z.object({
  name: z.string().check(z.refine(isPackNamePart, { error: 'expected a skill name' })),
  type: z.enum(['skill-md', 'archive']),
  description: z.string().check(z.minLength(1), z.maxLength(1024)),
  url: z.string().check(z.minLength(1), z.maxLength(2048)),
  digest: digestSchema,
});

const maxLength = 16 * 1024 * 1024;

/**
 * Reads the discovery index of any host. One bad entry costs that entry, not the index.
 *
 * @param what what a message calls it, usually its URL without credentials.
 * @throws `INVALID_INDEX` when it is not JSON or has no list of skills; `UNSUPPORTED_FORMAT` when its `$schema` is not
 * that of draft 0.2.0, or is absent as in draft 0.1.0.
 */
export function parseDiscoveryIndex(json: string, what: string): DiscoveryIndex {
  const value = readJson(json, { what, code: 'INVALID_INDEX', maxLength });
  const document = z.looseObject({ skills: z.array(z.unknown()) }).safeParse(value);
  if (!document.success) {
    throw new SkillsError('INVALID_INDEX', `${what} is not a discovery index: it has no list “skills”.`);
  }
  checkSchemaId(document.data['$schema'], what);
  const skills: DiscoverySkill[] = [];
  const skipped: SkippedDiscoverySkill[] = [];
  const seen = new Set<string>();
  for (const [position, entry] of document.data.skills.entries()) {
    const read = discoverySkillSchema.safeParse(entry, forDescription);
    if (!read.success) {
      skipped.push({ position, name: nameOf(entry), reason: reasonOf(read.error) });
    } else if (seen.has(read.data.name)) {
      skipped.push({ position, name: read.data.name, reason: 'another entry has this name' });
    } else {
      seen.add(read.data.name);
      skills.push(read.data);
    }
  }
  return { skills, skipped };
}

function checkSchemaId(found: unknown, what: string): void {
  if (found === discoverySchemaId) return;
  const said = typeof found === 'string' ? `has the $schema ${found}` : 'has no $schema, as in draft 0.1.0';
  throw new SkillsError(
    'UNSUPPORTED_FORMAT',
    `${what} ${said}; this version of skillpack knows ${discoverySchemaId}.`,
    {
      hint: 'Ask whoever runs the host for an index of draft 0.2.0, or update skillpack.',
      data: { found: found ?? null, known: discoverySchemaId },
    },
  );
}

function reasonOf(error: z.core.$ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'it does not follow the draft';
  return issue.path.length === 0 ? describeIssue(issue) : `${issuePath(issue)}: ${describeIssue(issue)}`;
}

function nameOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || !('name' in entry)) return undefined;
  return typeof entry.name === 'string' ? entry.name : undefined;
}

/**
 * The text of a discovery index, sorted by name.
 *
 * @throws `INVALID_INDEX` when an entry breaks the draft's rules or two have one name.
 */
export function formatDiscoveryIndex(skills: readonly DiscoverySkill[]): string {
  const sorted = skills.toSorted((left, right) => comparePaths(left.name, right.name));
  const text = writeDocument({ $schema: discoverySchemaId, skills: sorted });
  const [refused] = parseDiscoveryIndex(text, 'The discovery index to be written').skipped;
  if (refused === undefined) return text;
  throw new SkillsError('INVALID_INDEX', `The skill “${refused.name}” cannot be offered: ${refused.reason}.`, {
    data: { name: refused.name, reason: refused.reason },
  });
}
