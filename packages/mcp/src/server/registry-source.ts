import { ProtocolError, ProtocolErrorCode, type Resource } from '@modelcontextprotocol/server';
import {
  DIRECTORY_MIME_TYPE,
  type Skill,
  type SkillReadResult,
  type SkillSource,
} from '@modelcontextprotocol/server/ext/skills';
import { SkillsError, type RegistryOptions } from '@skillpack/core';
import { mediaType } from './media-type.js';
import { pageOf } from './page-of.js';
import type { ServedSkill, ServedSkills } from './served-skills.js';
import { fileAddress, foldersAbove } from './skill-address.js';
import type { SkillManifest, SkillManifests } from './skill-manifests.js';

/** What a source of the extension reads. */
export interface RegistrySourceParts {
  readonly served: ServedSkills;
  readonly manifests: SkillManifests;
}

/** The skills of a registry for the extension of the official SDK. Only addresses that were told of are read. */
export function registrySource(parts: RegistrySourceParts): SkillSource {
  return {
    list: async ({ cursor }, { mcpReq: { signal } }) => ofProtocol(async () => listPage(parts, cursor, { signal })),
    get: async (uri, { mcpReq: { signal } }) =>
      ofProtocol(async () => {
        const { skills } = await parts.served.current({ signal });
        const address = canonicalAddress(uri);
        const root = address?.endsWith('/SKILL.md') === true ? address.slice(0, -'/SKILL.md'.length) : undefined;
        const skill = root === undefined ? undefined : skills.get(root);
        // Whoever asks for one skill wants to know what is so now.
        return skill === undefined ? undefined : (await parts.manifests.read(skill, { signal, fresh: true }))?.skill;
      }),
    read: async (uri, { mcpReq: { signal } }) => ofProtocol(async () => readFile(parts, uri, { signal })),
    readDirectory: async (uri, { cursor }, { mcpReq: { signal } }) =>
      ofProtocol(async () => {
        const folder = canonicalAddress(uri);
        const found = folder === undefined ? undefined : await findSkill(parts, `${folder}/`, { signal });
        const children = folder === undefined || found === undefined ? undefined : childrenOf(found.manifest, folder);
        if (children === undefined) return undefined;
        const { items, nextCursor } = pageOf(children, (child) => child.uri, cursor);
        return { resources: [...items], ...(nextCursor === undefined ? {} : { nextCursor }) };
      }),
    listResources: async ({ mcpReq: { signal } }) => ofProtocol(async () => listManifests(parts, { signal })),
  };
}

/** What a registry throws, as the protocol says it. A client learns nothing of what is a defect of the program. */
export async function ofProtocol<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const message = SkillsError.is(error) ? `${error.code}: ${error.message}` : 'The skills cannot be served.';
    throw new ProtocolError(ProtocolErrorCode.InternalError, message);
  }
}

async function listPage(
  { served, manifests }: RegistrySourceParts,
  cursor: string | undefined,
  options: RegistryOptions,
): Promise<{ readonly skills: Skill[]; readonly nextCursor?: string }> {
  const { skills } = await served.current(options);
  const { items, nextCursor } = pageOf([...skills.values()], ({ root }) => root, cursor);
  const told: Skill[] = [];
  for (const skill of items) {
    const manifest = await readOrNothing(manifests, skill, options);
    if (manifest !== undefined) told.push(manifest.skill);
  }
  return { skills: told, ...(nextCursor === undefined ? {} : { nextCursor }) };
}

/** One skill that cannot be read keeps no other from being listed. */
async function readOrNothing(
  manifests: SkillManifests,
  skill: ServedSkill,
  options: RegistryOptions,
): Promise<SkillManifest | undefined> {
  try {
    return await manifests.read(skill, options);
  } catch (error) {
    if (!SkillsError.is(error) || options.signal?.aborted === true) throw error;
    return undefined;
  }
}

async function readFile(
  parts: RegistrySourceParts,
  uri: string,
  options: RegistryOptions,
): Promise<SkillReadResult | undefined> {
  const address = canonicalAddress(uri);
  const found = address === undefined ? undefined : await findSkill(parts, address, options);
  const file = address === undefined ? undefined : found?.manifest.files.get(address);
  if (found === undefined || file === undefined) return undefined;
  const bytes = await parts.manifests.content(found.skill, file, options);
  if (bytes === undefined) {
    const changed = `${uri} has changed since it was listed; skills/get tells what it is now.`;
    throw new ProtocolError(ProtocolErrorCode.InternalError, changed);
  }
  const mimeType = mediaType(file.path);
  const text = textOf(bytes);
  return text === undefined ? { bytes, mimeType } : { text, mimeType };
}

interface FoundSkill {
  readonly skill: ServedSkill;
  readonly manifest: SkillManifest;
}

/** The skill whose folder an address lies in. */
async function findSkill(
  { served, manifests }: RegistrySourceParts,
  address: string,
  options: RegistryOptions,
): Promise<FoundSkill | undefined> {
  const { skills } = await served.current(options);
  const root = foldersAbove(address).find((folder) => skills.has(folder));
  const skill = root === undefined ? undefined : skills.get(root);
  const manifest = skill === undefined ? undefined : await manifests.read(skill, options);
  return skill === undefined || manifest === undefined ? undefined : { skill, manifest };
}

/** What lies in a folder of a skill; `undefined` where there is no such folder. */
function childrenOf({ files }: SkillManifest, folder: string): readonly Resource[] | undefined {
  const children = new Map<string, Resource>();
  for (const [address, { path, size }] of files) {
    if (!address.startsWith(`${folder}/`)) continue;
    const rest = address.slice(folder.length + 1);
    const depth = rest.split('/').length;
    const name = path.split('/').at(-depth) ?? path;
    const uri = depth === 1 ? address : `${folder}/${rest.slice(0, rest.indexOf('/'))}`;
    const child = depth === 1 ? { mimeType: mediaType(path), size } : { mimeType: DIRECTORY_MIME_TYPE };
    children.set(uri, { uri, name, ...child });
  }
  if (children.size === 0) return undefined;
  return [...children.values()].toSorted((left, right) => (left.uri < right.uri ? -1 : 1));
}

async function listManifests(
  { served, manifests }: RegistrySourceParts,
  options: RegistryOptions,
): Promise<Resource[]> {
  const { skills } = await served.current(options);
  const resources: Resource[] = [];
  for (const skill of skills.values()) {
    const manifest = await readOrNothing(manifests, skill, options);
    if (manifest === undefined) continue;
    const { uri, frontmatter } = manifest.skill;
    const size = manifest.files.get(fileAddress(skill.root, 'SKILL.md'))?.size;
    const { name, description } = frontmatter;
    resources.push({ uri, name, description, mimeType: 'text/markdown', ...(size === undefined ? {} : { size }) });
  }
  return resources;
}

// Of the longest name and path that a skill and a file can have, every character encoded.
const longestAddress = 16_384;

function canonicalAddress(uri: string): string | undefined {
  return uri.length <= longestAddress && URL.canParse(uri) ? new URL(uri).href : undefined;
}

/** The text of a file, where its bytes can be had back from it. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
