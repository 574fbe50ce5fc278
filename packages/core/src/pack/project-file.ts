import * as z from 'zod/mini';
import { escapedJson } from '../errors/escaped-json.js';
import { projectFileName } from './file-names.js';
import { formatVersion, readDocument, writeDocument } from '../json/json-document.js';
import { dependenciesSchema, requirementsSchema, type PackRequirements } from './manifest.js';
import { packNameSchema, type PackName } from './pack-name.js';
import { parseJson } from '../json/parse-json.js';
import { recordSchema } from '../json/record-schema.js';
import { refuseConflictMarkers } from './refuse-conflict-markers.js';
import { versionSchema } from './version.js';

/** `skillpack.json`: what a person writes, as the author of a pack, as its consumer, or as both. */
export interface ProjectFile {
  readonly name?: PackName | undefined;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly license?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly homepage?: string | undefined;
  readonly repository?: string | undefined;
  /** Globs of skill folders. */
  readonly skills?: readonly string[] | undefined;
  readonly dependencies?: Readonly<Record<string, string>> | undefined;
  readonly requires?: PackRequirements | undefined;
  /** Globs of what goes into the pack; everything when absent. */
  readonly files?: readonly string[] | undefined;

  /** Pack to range, tag or spec: what is to be installed here. */
  readonly packs?: Readonly<Record<PackName, string>> | undefined;
  /** `default`, or an organisation, to the base URL of a registry. */
  readonly registries?: Readonly<Record<string, string>> | undefined;
  /** Agents to link the installed skills into. */
  readonly targets?: readonly string[] | undefined;
}

const text = (max: number) => z.string().check(z.maxLength(max));
const texts = z.array(text(1024)).check(z.maxLength(1000));

export const projectFileSchema = z.lazy(() =>
  z.looseObject({
    formatVersion: z._default(z.literal(formatVersion), formatVersion),
    name: z.optional(packNameSchema),
    version: z.optional(versionSchema),
    description: z.optional(text(1024)),
    license: z.optional(text(256)),
    keywords: z.optional(z.array(text(64)).check(z.maxLength(50))),
    homepage: z.optional(text(2048)),
    repository: z.optional(text(2048)),
    skills: z.optional(texts),
    dependencies: z.optional(dependenciesSchema),
    requires: z.optional(requirementsSchema),
    files: z.optional(texts),
    packs: z.optional(recordSchema(packNameSchema, text(2048))),
    registries: z.optional(recordSchema(z.string(), text(2048))),
    targets: z.optional(texts),
  }),
);

/**
 * Reads a project file. Fields it does not know are kept.
 *
 * @throws `INVALID_PROJECT`, with the line where it holds a merge-conflict marker; `UNSUPPORTED_FORMAT`.
 */
export function parseProjectFile(json: string, path: string = projectFileName): ProjectFile {
  refuseConflictMarkers(json, {
    path,
    code: 'INVALID_PROJECT',
    hint: 'Keep what you want of both sides, remove the lines with the markers, and see that it is JSON again.',
  });
  const { formatVersion: _, ...project } = readDocument(json, projectFileSchema, {
    what: path,
    code: 'INVALID_PROJECT',
    maxLength: 1024 * 1024,
    hint: 'Correct it by hand; docs/formats.md describes every field.',
  });
  return project;
}

/**
 * The text of a project file with other `packs`, everything else as the person wrote it: order of fields, unknown
 * fields, indentation, line ends and a byte order mark stay.
 *
 * @param json the present text, or `undefined` when there is none yet.
 * @throws `INVALID_PROJECT` when the present text cannot be read.
 */
export function withProjectPacks(
  json: string | undefined,
  packs: Readonly<Record<string, string>>,
  path: string = projectFileName,
): string {
  const sorted = Object.fromEntries(Object.entries(packs).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  if (json === undefined) return writeDocument({ formatVersion, packs: sorted }, { first: ['formatVersion'] });
  parseProjectFile(json, path);
  const mark = json.startsWith('\uFEFF') ? '\uFEFF' : '';
  // An object, as parseProjectFile has found.
  const present = parseJson(json.slice(mark.length)) as Record<string, unknown>;
  const indent = /^[ \t]+(?=\S)/mu.exec(json)?.[0] ?? '  ';
  const written = `${mark}${escapedJson({ ...present, packs: sorted }, indent)}\n`;
  return json.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written;
}
