import { SkillSchema, type Skill } from '@modelcontextprotocol/core/ext/skills';
import { SKILL_LIMITS } from '@modelcontextprotocol/client/ext/skills';
import {
  parseSkillHead,
  quoted,
  treeDigestOf,
  visibleText,
  type Digest,
  type Sha256,
  type SkillEntry,
  type SkillScope,
} from '@skillpack/core';

/** A file as a server told of it. */
export interface ToldFile {
  readonly address: string;
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}

/** A skill as a server told of it, checked as far as an entry can be. */
export interface ToldSkill {
  readonly kind: 'told';
  readonly entry: SkillEntry;
  /** By path below the skill. */
  readonly files: ReadonlyMap<string, ToldFile>;
  readonly frontMatter: Skill['frontmatter'];
}

/** An entry that is not taken. */
export interface RefusedSkill {
  readonly kind: 'refused';
  readonly reason: string;
  /** As far as it has one. */
  readonly address: string | undefined;
}

/** Whose skill it becomes. */
export interface ToldPlace {
  readonly origin: string;
  readonly scope: SkillScope;
  readonly sha256: Sha256;
}

const longestAddress = 2_048;
const longestName = 200;
const longestFrontMatter = 64 * 1024;

/**
 * Checks an entry of a server: its address names it, its files lie below it, each once and its SKILL.md among them, with
 * sizes and digests within the limits of the extension. Nothing of it is believed but what reading can verify.
 */
export function checkTold(value: unknown, place: ToldPlace): ToldSkill | RefusedSkill {
  const address = addressIn(value);
  const refused = (reason: string): RefusedSkill => ({ kind: 'refused', reason, address });
  if (!isShallow(value)) return refused('it is nested too deeply');
  const parsed = SkillSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refused(`${quoted(issue?.path.join('.') ?? '', 100)} is not as it has to be`);
  }
  const { uri, frontmatter, resources } = parsed.data;
  const segments = segmentsOf(uri);
  if (segments === undefined) return refused('its address is not that of a SKILL.md in a folder with a name');
  if (segments.at(-1) !== frontmatter.name) return refused('its address does not end with its name');
  const name = [place.origin, ...segments].join('/');
  if (name.length > longestName) return refused(`its name is longer than ${longestName} characters`);
  if (resources === 'dynamic') return refused('it has no digests to verify its files by (“dynamic”)');
  const files = filesOf(uri, resources);
  if (typeof files === 'string') return refused(files);
  const text = frontMatterText(frontmatter);
  if (text.length > longestFrontMatter) return refused('its front matter is too long');
  const parse = parseSkillHead(text, { folder: frontmatter.name });
  if (parse.kind === 'refused') return refused('its front matter is that of no skill');
  const { skill: head, diagnostics } = parse;
  const location = locationOf(uri, place.origin, segments);
  const tree = [...files].map(([path, { digest, size }]) => ({ path, digest, size, executable: false }));
  const digest = treeDigestOf(tree, place.sha256);
  const entry = { name, scope: place.scope, location, pack: undefined, packVersion: undefined, digest };
  return { kind: 'told', entry: { ...entry, head, diagnostics }, files, frontMatter: frontmatter };
}

const mostLevels = 32;

/** Whether a value of JSON has at most 32 levels: what reads it goes down level by level. */
export function isShallow(value: unknown, levels: number = mostLevels): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

/** The address of an entry that was not checked yet. */
export function addressIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('uri' in value)) return undefined;
  return typeof value.uri === 'string' ? value.uri : undefined;
}

/** The names of the folders that an address leads through; `undefined` where they are not plain names. */
function segmentsOf(uri: string): readonly string[] | undefined {
  if (uri.length > longestAddress || !URL.canParse(uri)) return undefined;
  const { href, search, hash, username, password, port, host, pathname, protocol } = new URL(uri);
  if (`${search}${hash}${username}${password}${port}` !== '' || !href.startsWith(`${protocol}//`)) return undefined;
  const segments = [host, ...pathname.split('/').slice(1)].map(decodeSegment);
  const folders = segments.slice(0, -1);
  return segments.at(-1) === 'SKILL.md' && folders.length > 0 && folders.every(isName)
    ? folders.flatMap((one) => one ?? [])
    : undefined;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function isName(segment: string | undefined): boolean {
  if (segment === undefined || /^[. ]*$/u.test(segment) || /[/\\]/u.test(segment)) return false;
  return visibleText(segment) === segment && segment.trim() === segment;
}

/** By path; a reason where they are not those of one skill. */
function filesOf(
  uri: string,
  resources: Exclude<Skill['resources'], 'dynamic'>,
): ReadonlyMap<string, ToldFile> | string {
  if (resources.length > SKILL_LIMITS.files) {
    return `it has ${resources.length} files; at most ${SKILL_LIMITS.files} are taken`;
  }
  const total = resources.reduce((sum, { size }) => sum + size, 0);
  if (total > SKILL_LIMITS.bytes) return `its files have ${total} bytes; at most ${SKILL_LIMITS.bytes} are taken`;
  const folder = new URL(uri).href.slice(0, -'SKILL.md'.length);
  const files = new Map<string, ToldFile>();
  for (const { uri: address, digest, size } of resources) {
    const path = pathBelow(folder, address);
    if (path === undefined) return `the file ${quoted(address, 100)} does not lie in its folder`;
    if (files.has(path)) return `the file ${quoted(path, 100)} is listed more than once`;
    // The schema has checked its form.
    files.set(path, { address, digest: digest as Digest, size });
  }
  return files.has('SKILL.md') ? files : 'its files have no SKILL.md among them';
}

function pathBelow(folder: string, address: string): string | undefined {
  if (address.length > longestAddress || !URL.canParse(address)) return undefined;
  const { href, search, hash } = new URL(address);
  if (search !== '' || hash !== '' || !href.startsWith(folder)) return undefined;
  const segments = href.slice(folder.length).split('/').map(decodeSegment);
  const plain = segments.every((one) => one !== undefined && !/^(?:\.{0,2})$|[/\0]/u.test(one));
  return plain ? segments.join('/') : undefined;
}

/** The front matter as a SKILL.md holds it, for what reads one. */
function frontMatterText(frontMatter: Skill['frontmatter']): string {
  const lines = Object.entries(frontMatter).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join('')}---\n`;
}

/** Says whose it is: two servers may serve the same address. */
function locationOf(uri: string, origin: string, segments: readonly string[]): string {
  const { protocol } = new URL(uri);
  const scheme = protocol === 'skill:' ? 'mcp:' : `mcp+${protocol}`;
  return `${scheme}//${origin}/${segments.map((segment) => encodeURIComponent(segment)).join('/')}`;
}
